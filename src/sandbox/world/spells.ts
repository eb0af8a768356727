import { drawExponential, seededRandom } from '../../base/random.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import { dayOf, weekdayOf } from './calendar.ts'
import { drawArrival } from './draws.ts'
import { publishedFrom } from './publication.ts'
import type { SpellParams } from './scenario.ts'
import type { Source } from './world.ts'

/** Spells in which the venue's API does not answer; they do not overlap. */
export function createOutages(params: SpellParams, seed: number, start: Ms): Source {
  const random = seededRandom(seed, 'outages')
  let at = drawArrival(random, start, params.perDay)
  return {
    peekAt: () => at,
    next() {
      const untilMs = at + Math.max(1, Math.ceil(drawExponential(random, params.meanMs)))
      const step = { at, type: 'outage' as const, untilMs }
      at = drawArrival(random, untilMs, params.perDay)
      return step
    },
  }
}

const FROM_MS: Ms = 20 * HOUR_MS

/** On Sunday evening the venue gives up on Friday's figure, until about Monday's print. */
export function createNotQuotable(onSundays: boolean, start: Ms): Source {
  let at = onSundays ? firstSundayEvening(start) : Infinity
  return {
    peekAt: () => at,
    next() {
      const step = { at, type: 'notQuotable' as const, untilMs: publishedFrom(dayOf(at) + 1) }
      at += 7 * DAY_MS
      return step
    },
  }
}

function firstSundayEvening(start: Ms): Ms {
  let day = dayOf(start)
  while (weekdayOf(day) !== 0 || day * DAY_MS + FROM_MS < start) day++
  return day * DAY_MS + FROM_MS
}
