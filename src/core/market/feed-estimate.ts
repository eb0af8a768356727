import type { Ms } from '../../base/time.ts'
import { type Rate, rateStepBps } from '../../base/money/rate.ts'

/** A live feed and its figure. */
export type LiveFeed = {
  readonly name: string
  readonly mid: Rate
  readonly readAt: Ms
  readonly weight: number
}

/** The common estimate of the live feeds. Plain data, in snapshots. */
export type FeedEstimate = {
  readonly mid: Rate
  /** The typical distance of a feed from it: the weighted median of their distances. 0 with one feed, whose error is unknown. */
  readonly errorBps: number
  readonly feeds: number
  /** The distance between the lowest and the highest feed. */
  readonly rangeBps: number
  /** `risk.maxReferenceDeviationBps` as it was then; null = off. */
  readonly limitBps: number | null
}

/** With three feeds or more, a feed further than this from the median is ignored if most of the weight is near the median. */
const OUTVOTED_BPS = 300

/**
 * Returns the weighted median of the live feeds; null = no feed is live. A wrong figure from one of three feeds moves a median at
 * most to the next right figure, but would move a mean by a third of its error. Two feeds of equal weight give the midpoint.
 */
export function feedEstimate(live: readonly LiveFeed[], limitBps: number | null): FeedEstimate | null {
  const [only, another] = live
  if (only !== undefined && another === undefined)
    return { mid: only.mid, errorBps: 0, feeds: 1, rangeBps: 0, limitBps }
  const ascending = live.toSorted(byMid)
  const [lowest, highest] = [ascending[0]?.mid, ascending.at(-1)?.mid]
  if (lowest === undefined || highest === undefined) return null
  const mid = weightedMedian(live)
  const distances = live.map(({ mid: one, weight }) => ({ mid: abs(one - mid), weight }))
  const errorBps = rateStepBps(mid, mid + weightedMedian(distances))
  return { mid, errorBps, feeds: live.length, rangeBps: rateStepBps(lowest, highest), limitBps }
}

/** Returns the feeds without those that the others outvote, which neither confirm a mid nor count in the estimate. */
export function withoutOutvoted(live: readonly LiveFeed[]): readonly LiveFeed[] {
  if (live.length < 3) return live
  const median = weightedMedian(live)
  const near = live.filter(({ mid }) => Math.abs(rateStepBps(median, mid)) <= OUTVOTED_BPS)
  return weightOf(near) * 2 > weightOf(live) ? near : live
}

type Weighted = { readonly mid: bigint; readonly weight: number }

/** Returns the figure with half of the weight on each side, or the middle of two figures. */
function weightedMedian(figures: readonly Weighted[]): bigint {
  const ascending = figures.toSorted(byMid)
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

function byMid(a: Weighted, b: Weighted): number {
  return a.mid < b.mid ? -1 : a.mid > b.mid ? 1 : 0
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
