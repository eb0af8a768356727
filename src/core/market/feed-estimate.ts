import type { Ms } from '../../base/time.ts'
import { type Rate, rateStepBps } from '../../base/money/rate.ts'

/** A feed with a voice, and what it shows. */
export type LiveFeed = {
  readonly name: string
  readonly mid: Rate
  readonly readAt: Ms
  readonly weight: number
}

/** What the live feeds say together. Plain data, in snapshots. */
export type FeedEstimate = {
  readonly mid: Rate
  /** How far the feeds typically are from it: the weighted median of their distances. 0 with a single feed, whose error no one knows. */
  readonly errorBps: number
  readonly feeds: number
  /** Between the lowest and the highest of them. */
  readonly rangeBps: number
  /** `risk.maxReferenceDeviationBps` as it was then; null = off. */
  readonly limitBps: number | null
}

/** A feed further than this from the median of at least three, with most of the weight near it, has no voice. */
const OUTVOTED_BPS = 300

/**
 * The weighted median of the live feeds, null where none exists. A median and not a mean: one of three feeds
 * may lie by any amount and moves it no further than to the next honest figure, while it drags a mean along by
 * a third of its lie. Two feeds of equal weight give the middle between them.
 */
export function feedEstimate(live: readonly LiveFeed[], limitBps: number | null): FeedEstimate | null {
  const [lowest, highest] = ends(live)
  if (lowest === null || highest === null) return null
  const mid = weightedMedian(live)
  const distances = live.map(({ mid: one, weight }) => ({ mid: abs(one - mid), weight }))
  const errorBps = rateStepBps(mid, mid + weightedMedian(distances))
  return { mid, errorBps, feeds: live.length, rangeBps: rateStepBps(lowest, highest), limitBps }
}

/** A lie of one among three is known as one: it neither confirms anything nor is averaged in. */
export function withoutOutvoted(live: readonly LiveFeed[]): readonly LiveFeed[] {
  if (live.length < 3) return live
  const median = weightedMedian(live)
  const near = live.filter(({ mid }) => Math.abs(rateStepBps(median, mid)) <= OUTVOTED_BPS)
  return weightOf(near) * 2 > weightOf(live) ? near : live
}

type Weighted = { readonly mid: bigint; readonly weight: number }

/** Where half of the weight lies on either side; the middle of the two figures where that falls between them. */
function weightedMedian(figures: readonly Weighted[]): bigint {
  const ascending = figures.toSorted((a, b) => (a.mid < b.mid ? -1 : a.mid > b.mid ? 1 : 0))
  const half = weightOf(ascending) / 2
  let below = 0
  for (const [index, { mid, weight }] of ascending.entries()) {
    below += weight
    if (below < half) continue
    const next = ascending[index + 1]
    return below > half || next === undefined ? mid : (mid + next.mid) / 2n
  }
  return ascending.at(-1)?.mid ?? 0n
}

function weightOf(figures: readonly Weighted[]): number {
  return figures.reduce((sum, { weight }) => sum + weight, 0)
}

function ends(live: readonly LiveFeed[]): readonly [Rate | null, Rate | null] {
  let [lowest, highest]: [Rate | null, Rate | null] = [null, null]
  for (const { mid } of live) {
    if (lowest === null || mid < lowest) lowest = mid
    if (highest === null || mid > highest) highest = mid
  }
  return [lowest, highest]
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
