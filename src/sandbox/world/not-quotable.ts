import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import { publishedFrom } from './publication.ts'
import type { Source } from './source.ts'
import { dayOf, weekdayOf } from './day-of.ts'

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
