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

/** The latest execution mid of a pair that quotes are not derived from, if it breaks a bound. */
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

/** The input of the rules, provided by the engine, so risk does not depend on the state of other rooms. */
export type RiskInput = {
  readonly now: Ms
  readonly mid: MidInput
  /** The reference feeds together; null = none is live. */
  readonly feeds: FeedsInput | null
  readonly position: Amounts
  /** Total PnL and drawdown at TZS36; null = cannot be valued. */
  readonly pnlTzs: bigint | null
  readonly drawdownTzs: bigint | null
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
  /** Consecutive balance snapshots with a loss larger than any fill could cause, and the loss; null = none. */
  readonly foreign: { readonly readings: number; readonly difference: Readonly<Partial<Amounts>> } | null
  /** The figure of the venue that has been unreadable for the longest answered time; null = all readable. */
  readonly unreadable: { readonly why: string; readonly ms: Ms; readonly expectedMs: Ms } | null
  readonly strategySuspended: string | null
  readonly paused: string | null
  /** Why the guard's lease prevents quoting; null = quoting is allowed, or there is no guard. */
  readonly guardObstacle: string | null
  /** The process is ending and leaves the safe quote. */
  readonly shuttingDown: boolean
  /** A deactivation was ordered, and has not ended. */
  readonly deactivating: boolean
  readonly authFailure: string | null
  /** A fill that no quote explains; null = none, or an operator resumed since. */
  readonly fillBreach: { readonly id: string; readonly worseBps: number } | null
  /** Why a review of the executions is due; null = not due. */
  readonly reviewDue: string | null
  /** Pairs that the venue quotes for us beyond `quote.pairs`; null = no such pairs reported. */
  readonly unaskedPairs: string | null
  /** A foreign write with our key, until an operator confirms it; null = none. */
  readonly foreignWrite: { readonly what: string; readonly why: string } | null
  /** The previous and the new wallet that the account names; null = unchanged. */
  readonly walletChanged: { readonly from: string; readonly to: string } | null
  /** Consecutive safety PATCHes that the venue did not keep. */
  readonly mismatches: number
  /** A sentence if the venue requires a different solver from the pinned one; null = they agree. */
  readonly solverChanged: string | null
}
