/** Everything that a strategy file may import, as '#kit'. */
export { z } from 'zod'
export { defineStrategy } from './define-strategy.ts'
export { isTimeZone, localTime } from './local-time.ts'
export { addTerm, switchOff } from './quote-terms.ts'
export { bestReply, undercutWorth } from '../models/competition/best-reply.ts'
export { createRivalWatch, type RivalWatch, watchRivals } from '../models/competition/rival-watch.ts'
export {
  likelyRouting,
  emptyRoutingEvidence,
  observeFills,
  type RoutingEvidence,
} from '../models/competition/routing-evidence.ts'
export { bestQuote, quadraticClosure } from '../models/dealer/logistic-hits.ts'
export { dayProfile, ema, readDayProfile, realisedVolatility, zScore } from '../models/indicators.ts'
export type { DayProfile, Ema, RealisedVolatility, ZScore } from '../models/indicators.ts'
export { type SegmentKind, takerMix, type TakerShare } from '../models/flow/taker-segments.ts'
export { glftRule, glftSpreads } from '../models/glft.ts'
export { type PoolQuote, poolQuote, poolTerms } from '../models/policy/pool-quote.ts'
export { independentLooks } from '../models/policy/distance-table.ts'
export type { PoolMarket } from '../models/policy/pool-policy.ts'
export {
  FEWEST_FILLS,
  type LearnedTakers,
  learnedTakers,
  priorTakers,
  weighedTakers,
} from '../models/calibration.ts'
export { avellanedaStoikovQuotes } from '../models/quotes/avellaneda-stoikov.ts'
export type { LocalTime } from './local-time.ts'
export type { TargetOrder } from '../rfq/build-order.ts'
export type { StrategyDefinition, StrategyQuote, QuoteTerm, Plot, InnerChoice } from './define-strategy.ts'
export type {
  StrategyContext,
  Cause,
  RecentFill,
  CompetitionOnSide,
  FairShift,
  RawFeed,
  Available,
  SideMarkouts,
} from './context.ts'
