import { invariant } from '../../base/result.ts'
import { type TokenAmounts, zeroAmounts } from '../../base/money/asset.ts'
import { PLACES, TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import type { TreasuryPosting } from '../model/observation.ts'
import { accrue, createBooksPnl, type BooksPnl, type ValueClass } from './accrual.ts'

/** What an account holds, base units; every token is present. */
export type Held = Record<TreasuryAsset, bigint>

/**
 * Double entry of the whole desk: what the places hold, what is in transit, claims, and the accounts of the other side. Each
 * entry sums to zero per token. Running balances, not the entries. Accounts of intents disappear when they are empty.
 */
export type Books = {
  /** Entries so far. */
  entries: number
  accounts: Record<string, Held>
  /** What was reserved and has no end yet, by `intent:leg`. */
  reserved: Record<string, Reserved>
  /** Places whose opening is booked. */
  opened: string[]
  /** Differences between a reading and the books that have not been explained, by place. */
  differences: Record<string, Difference>
  /** Differences that were booked as unreconciled and not taken back since; the oldest first, at most 100. */
  unreconciled: UnreconciledAmount[]
  pnl: BooksPnl
}

/** Base units more (+) or less (-) than the books had at a place. */
export type UnreconciledAmount = {
  readonly place: string
  readonly asset: TreasuryAsset
  readonly amount: bigint
}

type Reserved = {
  /** `transit:<intent>` or `claim:<intent>`. */
  account: string
  readonly asset: TreasuryAsset
  readonly amount: bigint
}

type Difference = {
  /** Reading less books, base units. */
  amounts: Held
  since: number
  readings: number
}

/** Accounts of the other side, and how their postings count in the profit and loss of the whole. */
export const COUNTER_ACCOUNTS = {
  opening: 'opening',
  trading: 'trading',
  railCosts: 'costs',
  conversion: 'costs',
  unreconciled: 'unreconciled',
  external: 'flows',
  bank: 'flows',
  phone: 'flows',
} as const satisfies Readonly<Record<string, ValueClass>>

export function createBooks(): Books {
  const accounts = [...PLACES, ...Object.keys(COUNTER_ACCOUNTS)]
  return {
    entries: 0,
    accounts: Object.fromEntries(accounts.map((account) => [account, nothing()])),
    reserved: {},
    opened: [],
    differences: {},
    unreconciled: [],
    pnl: createBooksPnl(),
  }
}

export function nothing(): Held {
  return { NTZS: 0n, USDC: 0n, USDT: 0n }
}

/** Moves base units from one account to another: two postings, none for nothing. */
export function move(from: string, to: string, asset: TreasuryAsset, amount: bigint): TreasuryPosting[] {
  if (amount === 0n) return []
  return [
    { account: from, asset, amount: -amount },
    { account: to, asset, amount },
  ]
}

/** Posts an entry. Its postings sum to zero per token; what changes the worth of the desk is valued at the mark. */
export function post(books: Books, postings: readonly TreasuryPosting[]): void {
  if (postings.length === 0) return
  const sums = nothing()
  for (const { account, asset, amount } of postings) {
    sums[asset] += amount
    const held = (books.accounts[account] ??= nothing())
    held[asset] += amount
    const valueClass = classOf(account)
    // What the other side gave is what the desk received.
    if (valueClass !== null) accrue(books.pnl, valueClass, asset, -amount)
    else if (isEmpty(held) && account.includes(':')) delete books.accounts[account]
  }
  invariant(isEmpty(sums), 'an entry of the treasury sums to zero per token')
  books.entries += 1
}

/** All that belongs to the desk: its places, transit and claims. The bank and the phone are outside. */
export function ownHoldings(books: Books): TokenAmounts {
  const all = zeroAmounts()
  for (const [account, held] of Object.entries(books.accounts))
    if (classOf(account) === null) for (const asset of TREASURY_ASSETS) all[asset] += held[asset]
  return all
}

/** Base units of a token in an account; an account that is not there is empty. */
export function balanceOf(books: Books, account: string, asset: TreasuryAsset): bigint {
  return books.accounts[account]?.[asset] ?? 0n
}

function classOf(account: string): ValueClass | null {
  return Object.hasOwn(COUNTER_ACCOUNTS, account)
    ? COUNTER_ACCOUNTS[account as keyof typeof COUNTER_ACCOUNTS]
    : null
}

export function isEmpty(held: Readonly<Held>): boolean {
  return TREASURY_ASSETS.every((asset) => held[asset] === 0n)
}
