import { invariant } from '../../base/result.ts'
import { DAY_MS, HOUR_MS, type Ms } from '../../base/time.ts'
import { createCompetitor } from './competitor.ts'
import {
  createPublication,
  OPENING_TZS,
  openingDayOf,
  printedRate,
  publishedFrom,
  rateFromBps,
} from './publication.ts'
import type { ScenarioName, SpellParams } from './scenario.ts'
import { SCENARIO_PARAMS } from './scenarios.ts'
import { createInformedTakers, createRetailTakers } from './takers.ts'
import { createTrueRate, dayOf, weekdayOf } from './true-rate.ts'
import type { Source, World } from './world.ts'
import { drawExponential, seededRandom } from '../../base/random.ts'
import { drawArrival } from './draws.ts'

type Opening = { readonly scenario: ScenarioName; readonly seed: number; readonly start: Ms }

const FRESH_MS = 6 * HOUR_MS

/**
 * The simulated market from `start` on (ms since the epoch, UTC). Equal arguments give equal steps; each
 * source draws from its own stream, so a change to one leaves the others as they were.
 */
export function createWorld({ scenario, seed, start }: Opening): World {
  const params = SCENARIO_PARAMS[scenario]
  const openingDay = openingDayOf(start)
  const published = publishedFrom(openingDay)
  const trueRate = createTrueRate(params.trueRate, seed, start, openingDay)
  const competitors = params.competitors.map((one) => createCompetitor(one, seed, start))
  const source = mergeSources([
    createPublication(params.publication, trueRate, seed, start),
    createOutages(params.outages, seed, start),
    createNotQuotable(params.notQuotableOnSundays, start),
    ...competitors.map((one) => one.source),
    createRetailTakers(params.takers, 'bid', seed, start),
    createRetailTakers(params.takers, 'ask', seed, start),
    createInformedTakers(params.informed, trueRate, seed, start),
  ])
  return {
    openingMid: printedRate(OPENING_TZS),
    openingPrintedAt: params.opensOnTheCalendar ? published : Math.max(published, start - FRESH_MS),
    competitors: competitors.map((one) => one.opening),
    marketRateAt: (at) => printedRate(rateFromBps(trueRate.at(at))),
    peekAt: () => source.peekAt(),
    next: (seenMid) => source.next(seenMid),
  }
}

/** All sources as one, in order of time; equal times in the order of the list. */
function mergeSources(sources: readonly Source[]): Source {
  const earliest = (): Source => {
    let first = sources[0]
    invariant(first !== undefined, 'a world has at least one source')
    for (const source of sources) if (source.peekAt() < first.peekAt()) first = source
    return first
  }
  return {
    peekAt: () => earliest().peekAt(),
    next: (seenMid) => earliest().next(seenMid),
  }
}

/** Spells in which the venue's API does not answer; they do not overlap. */
function createOutages(params: SpellParams, seed: number, start: Ms): Source {
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
function createNotQuotable(onSundays: boolean, start: Ms): Source {
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
