import { DAY_MS, HOUR_MS, type Ms } from '../../../base/time.ts'
import { normalQuantile } from '../../../core/models/distributions.ts'
import type { BankCalendar } from '../../model/config.ts'
import { peaksOn } from '../calendar/bank-hours.ts'
import { civilDayOf, civilMomentOf } from '../calendar/civil-day.ts'
import type { HourlySeries } from '../../model/flow-history.ts'
import type { ForecastError, ForecastHour, TokenForecast } from '../../model/plan-types.ts'
import { type Demand, withUndershoot } from '../sizing/order-levels.ts'
import { flowProfile, type FlowProfile } from './flow-profile.ts'
import { toUnits } from '../units.ts'

/** A week ahead, to cover any weekend with adjacent holidays. */
export const HORIZON_HOURS = 168
const ERROR_DAYS = 7
const FIRST_ERROR_HOURS = 72
const COVERAGE = 0.95

/** Returns the net outflow from `from` on over `spanMs`; partial hours count proportionally. */
export function demandOver(profile: FlowProfile, from: Ms, spanMs: Ms): Demand {
  let mean = 0
  let variance = 0
  for (let t = from; t < from + spanMs;) {
    const start = t - (t % HOUR_MS)
    const until = Math.min(start + HOUR_MS, from + spanMs)
    const share = (until - t) / HOUR_MS
    const hour = profile.at(start)
    mean -= share * hour.mean
    variance += share * hour.sd * hour.sd
    t = until
  }
  return { mean, sd: Math.sqrt(variance) }
}

/**
 * Returns the stock in base units (at least 0) with which the side lasts through a lead time in `serviceLevel` of the
 * cases, including the undershoot of an hourly review.
 */
export function levelThrough(profile: FlowProfile, from: Ms, leadMs: Ms, serviceLevel: number): number {
  const hour = demandOver(profile, from, HOUR_MS)
  const { mean, sd } = withUndershoot(hour, demandOver(profile, from, leadMs))
  return Math.max(0, mean + (sd === 0 ? 0 : normalQuantile(serviceLevel) * sd))
}

export type ForecastParts = Pick<
  TokenForecast,
  'hours' | 'runsDryAt' | 'mayRunDryAt' | 'basis' | 'peaks' | 'error'
>

/** Returns the expected holding by hour over a week, from the stock on hand and in transit. */
export function forecastHolding(
  held: bigint,
  now: Ms,
  series: HourlySeries,
  calendar: BankCalendar,
  profile: FlowProfile,
): ForecastParts {
  const hours: ForecastHour[] = []
  const z = normalQuantile(COVERAGE)
  const start = Number(held)
  let [mean, variance] = [0, 0]
  let runsDryAt: Ms | null = null
  let mayRunDryAt: Ms | null = null
  for (let index = 0, t = now; index < HORIZON_HOURS; index++) {
    const at = t - (t % HOUR_MS) + HOUR_MS
    const { mean: out, sd } = demandOver(profile, t, at - t)
    mean += out
    variance += sd * sd
    const p50 = start - mean
    const p95 = p50 - z * Math.sqrt(variance)
    // Without a history the expected flow is 0, so no stock-out is forecast.
    if (profile.basis !== 'none' && runsDryAt === null && p50 <= 0) runsDryAt = at
    if (profile.basis !== 'none' && mayRunDryAt === null && p95 <= 0) mayRunDryAt = at
    hours.push({ at, p50: toUnits(p50), p95: toUnits(p95) })
    t = at
  }
  return {
    hours,
    runsDryAt,
    mayRunDryAt,
    basis: profile.basis,
    peaks: peaksAhead(now, calendar, profile),
    error: forecastError(series, calendar),
  }
}

function peaksAhead(now: Ms, calendar: BankCalendar, profile: FlowProfile): TokenForecast['peaks'] {
  const days = Array.from({ length: HORIZON_HOURS / 24 }, (_, index) => civilDayOf(now) + index)
  return days.flatMap((day) =>
    peaksOn(calendar, day).map((name) => {
      const at = civilMomentOf(day, 0)
      const isLearned = profile.peaks.some((peak) => peak.name === name)
      return { name, at, outflow: isLearned ? toUnits(demandOver(profile, at, DAY_MS).mean) : 0n }
    }),
  )
}

/** Returns the error of the daily forecasts, each made at the start of its day; null = the record is too short. */
export function forecastError({ start, values }: HourlySeries, calendar: BankCalendar): ForecastError | null {
  const z = normalQuantile(COVERAGE)
  const away: number[] = []
  let covered = 0
  for (let end = values.length; end - 24 >= FIRST_ERROR_HOURS && away.length < ERROR_DAYS; end -= 24) {
    const before = { start, values: values.slice(0, end - 24) }
    const profile = flowProfile(before, calendar)
    const { mean, sd } = demandOver(profile, start + (end - 24) * HOUR_MS, DAY_MS)
    const actual = values.slice(end - 24, end).reduce((sum, value) => sum + value, 0)
    away.push(actual + mean)
    if (actual >= -mean - z * sd) covered += 1
  }
  if (away.length === 0) return null
  const sum = away.reduce((total, value) => total + value, 0)
  const absolute = away.reduce((total, value) => total + Math.abs(value), 0)
  const bias = Math.round(sum / away.length)
  return {
    days: away.length,
    bias: bias < 0 ? -toUnits(-bias) : toUnits(bias),
    meanAbsolute: toUnits(absolute / away.length),
    covered: covered / away.length,
  }
}
