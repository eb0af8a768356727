import { ASSETS, type Asset, BOOK_DECIMALS, formatAmount } from '../../../base/money/asset.ts'
import { padDecimals } from '../../../base/money/decimal-text.ts'
import { bookAmountOf } from '../document/day-pnl.ts'
import { ACCOUNTS, type CloseBody, type CloseEntry, type CloseTreasury } from '../document/document.ts'
import { type BookAccount, POSITION_ACCOUNTS, TREASURY_ACCOUNTS, treasuryAccount } from './book-accounts.ts'

type Held = readonly [account: BookAccount, asset: Asset, amount: string]

/** The syntax of an accounting program. */
export type AccountsDialect = {
  readonly posting: (...of: Held) => string
  readonly price: (asset: Asset, mid: string) => string
  /** The line that declares an account. */
  readonly account: (account: BookAccount) => string
  /** The lines before an entry's postings. */
  readonly opening: (what: string) => string
  readonly entry: (entry: CloseEntry) => readonly string[]
  readonly treasuryEntry: (entry: CloseTreasury['entries'][number]) => readonly string[]
  readonly balances: (held: readonly Held[]) => readonly string[]
}

/**
 * Returns a day for an accounting program: the venue's mid as prices, opening balances on a folder's first day, every
 * entry, and each account's balance at the end; then the same for the treasury.
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

/** beancount and hledger derive their tolerance from an amount's decimals: with all of them even one unit is outside it. */
function withAllDecimals({ posting, balances, ...dialect }: AccountsDialect): AccountsDialect {
  const whole = ([account, asset, amount]: Held): Held => [account, asset, padDecimals(amount, BOOK_DECIMALS)]
  return {
    ...dialect,
    posting: (...held) => posting(...whole(held)),
    balances: (all) => balances(all.map(whole)),
  }
}

/** Joins blocks of lines with an empty line between them. */
export function blocksText(blocks: readonly (readonly string[])[]): string {
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Strips characters with a meaning in ledger files, because entries quote venue texts. */
export function wordsOnly(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,+()/%-]+/gu, ' ').trim()
}

/** The treasury's accounts, their opening balances on its first day in the books, and its entries. */
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

/** Returns the account balances at the end: all of ours, and others that hold or held something. */
function assertedOf({ accounts: { opening, closing } }: CloseBody): readonly Held[] {
  const before = cells(opening)
  return cells(closing).filter(
    ([{ root }, , amount], index) => root === 'assets' || amount !== '0' || before[index]?.[2] !== '0',
  )
}

function treasuryBalances(treasury: CloseTreasury | null): readonly Held[] {
  return treasury === null ? [] : treasuryHeld(treasury, ({ closing }) => closing)
}

/** Returns a figure of the treasury's accounts that are one account in the books. */
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
