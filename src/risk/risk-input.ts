import type { Ms } from '../base/time.ts'
import type { Amounts } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { Side } from '../money/side.ts'

export type FeedsInput = {
  readonly live: number
  /** How far the venue's mid is above them; null = it has none. */
  readonly deviationBps: number | null
  /** How far they typically are from what they say together, and the lowest from the highest. */
  readonly errorBps: number
  readonly rangeBps: number
}

export type MidRule = 'mid-invalid' | 'mid-undated' | 'venue-clock' | 'price-corridor'

/** What the rules look at: gathered by the engine, so that risk knows no other room's state. */
export type RiskInput = {
  readonly now: Ms
  readonly mid: {
    readonly present: boolean
    readonly ageMs: Ms | null
    readonly everDated: boolean
    readonly quotable: boolean | null
    readonly problem: string | null
    /** A mid that waits until it is back inside its bounds or somebody vouches for it. */
    readonly pending: {
      readonly rule: 'mid-step' | 'mid-move'
      /** With the sign of the move. */
      readonly bps: number
      readonly mid: Rate
      readonly why: string
    } | null
    /** The latest figure that was not even a candidate. */
    readonly refusal: { readonly rule: MidRule; readonly mid: Rate | null } | null
    readonly inForce: Rate | null
    readonly fair: Rate | null
  }
  /** What the reference feeds say together; null = none is live. */
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
  /** Since when fills may be missing or balances are unexplained; null = complete. */
  readonly breakSince: Ms | null
  readonly breakReason: string
  /** The books were unproven for longer than is allowed in all: a break halts at once. */
  readonly unreconciledTooLong: boolean
  readonly unreconciled: Partial<Amounts>
  /** Readings in a row that lost more than any fill could take, and what that was; null = none. */
  readonly foreign: { readonly readings: number; readonly difference: Readonly<Partial<Amounts>> } | null
  readonly strategySuspended: string | null
  readonly paused: string | null
  /** The process is ending and the quote is to be left safe. */
  readonly leaving: boolean
  readonly authFailure: string | null
  /** A fill that no quote explains; null = none, or a person resumed since. */
  readonly fillBreach: { readonly id: string; readonly worseBps: number } | null
  /** What was executed since a person last looked, once that is too much; null = it is not. */
  readonly reviewDue: string | null
  /** What the venue quotes for us beyond `quote.pairs`; null = nothing, as far as it says. */
  readonly unaskedPairs: string | null
  /** What was written with our key and not by us, until a person has looked; null = nothing. */
  readonly foreignWrite: { readonly what: string; readonly why: string } | null
  /** The account names another wallet than it did; null = it does not. */
  readonly walletChanged: { readonly from: string; readonly to: string } | null
  /** PATCHes for safety in a row that the venue does not hold. */
  readonly mismatches: number
  /** The venue wants signed orders to name another solver than the pinned one; null = it does not. */
  readonly solverChanged: string | null
}
