import { invariant } from '../../base/invariant.ts'
import { HOUR_MS, type Ms } from '../../base/time.ts'
import { createCompetitor } from './competitor.ts'
import {
  createPublication,
  OPENING_TZS,
  openingDayOf,
  printedRate,
  publishedFrom,
  rateFromBps,
} from './publication.ts'
import type { ScenarioName } from './scenario.ts'
import { SCENARIO_PARAMS } from './scenarios.ts'
import { createNotQuotable, createOutages } from './spells.ts'
import { createInformedTakers, createRetailTakers } from './takers.ts'
import { createTrueRate } from './true-rate.ts'
import type { Source, World } from './world.ts'

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
