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
  /** Foreign writes with our key by kind, each until an operator acknowledges it; empty = none seen. */
  foreign: { readonly [what in ForeignWrite]?: { readonly why: string; readonly since: Ms } }
}

/** A write that another holder of the key, or the venue itself, can make to the position. */
export type ForeignWrite = 'deactivation' | 'spread' | 'custody' | 'transfer'

export function openLatch(): Latch {
  return { halted: null, paused: null, foreign: {} }
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

/** Completes the latch of a snapshot: older ones have at most one foreign write, which names its kind. */
export function restoreLatch(
  saved: Partial<Omit<Latch, 'foreign'>> & {
    readonly foreign?:
      | Latch['foreign']
      | { readonly what: ForeignWrite; readonly why: string; readonly since: Ms }
      | null
  },
): Latch {
  const { foreign, ...latch } = saved
  if (!foreign) return { ...openLatch(), ...latch }
  if (!('what' in foreign)) return { ...openLatch(), ...latch, foreign }
  const { what, why, since } = foreign
  return { ...openLatch(), ...latch, foreign: { [what]: { why, since } } }
}

/** Latches a foreign write with our key; the first one of its kind gives the reason. Returns whether it is the first. */
export function latchForeignWrite(latch: Latch, what: ForeignWrite, why: string, since: Ms): boolean {
  if (latch.foreign[what] !== undefined) return false
  latch.foreign = { ...latch.foreign, [what]: { why, since } }
  return true
}

/** Returns the foreign write that an operator acknowledges first: `resume` the first two, `activate` the others. Null = none. */
export function foreignWriteOf({
  foreign: { transfer, spread, deactivation, custody },
}: Latch): { readonly what: ForeignWrite; readonly why: string } | null {
  if (transfer !== undefined) return { what: 'transfer', why: transfer.why }
  if (spread !== undefined) return { what: 'spread', why: spread.why }
  if (deactivation !== undefined) return { what: 'deactivation', why: deactivation.why }
  return custody === undefined ? null : { what: 'custody', why: custody.why }
}

/** An operator's `activate` acknowledges that the position was taken out of the market. */
export function acknowledgeLeaving(latch: Latch): void {
  const { deactivation: _, custody: __, ...kept } = latch.foreign
  latch.foreign = kept
}

/**
 * An operator's `resume` lifts pause and halt, and acknowledges a foreign transfer and spread. `acknowledgesAll`: the other foreign
 * writes too. Returns the reasons of what it lifted.
 */
export function liftLatch(latch: Latch, acknowledgesAll: boolean): readonly string[] {
  const { transfer, spread, ...others } = latch.foreign
  const acknowledged = acknowledgesAll ? Object.values(latch.foreign) : [transfer, spread]
  const lifted = [latch.halted, latch.paused, ...acknowledged].flatMap((one) => one?.why ?? [])
  latch.halted = null
  latch.paused = null
  latch.foreign = acknowledgesAll ? {} : others
  return lifted
}
