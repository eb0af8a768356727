import type { Ms } from '../base/time.ts'
import type { Cluster } from './intervals.ts'

/** A fill by what it changed in our hands, in tokens, and the number of the print it followed. */
export type TimedFill = {
  readonly t: Ms
  readonly print: number
  readonly dollars: number
  readonly shillings: number
}

/** Markouts after a fixed time against a reference feed. Rows come in time order. */
export type TimedMarkouts = {
  readonly reference: (t: Ms, tzsPerUsd: number) => void
  readonly add: (fill: TimedFill) => void
  /** No reference comes until `t`, this moment included. */
  readonly reach: (t: Ms) => void
  /** By print. */
  readonly clusters: () => readonly Cluster[]
}

type Waiting = TimedFill & { readonly fairAtFill: number }

/**
 * A fill waits until `horizonMs` have passed and is then valued at the latest reference. It counts only
 * where there was a reference before it and another one since: a feed that stood still tells nothing.
 */
export function createTimedMarkouts(horizonMs: Ms): TimedMarkouts {
  const waiting: Waiting[] = []
  const byPrint = new Map<number, { sum: number; weight: number }>()
  let first = 0
  let fair: { readonly t: Ms; readonly tzsPerUsd: number } | null = null

  const settle = ({ t, print, dollars, shillings, fairAtFill }: Waiting): void => {
    if (fair === null || fair.t <= t) return
    const cluster = byPrint.get(print) ?? { sum: 0, weight: 0 }
    cluster.sum += (1e4 * (shillings + dollars * fair.tzsPerUsd)) / (Math.abs(dollars) * fairAtFill)
    cluster.weight += 1
    byPrint.set(print, cluster)
  }
  const settleThrough = (t: Ms): void => {
    for (let next = waiting[first]; next !== undefined && next.t + horizonMs <= t; next = waiting[first]) {
      settle(next)
      first += 1
    }
    if (first > 1024 && first > waiting.length / 2) {
      waiting.splice(0, first)
      first = 0
    }
  }

  return {
    reference(t, tzsPerUsd) {
      // What falls due before this row is valued at the reference before it; what falls due now, at this one.
      settleThrough(t - 1)
      fair = { t, tzsPerUsd }
    },
    add(fill) {
      settleThrough(fill.t - 1)
      if (fair !== null) waiting.push({ ...fill, fairAtFill: fair.tzsPerUsd })
    },
    reach: settleThrough,
    clusters: () => [...byPrint.values()],
  }
}
