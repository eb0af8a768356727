import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { type DistanceTable, distanceTable, type PoolTakers } from './distance-table.ts'
import { type PoolMarket, type PoolValue, poolValue } from './pool-policy.ts'
import {
  bestPoolPrice,
  createPoolPrices,
  poolPrices,
  type PoolRival,
  type PoolSide,
  type Stake,
} from './pool-prices.ts'
import { OFF } from './side-prices.ts'

/** The inputs that change from quote to quote. */
type PoolMoment = {
  /** Dollars beyond the target, in lots; need not be whole. */
  readonly q: number
  /** Estimated fair value less the mid, and its error, bps. */
  readonly gapBps: number
  readonly tauBps: number
  /** The current best spreads of the other providers; null = no provider. */
  readonly rivals: { readonly askBps: number | null; readonly bidBps: number | null }
}

/**
 * A spread and its components, bps. The components sum to the spread that the side would have if it were on; it is off (`bps`
 * null) if no allowed spread pays.
 */
type PoolSpread = {
  readonly bps: number | null
  readonly halfSpread: number
  readonly inventory: number
  readonly fairValue: number
  readonly informedTakers: number
  readonly rivals: number
}

export type PoolQuote = {
  readonly ask: PoolSpread
  readonly bid: PoolSpread
  /** The method behind the pool's values: the closed form if the programme does not converge. */
  readonly method: PoolValue['method']
}

/** A side with less than this share of a lot is off. */
const LEAST_STOCK_LOTS = 0.2
const scratch = createPoolPrices()

/**
 * Returns the current best spreads. The pool's values come from the programme over `market`; one step of policy improvement
 * adds the current gap, error and rivals. Programmes and tables are cached, so a quote costs one search over the allowed
 * spreads; callers should therefore round their inputs.
 */
export function poolQuote(market: PoolMarket, moment: PoolMoment): PoolQuote {
  const key = JSON.stringify(market)
  if (last !== null && last.key === key && isSame(last.moment, moment)) return last.quote
  const quote = solved(market, key, moment)
  last = { key, moment, quote }
  return quote
}

/** The last quote: a core asks again after each confirmation, often with equal inputs. */
let last: { readonly key: string; readonly moment: PoolMoment; readonly quote: PoolQuote } | null = null

function isSame(one: PoolMoment, other: PoolMoment): boolean {
  return (
    one.q === other.q &&
    one.gapBps === other.gapBps &&
    one.tauBps === other.tauBps &&
    one.rivals.askBps === other.rivals.askBps &&
    one.rivals.bidBps === other.rivals.bidBps
  )
}

function solved(market: PoolMarket, key: string, moment: PoolMoment): PoolQuote {
  const { values, method } = kept(valuesKept, MOST_VALUES, key, () =>
    poolValue(market, undefined, keptTable(market.takers, market.tauBps)),
  )
  const table = keptTable(market.takers, moment.tauBps)
  const { limitLots: limit, askLotsPerDay, bidLotsPerDay, rivals } = market
  const q = Math.min(limit, Math.max(-limit, moment.q))
  const at = (lots: number) => valueAt(values, Math.min(limit, Math.max(-limit, lots)) + limit)
  const here = at(q)
  const side = (sign: 1 | -1, lotsPerDay: number, rivalBps: number | null) =>
    spreadOf(
      market.takers,
      table,
      { lotsPerDay, shiftBps: sign * moment.gapBps },
      { bps: rivalBps, toleranceBps: rivals.toleranceBps },
      { step: at(q + sign) - here, stockLots: limit - sign * q, emptied: at(sign * limit) - here },
    )
  return {
    ask: side(1, askLotsPerDay, moment.rivals.askBps),
    bid: side(-1, bidLotsPerDay, moment.rivals.bidBps),
    method,
  }
}

function spreadOf(
  takers: PoolTakers,
  table: DistanceTable,
  side: PoolSide,
  rival: PoolRival,
  stake: Stake,
): PoolSpread {
  const prices = poolPrices(side, takers, table, scratch)
  const alone = bestPoolPrice(prices, { ...rival, bps: null }, stake)
  const place = rival.bps === null ? alone : bestPoolPrice(prices, rival, stake)
  // Only customers who all know the fair value: the closed form of the same side.
  const halfSpread = 1 / takers.k
  const inventory = -stake.step
  const fairValue = -side.shiftBps
  const free = halfSpread + inventory + fairValue
  const wary = alone === OFF ? clamp(free) : MIN_SPREAD_BPS + alone
  const bps = place === OFF || stake.stockLots < LEAST_STOCK_LOTS ? null : MIN_SPREAD_BPS + place
  return {
    bps,
    halfSpread,
    inventory,
    fairValue,
    informedTakers: wary - free,
    rivals: bps === null ? 0 : bps - wary,
  }
}

/** Returns the parts of a quote under the names that traders use; on each side they sum to the quote. */
export function poolTerms({ bid, ask }: Pick<PoolQuote, 'bid' | 'ask'>): {
  readonly name: string
  readonly bidBps: number
  readonly askBps: number
}[] {
  return [
    { name: 'half-spread', bidBps: bid.halfSpread, askBps: ask.halfSpread },
    { name: 'inventory', bidBps: bid.inventory, askBps: ask.inventory },
    { name: 'fair value', bidBps: bid.fairValue, askBps: ask.fairValue },
    { name: 'informed takers', bidBps: bid.informedTakers, askBps: ask.informedTakers },
    { name: 'rivals', bidBps: bid.rivals, askBps: ask.rivals },
  ]
}

function clamp(bps: number): number {
  return Math.min(MAX_SPREAD_BPS, Math.max(MIN_SPREAD_BPS, bps))
}

/** Interpolates linearly between two whole inventories. */
function valueAt(values: Float64Array, place: number): number {
  const below = Math.min(values.length - 2, Math.floor(place))
  return values[below]! + (place - below) * (values[below + 1]! - values[below]!)
}

/** Number of solved markets that are kept, the oldest removed first; a pool meets some hundreds in three months. */
const MOST_VALUES = 1_024
/** Number of tables that are kept, of 60 KB each; the error of an estimate has a few dozen different values. */
const MOST_TABLES = 128
const valuesKept = new Map<string, PoolValue>()
const tablesKept = new Map<string, DistanceTable>()

function keptTable(takers: PoolTakers, tauBps: number): DistanceTable {
  return kept(tablesKept, MOST_TABLES, JSON.stringify([takers, tauBps]), () => distanceTable(takers, tauBps))
}

function kept<Value>(store: Map<string, Value>, most: number, key: string, compute: () => Value): Value {
  const before = store.get(key)
  if (before !== undefined) return before
  if (store.size >= most) store.delete(store.keys().next().value ?? key)
  const value = compute()
  store.set(key, value)
  return value
}
