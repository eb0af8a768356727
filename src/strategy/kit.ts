/** All that a strategy file may import, as '#kit'. */
export { z } from 'zod'
export { defineStrategy } from './define-strategy.ts'
export { glftRule, glftSpreads } from '../models/glft.ts'
export { poolQuote } from '../models/policy/pool-quote.ts'
export { independentLooks } from '../models/policy/distance-table.ts'
export type { PoolMarket } from '../models/policy/pool-policy.ts'
export type { PoolSpread } from '../models/policy/pool-quote.ts'
export type { TargetOrder } from '../rfq/build-order.ts'
export type { StrategyDefinition, StrategyQuote, QuoteTerm, InnerChoice } from './define-strategy.ts'
export type {
  StrategyContext,
  Cause,
  RecentFill,
  CompetitionOnSide,
  FairShift,
  Promisable,
  SideMarkouts,
} from './context.ts'

/** Whether this is the name of a time zone, as `context.inWindow` takes it. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0
  } catch {
    return false
  }
}
