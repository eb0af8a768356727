import type { Ms } from '../base/time.ts'
import type { RuleBreach } from './rule-breach.ts'
import type { Side } from '../money/side.ts'
import type { ReviewLimits } from './risk-settings.ts'

/**
 * What outlives the condition: why trading is halted, and the operator's pause. Part of the snapshot, so
 * a restart comes back halted; only an operator's `resume` lifts it.
 */
export type Latch = {
  halted: { readonly rule: RuleBreach['rule']; readonly why: string; readonly since: Ms } | null
  paused: { readonly why: string; readonly since: Ms } | null
  /** Something was written with our key that we did not write; null or absent = nothing. */
  foreign?: { readonly what: ForeignWrite; readonly why: string; readonly since: Ms } | null
}

/** What somebody else can do to the position with its key, or the venue by itself. */
export type ForeignWrite = 'deactivation' | 'spread' | 'custody' | 'transfer'

export function openLatch(): Latch {
  return { halted: null, paused: null }
}

/** What was executed since a person last looked, and who lets it go on until when. */
export type Review = {
  fills: number
  side: Side | null
  sameSideFills: number
  usd18: bigint
  since: Ms
  /** Why a person has to look; latched until one resumes. */
  due: string | null
  /** While it lasts nothing is due. */
  override: { readonly who: string; readonly why: string; readonly until: Ms } | null
}

/** The longest that a person may let it go on without looking again. */
export const LONGEST_OVERRIDE_MS = 86_400_000

export function createReview(now: Ms): Review {
  return { fills: 0, side: null, sameSideFills: 0, usd18: 0n, since: now, due: null, override: null }
}

/** A fill was booked. Returns whether a review has become due by it. */
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

/** The override has ended: what was executed under it counts no more. */
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
