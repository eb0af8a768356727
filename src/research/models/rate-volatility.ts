import type { Random } from '../../base/random.ts'
import { DAY_MS, type Ms } from '../../base/time.ts'
import { bootstrapInterval } from '../../core/models/intervals.ts'
import type { Estimate } from '../../core/models/calibration.ts'

/** A published rate and the time it was first seen. */
export type RateUpdate = { readonly t: Ms; readonly mid: number }

/** A lower volatility is implausible. bps per square root of a day. */
export const SIGMA_FLOOR_BPS = 10

const WINDOW = 5
const FEWEST_PRINTS = 3
const MOST_DRAWS = 2_000_000

/**
 * Returns the volatility of the mid in bps per square root of a calendar day (takers come on weekends too), one return
 * per published rate, with a 90 % bootstrap interval. Squares returns over overlapping windows of five prints, because
 * a rate that moves gradually hides part of each move; fewer prints if there are not twice as many. Around zero, not a
 * drift. Null for fewer than three prints. Source: quant.md section 3; Lo, MacKinlay 1988 for overlapping variances.
 */
export function rateVolatility(prints: readonly RateUpdate[], random: Random): Estimate | null {
  const returns = prints.length - 1
  if (prints.length < FEWEST_PRINTS) return null
  const window = Math.max(1, Math.min(WINDOW, Math.floor(returns / 2)))
  const windows = Array.from({ length: returns - window + 1 }, (_, i) => i)
  const squares = windows.map((i) => (1e4 * Math.log(prints[i + window]!.mid / prints[i]!.mid)) ** 2)
  const days = windows.map((i) => (prints[i + window]!.t - prints[i]!.t) / DAY_MS)
  const sigma = (drawn: Float64Array) => {
    let square = 0
    let day = 0
    for (const i of drawn) {
      square += squares[i]!
      day += days[i]!
    }
    return Math.sqrt(square / day)
  }
  const found = bootstrapInterval(windows, sigma, {
    random,
    meanBlock: Math.max(window, Math.cbrt(windows.length)),
    replicates: Math.round(Math.min(1000, Math.max(100, MOST_DRAWS / windows.length))),
  })
  if (found === null) return null
  const floored = (bps: number) => Math.max(SIGMA_FLOOR_BPS, bps)
  // A percentile interval need not contain the estimate; this one must.
  return {
    value: floored(found.value),
    low: floored(Math.min(found.low, found.value)),
    high: floored(Math.max(found.high, found.value)),
  }
}
