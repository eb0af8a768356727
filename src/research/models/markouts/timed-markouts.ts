import type { Ms } from '../../../base/time.ts'
import type { Cluster } from '../../../core/models/intervals.ts'

/** A fill as the tokens gained or lost, with the number of the rate update before it. */
type TimedFill = {
  readonly t: Ms
  readonly print: number
  readonly dollars: number
  readonly shillings: number
}

type Waiting = TimedFill & { readonly fairAtFill: number }

/**
 * Markouts after a fixed time against a reference feed. Rows arrive in time order. A fill waits for `horizonMs` and is then
 * valued at the latest reference. It counts only if there was a reference before it and another one since: an unchanged feed
 * carries no information.
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
      // Fills due before this row are valued at the previous reference; fills due now, at this one.
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
    /** No further reference arrives up to and including `t`. */
    reach: settleThrough,
    /**
     * One term per rate update: the immediate edge of its fills, and the effect of the reference's move to the next update
     * on the waiting fills.
     */
    terms: (): readonly Cluster[] => terms,
  }
}
