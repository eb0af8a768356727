import { DAY_MS, type Ms } from '../../base/time.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { Side } from '../../base/money/side.ts'
import type { ReviewLimits } from './risk-settings.ts'

/**
 * The state that outlasts its cause: why trading is halted, and the operator's pause. It is part of the snapshot, so a halted
 * position stays halted after a restart until an operator's `resume`.
 */
export type Latch = {
  halted: { readonly rule: RuleBreach['rule']; readonly why: string; readonly since: Ms } | null
  paused: { readonly why: string; readonly since: Ms } | null
  /** A foreign write with our key that is not a transfer; null = none seen. */
  foreign: { readonly what: ForeignWrite; readonly why: string; readonly since: Ms } | null
  /** A foreign transfer out of the wallet, which only a resume clears; null = none seen. */
  transfer: { readonly what: 'transfer'; readonly why: string; readonly since: Ms } | null
}

/** A write that another holder of the key, or the venue itself, can make to the position. */
export type ForeignWrite = 'deactivation' | 'spread' | 'custody' | 'transfer'

export function openLatch(): Latch {
  return { halted: null, paused: null, foreign: null, transfer: null }
}

/** Executions since an operator's last review, and an operator's override. */
export type Review = {
  fills: number
  side: Side | null
  sameSideFills: number
  usd18: bigint
  since: Ms
  /** Why a review is due; latched until an operator resumes. */
  due: string | null
  /** An override during which no review becomes due. */
  override: { readonly who: string; readonly why: string; readonly until: Ms } | null
}

/** The longest override. */
export const LONGEST_OVERRIDE_MS = DAY_MS

export function createReview(now: Ms): Review {
  return { fills: 0, side: null, sameSideFills: 0, usd18: 0n, since: now, due: null, override: null }
}

/** Counts a booked fill. Returns whether it makes a review due. */
export function countForReview(
  review: Review,
  fill: { readonly side: Side; readonly usd18: bigint },
  limits: ReviewLimits,
): boolean {
  review.sameSideFills = fill.side === review.side ? review.sameSideFills + 1 : 1
  review.side = fill.side
  review.fills += 1
  review.usd18 += fill.usd18
  if (review.due !== null || review.override !== null) return false
  review.due = dueBy(review, limits)
  return review.due !== null
}

/** Ends an expired override, whose executions do not count. Null = no override has expired. */
export function endOverride(review: Review, now: Ms): NonNullable<Review['override']> | null {
  const { override } = review
  if (override === null || now < override.until) return null
  Object.assign(review, createReview(now))
  return override
}

function dueBy({ fills, side, sameSideFills, usd18 }: Review, limits: ReviewLimits): string | null {
  if (limits.fills !== null && fills >= limits.fills) return `${fills} fills`
  if (limits.sameSideFills !== null && sameSideFills >= limits.sameSideFills)
    return `${sameSideFills} fills of the ${side} in a row`
  if (limits.usd !== null && usd18 >= limits.usd) return `${usd18 / 10n ** 18n} USD traded`
  return null
}

/** An operator's pause; the first one names the reason. */
export function pause(latch: Latch, why: string, since: Ms): void {
  latch.paused ??= { why, since }
}

/** Halts trading, by a rule or an operator; the first one names the reason. */
export function halt(latch: Latch, rule: RuleBreach['rule'], why: string, since: Ms): void {
  latch.halted ??= { rule, why, since }
}

/** Completes the latch of a snapshot: older ones have a foreign transfer as their foreign write. */
export function restoreLatch(saved: Latch): Latch {
  const latch = { ...openLatch(), ...saved }
  const { foreign } = latch
  if (foreign?.what !== 'transfer') return latch
  return { ...latch, foreign: null, transfer: { ...foreign, what: 'transfer' } }
}

/** Records a foreign write with our key; the first one of its kind gives the reason. */
export function latchForeignWrite(latch: Latch, what: ForeignWrite, why: string, since: Ms): void {
  if (what === 'transfer') latch.transfer ??= { what, why, since }
  else latch.foreign ??= { what, why, since }
}

/** Clears a foreign write that is not a transfer after an operator has reviewed it. */
export function liftForeignWrite(latch: Latch): void {
  latch.foreign = null
}

/** Returns the foreign write to acknowledge first; null = none. */
export function foreignWriteOf({ transfer, foreign }: Latch): Latch['foreign'] {
  return transfer ?? foreign
}

/** An operator lifts pause, halt and a foreign transfer. Returns the reasons of pause and halt. */
export function liftLatch(latch: Latch): readonly string[] {
  const lifted = [latch.halted?.why, latch.paused?.why].filter((why) => why !== undefined)
  latch.halted = null
  latch.paused = null
  latch.transfer = null
  return lifted
}
