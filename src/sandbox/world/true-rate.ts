import { invariant } from '../../base/result.ts'
import { drawNormal, seededRandom } from '../../base/random.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import type { TrueRateParams } from './scenario.ts'

/**
 * The market's own rate, in bps of the logarithm against the opening mid: what the venue's mid would be
 * if it were published without delay. A random walk on an hourly grid, straight in between.
 */
export type TrueRate = {
  at(time: Ms): number
  /** What the central bank prints on this day: the mean over the working day before. */
  printOf(day: number): number
}

/**
 * Promises `printOf(openingDay) === 0`. The mean of a walk over a day has returns with 2/3 of the walk's
 * variance and an autocorrelation near 0.23 (Working 1960), which is what the published series shows.
 */
export function createTrueRate(
  params: TrueRateParams,
  seed: number,
  start: Ms,
  openingDay: number,
): TrueRate {
  const random = seededRandom(seed, 'true-rate')
  const origin = workingDayBefore(openingDay) * DAY_MS
  const jumpHour = params.jump === null ? -1 : Math.ceil((start + params.jump.afterMs - origin) / HOUR_MS)
  const grid: number[] = [0]
  const valueAt = (hour: number): number => {
    while (grid.length <= hour) {
      const time = origin + (grid.length - 1) * HOUR_MS
      const moves = params.movesOnWeekends || isWorkingDay(dayOf(time))
      const step = params.driftPerDayBps / 24 + (params.sdPerDayBps / Math.sqrt(24)) * drawNormal(random)
      const jump = grid.length === jumpHour ? (params.jump?.bps ?? 0) : 0
      grid.push((grid[grid.length - 1] ?? 0) + (moves ? step : 0) + jump)
    }
    return grid[hour] ?? 0
  }
  const meanOver = (day: number): number => {
    const first = (day * DAY_MS - origin) / HOUR_MS
    let sum = 0
    for (let hour = first; hour < first + 24; hour++) sum += valueAt(hour)
    return sum / 24
  }
  const opening = meanOver(workingDayBefore(openingDay))
  return {
    at(time) {
      const hours = (time - origin) / HOUR_MS
      invariant(hours >= 0, 'the true rate is not known before the day of the opening print')
      const hour = Math.floor(hours)
      const before = valueAt(hour)
      return before + (valueAt(hour + 1) - before) * (hours - hour) - opening
    },
    printOf: (day) => meanOver(workingDayBefore(day)) - opening,
  }
}

/** Days since the epoch, UTC. */
export function dayOf(time: Ms): number {
  return Math.floor(time / DAY_MS)
}

/** 0 = Sunday. The epoch was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** Monday to Friday; the simulated market has no holidays. */
export function isWorkingDay(day: number): boolean {
  const weekday = weekdayOf(day)
  return weekday >= 1 && weekday <= 5
}

export function workingDayBefore(day: number): number {
  let before = day - 1
  while (!isWorkingDay(before)) before--
  return before
}
