import { HOUR_MS, type Ms } from '../../../base/time.ts'
import { moments } from '../../../core/models/sample-statistics.ts'
import type { BankCalendar } from '../../model/config.ts'
import { peaksOn } from '../calendar/bank-hours.ts'
import { civilDayOf } from '../calendar/civil-day.ts'
import type { HourlySeries } from '../../model/flow-history.ts'
import type { Demand } from '../sizing/order-levels.ts'
import type { TokenForecast } from '../../model/plan-types.ts'

/** Expected net flow of a future hour: mean (+ = inflow) and standard deviation, in base units. */
export type FlowProfile = {
  readonly basis: TokenForecast['basis']
  readonly at: (hour: Ms) => Demand
  /** Extra outflow of a named day over an ordinary day, learned from earlier days of that name, in base units. */
  readonly peaks: readonly LearnedPeak[]
}

type LearnedPeak = { readonly name: string; readonly extra: Demand; readonly days: number }

const DAY_HOURS = 24
const WEEK_HOURS = 168
/** Minimum number of values for the mean of a cell. */
const ENOUGH_WEEKS = 3
const ENOUGH_DAYS = 3
const ENOUGH_HOURS = 6
const ENOUGH_PEAKS = 2

/** Midnight in East Africa Time is 21:00 UTC, and 1 January 1970 was a Thursday: hour 0 is Monday at midnight. */
const HOUR_OF_WEEK_OFFSET = 3 + 3 * DAY_HOURS

/**
 * Uses means by hour of the week if each was seen three times, by hour of the day after three days, else one mean; the
 * spread is by hour of the day. Named peaks that were seen twice are kept apart from ordinary days.
 */
export function flowProfile(series: HourlySeries, calendar: BankCalendar): FlowProfile {
  const { start, values } = series
  const days = Array.from({ length: Math.ceil(values.length / DAY_HOURS) + 1 }, (_, index) =>
    peaksOn(calendar, civilDayOf(start) + index),
  )
  const peakAt = (index: number): readonly string[] =>
    days[civilDayOf(start + index * HOUR_MS) - civilDayOf(start)] ?? []
  const peaks = learnPeaks(series, calendar, peakAt)
  const isLearned = (names: readonly string[]) => peaks.some(({ name }) => names.includes(name))
  const ordinary = values.map((_, index) => peaks.length === 0 || !isLearned(peakAt(index)))
  const hours = ordinary.filter(Boolean).length
  const basis = basisOf(hours)
  const cells = basis === 'hour-of-week' ? WEEK_HOURS : basis === 'hour-of-day' ? DAY_HOURS : 1
  const means = cellMeans(series, ordinary, cells)
  const spreads = spreadsOf(series, ordinary, means)
  const hourAhead = (hour: Ms): Demand => {
    const index = hourOfWeek(hour)
    const names = peaksOn(calendar, civilDayOf(hour))
    const extra = peaks.find(({ name }) => names.includes(name))?.extra ?? NOTHING
    const sd = spreads[index % spreads.length]!
    return {
      mean: means[index % cells]! + extra.mean / DAY_HOURS,
      sd: Math.sqrt(sd * sd + (extra.sd * extra.sd) / DAY_HOURS),
    }
  }
  return { basis, peaks, at: basis === 'none' ? () => NOTHING : remembered(hourAhead) }
}

const NOTHING: Demand = { mean: 0, sd: 0 }

/** Caches the hours of the week ahead, which every start of a lead time reads again. */
function remembered(of: (hour: Ms) => Demand): (hour: Ms) => Demand {
  const known = new Map<Ms, Demand>()
  return (hour) => {
    const before = known.get(hour)
    if (before !== undefined) return before
    const found = of(hour)
    known.set(hour, found)
    return found
  }
}

/** Returns the hour of the week from Monday midnight, East Africa Time. */
export function hourOfWeek(hour: Ms): number {
  return (Math.floor(hour / HOUR_MS) + HOUR_OF_WEEK_OFFSET) % WEEK_HOURS
}

function basisOf(hours: number): TokenForecast['basis'] {
  if (hours >= ENOUGH_WEEKS * WEEK_HOURS) return 'hour-of-week'
  if (hours >= ENOUGH_DAYS * DAY_HOURS) return 'hour-of-day'
  return hours >= ENOUGH_HOURS ? 'all-hours' : 'none'
}

/** Returns the mean of each cell; an empty cell has the overall mean. */
function cellMeans({ start, values }: HourlySeries, ordinary: readonly boolean[], cells: number): number[] {
  const sums = new Float64Array(cells)
  const counts = new Float64Array(cells)
  for (let index = 0; index < values.length; index++) {
    if (ordinary[index] === false) continue
    const cell = hourOfWeek(start + index * HOUR_MS) % cells
    sums[cell]! += values[index]!
    counts[cell]! += 1
  }
  const count = counts.reduce((sum, each) => sum + each, 0)
  const overall = count === 0 ? 0 : sums.reduce((sum, each) => sum + each, 0) / count
  return Array.from(sums, (sum, cell) => (counts[cell] === 0 ? overall : sum / counts[cell]!))
}

/**
 * Returns the standard error of the forecast of an hour: the spread around the means by hour of the day (one for all
 * with few days), with the degrees of freedom of the means and the error of a mean of few values.
 */
function spreadsOf(
  { start, values }: HourlySeries,
  ordinary: readonly boolean[],
  means: readonly number[],
): number[] {
  const cells = means.length === 1 ? 1 : DAY_HOURS
  const residuals: number[][] = Array.from({ length: cells }, () => [])
  for (let index = 0; index < values.length; index++) {
    if (ordinary[index] === false) continue
    const hour = hourOfWeek(start + index * HOUR_MS)
    residuals[hour % cells]!.push(values[index]! - means[hour % means.length]!)
  }
  const meansEach = means.length / cells
  return residuals.map((around) => {
    const free = around.length - meansEach
    if (free <= 0) return 0
    const variance = around.reduce((sum, value) => sum + value * value, 0) / free
    return Math.sqrt(variance * (1 + meansEach / around.length))
  })
}

function learnPeaks(
  { start, values }: HourlySeries,
  calendar: BankCalendar,
  peakAt: (index: number) => readonly string[],
): LearnedPeak[] {
  const totals = new Map<string, number[]>()
  const ordinary: number[] = []
  const first = (DAY_HOURS - (hourOfWeek(start) % DAY_HOURS)) % DAY_HOURS
  for (let index = first; index + DAY_HOURS <= values.length; index += DAY_HOURS) {
    const total = values.slice(index, index + DAY_HOURS).reduce((sum, value) => sum + value, 0)
    const names = peakAt(index)
    if (names.length === 0) ordinary.push(total)
    for (const name of names) totals.set(name, [...(totals.get(name) ?? []), total])
  }
  const usual = moments(ordinary)
  return calendar.peaks.flatMap(({ name }) => {
    const seen = moments(totals.get(name) ?? [])
    if (seen.count < ENOUGH_PEAKS || usual.count < ENOUGH_DAYS) return []
    const scatter = Math.max(0, seen.sd * seen.sd - usual.sd * usual.sd)
    return [{ name, extra: { mean: seen.mean - usual.mean, sd: Math.sqrt(scatter) }, days: seen.count }]
  })
}
