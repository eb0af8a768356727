import { DAY_MS, type Ms } from '../../../../base/time.ts'
import { MAX_SPREAD_BPS } from '../../../../base/money/bps.ts'

/** Exposure and fills by half-spread in whole bps, ascending: days within reach of takers, and fills in that time. */
export type SpreadCounts = {
  readonly bps: Float64Array
  readonly days: Float64Array
  readonly fills: Float64Array
}

/** Live half-spreads in bps (NaN = off), each with the share of takers routed to us. */
type Standing = readonly [bid: number, bidShare: number, ask: number, askShare: number]

/** Counts exposure and fills at each half-spread, for both sides. */
/** Bounded by the venue's widest spread, regardless of the run's length. */
export function createSpreadExposure() {
  const days = new Float64Array(MAX_SPREAD_BPS + 1)
  const fills = new Float64Array(MAX_SPREAD_BPS + 1)
  let countedTo = -Infinity

  const expose = (bps: number, passedDays: number): void => {
    if (passedDays > 0 && bps >= 0 && bps <= MAX_SPREAD_BPS) days[Math.round(bps)]! += passedDays
  }

  return {
    /** Counts the exposure of this quote from the last call, or from `openedAt`, up to `t`. */
    stood(t: Ms, openedAt: Ms, [bid, bidShare, ask, askShare]: Standing): void {
      const passed = (t - Math.max(countedTo, openedAt)) / DAY_MS
      expose(bid, passed * bidShare)
      expose(ask, passed * askShare)
      countedTo = t
    },
    /** Counts a fill at `bps`; ignores one beyond the venue's bounds. */
    fill(bps: number): void {
      if (bps >= 0 && bps <= MAX_SPREAD_BPS) fills[Math.round(bps)]! += 1
    },
    counts(): SpreadCounts {
      const stood = [...days.keys()].filter((bps) => days[bps]! > 0 || fills[bps]! > 0)
      return {
        bps: Float64Array.from(stood),
        days: Float64Array.from(stood, (bps) => days[bps]!),
        fills: Float64Array.from(stood, (bps) => fills[bps]!),
      }
    },
  }
}

/** Returns empty counts. */
export function noCounts(): SpreadCounts {
  return { bps: new Float64Array(0), days: new Float64Array(0), fills: new Float64Array(0) }
}
