import { seededRandom } from '../../../base/random.ts'
import type { Ms } from '../../../base/time.ts'
import { bootstrapInterval } from '../../../core/models/intervals.ts'
import { quantile } from '../../../core/models/sample-statistics.ts'
import type { WholeDay } from './daily.ts'

type EndedDay = Pick<WholeDay, 'to' | 'pnlUsd'>

type Band = { readonly low: Float64Array; readonly high: Float64Array }

const FEWEST_DAYS = 5
const REPLICATES = 1000
const MOST_POINTS = 128

/**
 * Returns the 90 % band around the equity path: the spread of resampled days (stationary block bootstrap) summed up to each
 * day, less their mean. The band has no width at the opening and is linear between day ends. All NaN with fewer than five
 * days.
 */
export function equityBand(
  path: { readonly t: Float64Array; readonly values: Float64Array },
  openedAt: Ms,
  days: readonly EndedDay[],
  seed: number,
): Band {
  const hole = () => new Float64Array(path.t.length).fill(Number.NaN)
  if (days.length < FEWEST_DAYS) return { low: hole(), high: hole() }
  const ends = daysToLookAt(days.length)
  const spread = deviations(days, ends, seed)
  const at = [openedAt, ...ends.map((end) => days[end - 1]?.to ?? openedAt)]
  const around = (edge: readonly number[]): Float64Array =>
    path.values.map((value, index) => value + between(at, edge, path.t[index] ?? openedAt))
  return { low: around([0, ...spread.low]), high: around([0, ...spread.high]) }
}

/** Returns the days at which the band is computed; all of them unless there are too many. */
function daysToLookAt(days: number): readonly number[] {
  const points = Math.min(days, MOST_POINTS)
  return Array.from({ length: points }, (_, i) => Math.round(((i + 1) * days) / points))
}

function deviations(
  days: readonly EndedDay[],
  ends: readonly number[],
  seed: number,
): { readonly low: readonly number[]; readonly high: readonly number[] } {
  const pnl = days.map(({ pnlUsd }) => pnlUsd)
  const mean = pnl.reduce((sum, value) => sum + value, 0) / pnl.length
  const sums = ends.map(() => new Float64Array(REPLICATES))
  // The first call is for the original days.
  let replicate = -1
  const walk = (resample: Float64Array): number => {
    let sum = 0
    let next = 0
    resample.forEach((value, index) => {
      sum += value
      if (ends[next] !== index + 1) return
      if (replicate >= 0) sums[next]![replicate] = sum - (index + 1) * mean
      next += 1
    })
    replicate += 1
    return sum
  }
  bootstrapInterval(pnl, walk, { random: seededRandom(seed, 'band of the equity'), replicates: REPLICATES })
  const sorted = sums.map((column) => column.sort())
  return {
    low: sorted.map((column) => quantile(column, 0.05)),
    high: sorted.map((column) => quantile(column, 0.95)),
  }
}

function between(at: readonly Ms[], values: readonly number[], t: Ms): number {
  const after = at.findIndex((time) => time >= t)
  if (after <= 0) return after === 0 ? (values[0] ?? 0) : (values.at(-1) ?? 0)
  const [from, to] = [at[after - 1] ?? t, at[after] ?? t]
  const [low, high] = [values[after - 1] ?? 0, values[after] ?? 0]
  return to > from ? low + ((t - from) / (to - from)) * (high - low) : high
}
