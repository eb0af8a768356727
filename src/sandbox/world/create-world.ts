import { HOUR_MS, type Ms } from '../../base/time.ts'
import { createCompetitor } from './competitor.ts'
import { createInformedTakers } from './informed-takers.ts'
import { mergeSources } from './merge-sources.ts'
import { createNotQuotable } from './not-quotable.ts'
import { createOutages } from './outages.ts'
import { createPublication, openingDayOf, publishedFrom } from './publication.ts'
import { createRetailTakers } from './retail-takers.ts'
import type { ScenarioName } from './scenario-names.ts'
import { SCENARIO_PARAMS } from './scenarios.ts'
import { createTrueRate } from './true-rate.ts'
import type { World } from './world.ts'
import { OPENING_TZS, printedRate, rateFromBps } from './printed-rate.ts'

type Opening = { readonly scenario: ScenarioName; readonly seed: number; readonly start: Ms }

const FRESH_MS = 6 * HOUR_MS

/**
 * The pretend world from `start` on (ms since the epoch, UTC). Equal arguments give equal steps; each
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
