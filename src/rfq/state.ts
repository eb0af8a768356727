import type { Ms } from '../base/time.ts'
import type { Amounts } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { ChainFill } from './chain-reading.ts'
import type { OpenOrder } from './open-order.ts'
import type { Hex } from './rfq-order.ts'

/** A fill that was booked and whose block is not final yet. */
export type RecentOrderFill = { readonly fill: ChainFill; readonly mid: Rate | null }

/** What the chain said last. */
export type SeenChain = {
  readonly head: { readonly number: bigint; readonly hash: Hex; readonly t: Ms }
  /** When the answer came, on our clock. */
  readonly readAt: Ms
  readonly balances: Partial<Amounts>
  readonly allowances: Partial<Amounts>
  readonly gasPriceWei: bigint
}

/** All that is remembered of orders. Plain data; changed in place by the functions of this room. */
export type RfqState = {
  /** Whose it is: chain, exchange, wallet and tokens; null before the first reading was asked for. */
  wallet: string | null
  /** The salt of the youngest order; 0 before the first. */
  lastSalt: bigint
  /** By salt: every order that is owed, until its end is final. */
  owed: Record<string, OpenOrder>
  /** Booked fills of blocks that are not final, oldest first. */
  recentFills: RecentOrderFill[]
  /** The first block whose fills are not final; null before the first reading. */
  fillsFrom: bigint | null
  chain: SeenChain | null
  /** Transactions of the last fills that were booked from the chain, so that no venue row books one again. */
  bookedTransactions: string[]
  counts: {
    signed: number
    fills: number
    rejected: number
    cancelled: number
    expired: number
    void: number
  }
}

export function createRfqState(): RfqState {
  return {
    wallet: null,
    lastSalt: 0n,
    owed: {},
    recentFills: [],
    fillsFrom: null,
    chain: null,
    bookedTransactions: [],
    counts: { signed: 0, fills: 0, rejected: 0, cancelled: 0, expired: 0, void: 0 },
  }
}
