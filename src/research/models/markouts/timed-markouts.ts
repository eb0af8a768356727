import type { Ms } from '../../../base/time.ts'
import type { Cluster } from '../../../core/models/intervals.ts'

/** A fill by what it changed in our hands, in tokens, and the number of the print it followed. */
type TimedFill = {
  readonly t: Ms
  readonly print: number
  readonly dollars: number
  readonly shillings: number
}

type Waiting = TimedFill & { readonly fairAtFill: number }

/**
 * Markouts after a fixed time against a reference feed. Rows come in time order.
 * A fill waits until `horizonMs` have passed and is then valued at the latest reference. It counts only
 * where there was a reference before it and another one since: a feed that stood still tells nothing.
 */
export function createTimedMarkouts(horizonMs: Ms) {
  const waiting: Waiting[] = []
  const terms: { sum: number; weight: number }[] = []
  /** The reference when each print began; NaN = none existed yet. */
  const fairAtPrint: number[] = []
  let first = 0
  let fair: { readonly t: Ms; readonly tzsPerUsd: number } | null = null

  const settle = ({ t, print, dollars, shillings, fairAtFill }: Waiting): void => {
    if (fair === null || fair.t <= t) return
    const bps = 1e4 / (Math.abs(dollars) * fairAtFill)
    const own = terms[print]!
    own.sum += bps * (shillings + dollars * fairAtFill)
    own.weight += 1
    let before = fairAtFill
    for (let moving = print; moving < terms.length; moving++) {
      const after = fairAtPrint[moving + 1] ?? fair.tzsPerUsd
      terms[moving]!.sum += bps * dollars * (after - before)
      before = after
    }
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
    reference(t: Ms, tzsPerUsd: number): void {
      // What falls due before this row is valued at the reference before it; what falls due now, at this one.
      settleThrough(t - 1)
      fair = { t, tzsPerUsd }
    },
    add(fill: TimedFill): void {
      settleThrough(fill.t - 1)
      if (fair !== null) waiting.push({ ...fill, fairAtFill: fair.tzsPerUsd })
    },
    /** Another print begins. */
    print(): void {
      terms.push({ sum: 0, weight: 0 })
      fairAtPrint.push(fair?.tzsPerUsd ?? NaN)
    },
    /** No reference comes until `t`, this moment included. */
    reach: settleThrough,
    /** By print: what its fills earned at once, and what the reference's move until the next print did to those that waited. */
    terms: (): readonly Cluster[] => terms,
  }
}
