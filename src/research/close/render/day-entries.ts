import { ASSETS, type Asset, BOOK_DECIMALS, formatAmount } from '../../../base/money/asset.ts'
import { padDecimals } from '../../../base/money/decimal-text.ts'
import { bookAmountOf } from '../document/day-pnl.ts'
import { ACCOUNTS, type CloseBody, type CloseEntry, type CloseTreasury } from '../document/document.ts'
import { type BookAccount, POSITION_ACCOUNTS, TREASURY_ACCOUNTS, treasuryAccount } from './book-accounts.ts'

type Held = readonly [account: BookAccount, asset: Asset, amount: string]

/** How an accounting program writes what a day has. */
export type AccountsDialect = {
  readonly posting: (...of: Held) => string
  readonly price: (asset: Asset, mid: string) => string
  /** The line that makes an account known. */
  readonly account: (account: BookAccount) => string
  /** The lines before the postings of an entry. */
  readonly opening: (what: string) => string
  readonly entry: (entry: CloseEntry) => readonly string[]
  readonly treasuryEntry: (entry: CloseTreasury['entries'][number]) => readonly string[]
  readonly balances: (held: readonly Held[]) => readonly string[]
}

/**
 * A day for an accounting program: the venue's mid as prices, what the accounts open with on the first day of a folder, every entry,
 * and what each account holds at the end; then the same of the treasury.
 */
export function dayEntries(close: CloseBody, shortest: AccountsDialect): string {
  const dialect = withAllDecimals(shortest)
  const { position, day, timezone, status, previous, accounts, entries, mids } = close
  const openings = previous === null ? cells(accounts.opening).filter(([, , amount]) => amount !== '0') : []
  const { closing: mid } = mids
  const blocks = [
    [`; mizani close of ${position}, ${day} (${timezone}), ${status}`],
    mid === null ? [] : ASSETS.filter((asset) => asset !== 'NTZS').map((asset) => dialect.price(asset, mid)),
    openings.length === 0
      ? []
      : [dialect.opening('opening'), ...openings.map((held) => dialect.posting(...held))],
    ...entries.map((entry) => [
      ...dialect.entry(entry),
      ...entry.postings.map(({ account, asset, amount }) =>
        dialect.posting(POSITION_ACCOUNTS[account], asset, amount),
      ),
    ]),
    ...treasuryBlocks(close.treasury, dialect),
    dialect.balances([...assertedOf(close), ...treasuryBalances(close.treasury)]),
  ]
  return blocksText(blocks.filter((lines) => lines.length > 0))
}

/** beancount and hledger derive a tolerance from the decimals of an amount: with all of them no unit is within it. */
function withAllDecimals({ posting, balances, ...dialect }: AccountsDialect): AccountsDialect {
  const whole = ([account, asset, amount]: Held): Held => [account, asset, padDecimals(amount, BOOK_DECIMALS)]
  return {
    ...dialect,
    posting: (...held) => posting(...whole(held)),
    balances: (all) => balances(all.map(whole)),
  }
}

/** Lines in blocks, with an empty line between two. */
export function blocksText(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Strips characters that have a meaning in ledger files; entries quote texts of the venue. */
export function wordsOnly(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,+()/%-]+/gu, ' ').trim()
}

/** Its accounts and what they open with on the first day on which it is in the books, and its entries. */
function treasuryBlocks(
  treasury: CloseTreasury | null,
  dialect: AccountsDialect,
): readonly (readonly string[])[] {
  if (treasury === null) return []
  const isFirst = treasury.inBooks === 'begins'
  const openings = isFirst ? treasuryHeld(treasury, ({ opening }) => opening) : []
  return [
    isFirst ? TREASURY_ACCOUNTS.map(dialect.account) : [],
    openings.length === 0
      ? []
      : [dialect.opening('opening of the treasury'), ...openings.map((held) => dialect.posting(...held))],
    ...treasury.entries.map((entry) => [
      ...dialect.treasuryEntry(entry),
      ...entry.postings.map(({ account, asset, amount }) =>
        dialect.posting(treasuryAccount(account), asset, amount),
      ),
    ]),
  ]
}

/** What the accounts hold at the end: all of our own, and what another one holds or held. */
function assertedOf({ accounts: { opening, closing } }: CloseBody): readonly Held[] {
  const before = cells(opening)
  return cells(closing).filter(
    ([{ root }, , amount], index) => root === 'assets' || amount !== '0' || before[index]?.[2] !== '0',
  )
}

function treasuryBalances(treasury: CloseTreasury | null): readonly Held[] {
  return treasury === null ? [] : treasuryHeld(treasury, ({ closing }) => closing)
}

/** A figure of the treasury's accounts, those that are one in the books together. */
function treasuryHeld(
  { accounts }: CloseTreasury,
  figure: (of: CloseTreasury['accounts'][number]) => string,
): readonly Held[] {
  const sums = new Map<BookAccount, Map<Asset, bigint>>()
  for (const of of accounts) {
    const account = treasuryAccount(of.account)
    const held = sums.get(account) ?? new Map<Asset, bigint>()
    sums.set(account, held.set(of.asset, (held.get(of.asset) ?? 0n) + bookAmountOf(figure(of))))
  }
  return [...sums].flatMap(([account, held]) =>
    [...held].map(([asset, amount]): Held => [account, asset, formatAmount(amount)]),
  )
}

function cells(accounts: CloseBody['accounts']['opening']): readonly Held[] {
  return ACCOUNTS.flatMap((account) =>
    ASSETS.map((asset): Held => [POSITION_ACCOUNTS[account], asset, accounts[account][asset]]),
  )
}
