import { DAY_MS, MINUTE_MS, type Ms } from '../base/time.ts'
import type { BestQuoteEvent, RateEvent } from '../engine/model/event.ts'
import { traitOf, type Trait } from './trait.ts'

/** When the venue publishes a mid. */
export type PublicationEvidence = {
  readonly add: (event: RateEvent) => void
  readonly trait: () => Trait
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MOST_KEPT = 10_000

export function createPublicationEvidence(): PublicationEvidence {
  const published: Ms[] = []
  let last: Ms | null = null
  return {
    add({ rateUpdatedAt }) {
      if (rateUpdatedAt === null || rateUpdatedAt === last) return
      // The first one may have stood for days.
      if (last !== null && published.length < MOST_KEPT) published.push(rateUpdatedAt)
      last = rateUpdatedAt
    },
    trait: () =>
      traitOf('publication', published.length === 0 ? null : timesOf(published), {
        observed: published.length,
        examples: published.slice(-3).map((t) => clockText(t)),
      }),
  }
}

/** `09:02 UTC (08:58 to 09:07), Mon Tue Wed`: the middle, first and last time of day, and the days. */
function timesOf(published: readonly Ms[]): string {
  const minutes = published.map((t) => minuteOf(t)).toSorted((a, b) => a - b)
  const middle = minutes[Math.floor(minutes.length / 2)] ?? 0
  const [first = 0, last = 0] = [minutes[0], minutes.at(-1)]
  const days = WEEKDAYS.filter((_, day) => published.some((t) => dayOf(t) === day))
  return `${timeText(middle)} UTC (${timeText(first)} to ${timeText(last)}), ${days.join(' ')}`
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

function clockText(t: Ms): string {
  return `${WEEKDAYS[dayOf(t)]} ${timeText(minuteOf(t))} UTC`
}

/** Within how many bps of the best the venue lets providers take turns. */
export type RotationEvidence = {
  /** `ourBps` = our confirmed spread on the probe's side, for so long already; null = none. */
  readonly add: (event: BestQuoteEvent, ourBps: number | null, standsForMs: Ms) => void
  readonly trait: () => Trait
  readonly learned: () => number | null
}

/** A quote that has just changed may not be the one that the router saw. */
const SETTLED_MS = 10_000
/** Wider picks mean that we could not fill, not that the venue is that tolerant. */
const WIDEST_BPS = 30
const LEAST_PICKS = 3

export function createRotationEvidence(): RotationEvidence {
  /** Picks of another provider by how much wider than ours it quotes. */
  const wider = new Map<number, number>()
  let picks = 0

  /** The widest that was picked often enough to be no accident. */
  function least(): number | null {
    const often = [...wider].filter(([, count]) => count >= LEAST_PICKS).map(([bps]) => bps)
    return often.length === 0 ? null : Math.max(...often)
  }

  return {
    add({ bestBps }, ourBps, standsForMs) {
      if (bestBps === null || ourBps === null || standsForMs < SETTLED_MS) return
      const off = bestBps - ourBps
      if (off < 0 || off > WIDEST_BPS) return
      picks += 1
      if (off > 0) wider.set(off, (wider.get(off) ?? 0) + 1)
    },
    learned: least,
    trait() {
      const bps = least()
      const value =
        bps === null ? null : `at least ${bps} bps: providers that much wider than ours are picked`
      const examples = [...wider]
        .toSorted(([a], [b]) => a - b)
        .map(([off, count]) => `${off} bps wider: ${count} times`)
      return traitOf('rotation-tolerance', value, { observed: picks, examples })
    },
  }
}
