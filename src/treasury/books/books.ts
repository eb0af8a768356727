import { invariant } from '../../base/result.ts'
import { type TokenAmounts, zeroAmounts } from '../../base/money/asset.ts'
import { PLACES, TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import type { TreasuryPosting } from '../model/observation.ts'
import { accrue, createBooksPnl, type BooksPnl, type ValueClass } from './accrual.ts'

/** The balance of an account in base units; every token is present. */
export type Held = Record<TreasuryAsset, bigint>

/**
 * Double entry of the whole desk: places, transit, claims and counter accounts. Each entry sums to zero per token. The
 * books keep running balances and no entries. Accounts of intents disappear once they are empty.
 */
export type Books = {
  /** Number of entries. */
  entries: number
  accounts: Record<string, Held>
  /** Open reservations by `intent:leg`. */
  reserved: Record<string, Reserved>
  /** Places whose opening balance is booked. */
  opened: string[]
  /** Unexplained differences between a reading and the books, by place. */
  differences: Record<string, Difference>
  /** Differences booked as unreconciled and not undone, oldest first, at most 100. */
  unreconciled: UnreconciledAmount[]
  pnl: BooksPnl
}

/** A place had this many base units more (+) or fewer (-) than the books. */
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
  /** Reading minus books, in base units. */
  amounts: Held
  since: number
  readings: number
}

/** Counter accounts, and the value class of their postings in the profit and loss. */
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

/** Returns the two postings that move base units between accounts; empty for an amount of 0. */
export function move(from: string, to: string, asset: TreasuryAsset, amount: bigint): TreasuryPosting[] {
  if (amount === 0n) return []
  return [
    { account: from, asset, amount: -amount },
    { account: to, asset, amount },
  ]
}

/** Posts an entry, whose postings must sum to zero per token. Changes of the desk's value are valued at the mark. */
export function post(books: Books, postings: readonly TreasuryPosting[]): void {
  if (postings.length === 0) return
  const sums = nothing()
  for (const { account, asset, amount } of postings) {
    sums[asset] += amount
    const held = (books.accounts[account] ??= nothing())
    held[asset] += amount
    const valueClass = classOf(account)
    // The counter account gave what the desk received.
    if (valueClass !== null) accrue(books.pnl, valueClass, asset, -amount)
    else if (isEmpty(held) && account.includes(':')) delete books.accounts[account]
  }
  invariant(isEmpty(sums), 'an entry of the treasury sums to zero per token')
  books.entries += 1
}

/** Returns the desk's assets: its places, transit and claims, without bank and phone. */
export function ownHoldings(books: Books): TokenAmounts {
  const all = zeroAmounts()
  for (const [account, held] of Object.entries(books.accounts))
    if (classOf(account) === null) for (const asset of TREASURY_ASSETS) all[asset] += held[asset]
  return all
}

/** Returns the base units of a token in an account; a missing account is empty. */
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
