import { DAY_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import type { RateEvent } from '../../core/engine/model/event.ts'
import { traitOf, type Trait } from './trait.ts'

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
/** Two months of working days. */
export const MOST_PUBLICATIONS = 60
/** Publications this close together count as the same time of day. */
const SAME_MS = 30 * MINUTE_MS
/** Fewer do not show when the venue usually publishes. */
const LEAST_PUBLICATIONS = 3
/** Two weeks of working days show the days of the week. */
const LEAST_FOR_DAYS = 10

/** When the venue publishes a mid. */
export function createPublicationEvidence() {
  const published: Ms[] = []
  let last: Ms | null = null
  return {
    add({ rateUpdatedAt }: RateEvent): void {
      if (rateUpdatedAt === null || rateUpdatedAt === last) return
      // The first publication is skipped: its time may be days old.
      if (last !== null) published.push(rateUpdatedAt)
      if (published.length > MOST_PUBLICATIONS) published.shift()
      last = rateUpdatedAt
    },
    /** The latest publications, oldest first. */
    times: (): readonly Ms[] => published,
    trait(): Trait {
      const middle = middleOf(published)
      return traitOf('publication', timesText(published), {
        observed: published.length,
        exceptions: published.filter((t) => distance(minuteOf(t), middle) * MINUTE_MS > SAME_MS).length,
        examples: published.slice(-3).map((t) => weekClockText(t)),
      })
    },
  }
}

/** `09:02 UTC (08:58 to 09:07), Mon Tue Wed`: the middle, first and last time of day, and the days; null without one. */
export function timesText(published: readonly Ms[]): string | null {
  if (published.length === 0) return null
  const minutes = published.map((t) => minuteOf(t)).toSorted((a, b) => a - b)
  const [first = 0, last = 0] = [minutes[0], minutes.at(-1)]
  const days = WEEKDAYS.filter((_, day) => published.some((t) => dayOf(t) === day))
  return `${timeText(middleOf(published))} UTC (${timeText(first)} to ${timeText(last)}), ${days.join(' ')}`
}

/** Returns the publications at a time of day or on a weekday that no known publication has. */
export function unusual(known: readonly Ms[], published: readonly Ms[]): readonly Ms[] {
  if (known.length < LEAST_PUBLICATIONS) return []
  return published
    .filter((t) => !known.includes(t))
    .filter(
      (t) =>
        known.every((one) => distance(minuteOf(one), minuteOf(t)) * MINUTE_MS > SAME_MS) ||
        (known.length >= LEAST_FOR_DAYS && known.every((one) => dayOf(one) !== dayOf(t))),
    )
}

/** `Mon 14:00 UTC` */
export function weekClockText(t: Ms): string {
  return `${WEEKDAYS[dayOf(t)]} ${timeText(minuteOf(t))} UTC`
}

function middleOf(published: readonly Ms[]): number {
  const minutes = published.map((t) => minuteOf(t)).toSorted((a, b) => a - b)
  return minutes[Math.floor(minutes.length / 2)] ?? 0
}

/** Wraps around midnight. */
function distance(one: number, other: number): number {
  const apart = Math.abs(one - other)
  return Math.min(apart, DAY_MS / MINUTE_MS - apart)
}

function minuteOf(t: Ms): number {
  return Math.floor((t % DAY_MS) / MINUTE_MS)
}

/** 0 = Sunday; the epoch began on a Thursday. */
function dayOf(t: Ms): number {
  return (Math.floor(t / DAY_MS) + 4) % 7
}

function timeText(minute: number): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
