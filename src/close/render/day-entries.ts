import { ASSETS } from '../../money/asset.ts'
import { ACCOUNTS, type Account, type CloseBody, type CloseEntry } from '../document/document.ts'

export type Asset = (typeof ASSETS)[number]
export type Held = readonly [account: Account, asset: Asset, amount: string]

/** How an accounting program writes what a day has. */
export type Dialect = {
  readonly posting: (...of: Held) => string
  readonly price: (asset: Asset, mid: string) => string
  /** The lines before the postings of an entry. */
  readonly opening: string
  readonly entry: (entry: CloseEntry) => readonly string[]
  readonly balances: (held: readonly Held[]) => readonly string[]
}

/**
 * A day for an accounting program: the venue's mid as prices, what the accounts open with on the first day of a folder, every entry,
 * and what each account holds at the end.
 */
export function dayEntries(close: CloseBody, dialect: Dialect): string {
  const { position, day, timezone, status, previous, accounts, entries, mids } = close
  const openings = previous === null ? heldIn(accounts.opening) : []
  const { closing: mid } = mids
  const blocks = [
    [`; mizani close of ${position}, ${day} (${timezone}), ${status}`],
    mid === null ? [] : ASSETS.filter((asset) => asset !== 'NTZS').map((asset) => dialect.price(asset, mid)),
    openings.length === 0 ? [] : [dialect.opening, ...openings.map((held) => dialect.posting(...held))],
    ...entries.map((entry) => [
      ...dialect.entry(entry),
      ...entry.postings.map(({ account, asset, amount }) => dialect.posting(account, asset, amount)),
    ]),
    dialect.balances(assertedOf(close)),
  ]
  return blocksText(blocks.filter((lines) => lines.length > 0))
}

/** Lines in blocks, with an empty line between two. */
export function blocksText(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** A word that no reader of accounts takes for a sign of its own: texts of entries name what the venue wrote. */
export function plain(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,+()/%-]+/gu, ' ').trim()
}

/** What the accounts hold at the end: all of our own, and what another one holds or held. */
function assertedOf({ accounts: { opening, closing } }: CloseBody): readonly Held[] {
  return cells(closing).filter(
    ([account, asset, amount]) =>
      account === 'pool' || account === 'wallet' || amount !== '0' || opening[account][asset] !== '0',
  )
}

function heldIn(accounts: CloseBody['accounts']['opening']): readonly Held[] {
  return cells(accounts).filter(([, , amount]) => amount !== '0')
}

function cells(accounts: CloseBody['accounts']['opening']): readonly Held[] {
  return ACCOUNTS.flatMap((account) =>
    ASSETS.map((asset): Held => [account, asset, accounts[account][asset]]),
  )
}
