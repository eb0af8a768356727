import type { Ms } from '../../base/time.ts'
import type { Amounts, RoutedStable } from '../../base/money/asset.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { Side } from '../../base/money/side.ts'

export type FeedsInput = {
  readonly live: number
  /** How far the venue's mid is above the feeds; null = there is no mid. */
  readonly deviationBps: number | null
  /** The typical distance of a feed from their common estimate, and of the lowest from the highest. */
  readonly errorBps: number
  readonly rangeBps: number
}

/** A pair whose execution mid, as the public rate names it, differs from GET /rate. */
export type ApartInput = {
  readonly stable: RoutedStable
  readonly mid: Rate
  readonly rate: Rate
  /** How far the pair's mid is above GET /rate. */
  readonly bps: number
}

/** The latest execution mid of a pair that quotes are not derived from, where it breaks a bound. */
type RefusedPairInput = {
  readonly stable: RoutedStable
  readonly mid: Rate
  readonly breach: { readonly kind: 'corridor' | 'step' | 'move'; readonly bps: number; readonly why: string }
}

type MidRule = 'mid-invalid' | 'mid-undated' | 'venue-clock' | 'price-corridor'

/** The mid in force, the one that waits, and what is wrong with the latest figure. */
export type MidInput = {
  readonly present: boolean
  readonly ageMs: Ms | null
  readonly quotable: boolean | null
  readonly problem: string | null
  /** A mid that waits until it is back inside its bounds or an operator or a feed confirms it. */
  readonly pending: {
    readonly rule: 'mid-step' | 'mid-move'
    /** With the sign of the move. */
    readonly bps: number
    readonly mid: Rate
    readonly why: string
  } | null
  /** The latest mid that was refused outright. */
  readonly refusal: { readonly rule: MidRule; readonly mid: Rate | null } | null
  readonly inForce: Rate | null
  readonly fair: Rate | null
  readonly apart: readonly ApartInput[]
  readonly refusedPair: RefusedPairInput | null
}

/** The input of the rules, provided by the engine, so that risk knows no other room's state. */
export type RiskInput = {
  readonly now: Ms
  readonly mid: MidInput
  /** The reference feeds together; null = none is live. */
  readonly feeds: FeedsInput | null
  readonly position: Amounts
  /** Total PnL and drawdown at TZS36; null = cannot be valued. */
  readonly pnlTzs: bigint | null
  readonly drawdownTzs: bigint | null
  /** True is proven without valuing the position at this mark: neither limit (null = off) is exceeded. False proves nothing. */
  readonly isLossSurelyWithin: (maxLossTzs: bigint | null, maxDrawdownTzs: bigint | null) => boolean
  readonly hasPosition: boolean
  /** -1..1; positive = too many dollars. */
  readonly inventoryImbalance: number
  readonly fillsLastMinute: number
  readonly volumeLastDayUsd: Readonly<Record<Side, bigint>>
  readonly errorCycles: number
  /** Since when fills may be missing or balances are unreconciled; null = reconciled. */
  readonly breakSince: Ms | null
  readonly breakReason: string
  /** Unreconciled for longer in total than is allowed: a break halts at once. */
  readonly unreconciledTooLong: boolean
  readonly unreconciled: Partial<Amounts>
  /** Balance snapshots in a row that lost more than any fill could take, and the loss; null = none. */
  readonly foreign: { readonly readings: number; readonly difference: Readonly<Partial<Amounts>> } | null
  /** The figure of the venue that has been unreadable for the longest answered time; null = none is. */
  readonly unreadable: { readonly why: string; readonly ms: Ms; readonly expectedMs: Ms } | null
  readonly strategySuspended: string | null
  readonly paused: string | null
  /** Why the lease at the guard does not let the position quote; null = it does, or there is no guard. */
  readonly guardObstacle: string | null
  /** The process is ending and leaves the safe quote. */
  readonly leaving: boolean
  /** A deactivation was ordered, and has not ended. */
  readonly deactivating: boolean
  readonly authFailure: string | null
  /** A fill that no quote explains; null = none, or an operator resumed since. */
  readonly fillBreach: { readonly id: string; readonly worseBps: number } | null
  /** Why a review of what was executed is due; null = it is not. */
  readonly reviewDue: string | null
  /** Pairs that the venue quotes for us beyond `quote.pairs`; null = no such pairs reported. */
  readonly unaskedPairs: string | null
  /** A write with our key that is not ours, until an operator confirms; null = none. */
  readonly foreignWrite: { readonly what: string; readonly why: string } | null
  /** The account names another wallet than it did; null = it does not. */
  readonly walletChanged: { readonly from: string; readonly to: string } | null
  /** PATCHes for safety in a row that the venue does not keep. */
  readonly mismatches: number
  /** The venue requires another solver in signed orders than the pinned one; null = it does not. */
  readonly solverChanged: string | null
}
