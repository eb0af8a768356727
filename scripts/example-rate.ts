import { invariant } from '../src/base/result.ts'
import { drawNormal, seededRandom } from '../src/base/random.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../src/base/time.ts'

/** A walk with this sd a day prints means whose returns have a sd of 17.4 bps. */
const SD_PER_DAY_BPS = 17.4 / Math.sqrt(2 / 3)
/** 10:00 in Dar es Salaam. */
const PUBLISHED_AT_MS: Ms = 7 * HOUR_MS

/** The market's own rate, in bps of the logarithm against the opening mid: a random walk on an hourly grid, straight in between. */
export type ExampleRate = {
  at(time: Ms): number
  /** What is printed on this day: the mean over the working day before. */
  printOf(day: number): number
  /** The working day whose print stands at the start. */
  readonly openingDay: number
}

/** Promises that the print of the opening day is 0. */
export function createExampleRate(seed: number, start: Ms): ExampleRate {
  const random = seededRandom(seed, 'true-rate')
  const openingDay = openingDayOf(start)
  const origin = workingDayBefore(openingDay) * DAY_MS
  const grid: number[] = [0]
  const valueAt = (hour: number): number => {
    while (grid.length <= hour) {
      const moves = isWorkingDay(Math.floor((origin + (grid.length - 1) * HOUR_MS) / DAY_MS))
      const step = (SD_PER_DAY_BPS / Math.sqrt(24)) * drawNormal(random)
      grid.push((grid[grid.length - 1] ?? 0) + (moves ? step : 0))
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
    openingDay,
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

/** Monday to Friday; the epoch was a Thursday. */
export function isWorkingDay(day: number): boolean {
  return (day + 3) % 7 < 5
}

/** The earliest moment of a day's print. */
export function publishedFrom(day: number): Ms {
  return day * DAY_MS + PUBLISHED_AT_MS
}

function openingDayOf(start: Ms): number {
  const today = Math.floor(start / DAY_MS)
  return isWorkingDay(today) && start >= publishedFrom(today) ? today : workingDayBefore(today)
}

function workingDayBefore(day: number): number {
  let before = day - 1
  while (!isWorkingDay(before)) before--
  return before
}
