import { MAX_SPREAD_BPS, MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { Side } from '../../../base/money/side.ts'
import { type DistanceTable, distanceTable, type PoolTakers } from './distance-table.ts'
import { type PoolMarket, type PoolValue, poolValue } from './pool-policy.ts'
import { bestPoolPrice, createPoolPrices, poolPrices } from './pool-prices.ts'
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
  /** By side and allowed spread our share of the takers; null = as the rivals and the tolerance say, as by default. */
  readonly shares?: Readonly<Record<Side, Float64Array | null>>
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

/** A market that was solved. */
type Pool = { readonly takersKey: string; readonly value: PoolValue }

/** The last quote: a core asks again after each confirmation, often with equal inputs or with one new rival. */
let last: {
  readonly pool: Pool
  readonly moment: PoolMoment
  readonly table: DistanceTable
  readonly quote: PoolQuote
} | null = null

/**
 * Returns the current best spreads. The pool's values come from the programme over `market`; one step of policy improvement
 * adds the current gap, error and rivals. Programmes and tables are cached, so a quote costs one search over the allowed
 * spreads; callers should therefore round their inputs.
 */
export function poolQuote(market: PoolMarket, moment: PoolMoment): PoolQuote {
  const pool = poolOf(market)
  const before = last !== null && last.pool === pool && isSameEstimate(last.moment, moment) ? last : null
  const table = before?.table ?? keptTable(market.takers, pool.takersKey, moment.tauBps)
  const side = (sign: 1 | -1) => spreadOf(market, pool.value, table, moment, sign)
  const kept = (one: Side) =>
    before !== null && isSameSide(before.moment, moment, one) ? before.quote[one] : null
  const quote = {
    ask: kept('ask') ?? side(1),
    bid: kept('bid') ?? side(-1),
    method: pool.value.method,
  }
  last = { pool, moment, table, quote }
  return quote
}

function isSameEstimate(one: PoolMoment, other: PoolMoment): boolean {
  return one.q === other.q && one.gapBps === other.gapBps && one.tauBps === other.tauBps
}

function isSameSide(one: PoolMoment, other: PoolMoment, side: Side): boolean {
  const sharesOf = ({ shares }: PoolMoment) => shares?.[side] ?? null
  return one.rivals[`${side}Bps`] === other.rivals[`${side}Bps`] && sharesOf(one) === sharesOf(other)
}

function poolOf(market: PoolMarket): Pool {
  const key = JSON.stringify(market)
  return kept(poolsKept, MOST_POOLS, key, () => {
    const takersKey = JSON.stringify(market.takers)
    const value = poolValue(market, undefined, keptTable(market.takers, takersKey, market.tauBps))
    return { takersKey, value }
  })
}

function spreadOf(
  market: PoolMarket,
  { values }: PoolValue,
  table: DistanceTable,
  { q: lots, gapBps, rivals: { askBps, bidBps }, shares }: PoolMoment,
  sign: 1 | -1,
): PoolSpread {
  const { takers, limitLots: limit, askLotsPerDay, bidLotsPerDay, rivals } = market
  const q = Math.min(limit, Math.max(-limit, lots))
  const at = (held: number) => valueAt(values, Math.min(limit, Math.max(-limit, held)) + limit)
  const here = at(q)
  const stake = { step: at(q + sign) - here, stockLots: limit - sign * q, emptied: at(sign * limit) - here }
  const side = { lotsPerDay: sign === 1 ? askLotsPerDay : bidLotsPerDay, shiftBps: sign * gapBps }
  const rival = { bps: sign === 1 ? askBps : bidBps, toleranceBps: rivals.toleranceBps }
  const prices = poolPrices(side, takers, table, scratch)
  const alone = bestPoolPrice(prices, { ...rival, bps: null }, stake)
  const known = shares?.[sign === 1 ? 'ask' : 'bid'] ?? null
  const place = rival.bps === null ? alone : bestPoolPrice(prices, rival, stake, known)
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
const MOST_POOLS = 1_024
/** Number of tables that are kept, of 60 KB each; the error of an estimate has a few dozen different values. */
const MOST_TABLES = 128
const poolsKept = new Map<string, Pool>()
const tablesKept = new Map<string, DistanceTable>()

function keptTable(takers: PoolTakers, takersKey: string, tauBps: number): DistanceTable {
  return kept(tablesKept, MOST_TABLES, `${takersKey} ${tauBps}`, () => distanceTable(takers, tauBps))
}

function kept<Value>(store: Map<string, Value>, most: number, key: string, compute: () => Value): Value {
  const before = store.get(key)
  if (before !== undefined) return before
  if (store.size >= most) store.delete(store.keys().next().value ?? key)
  const value = compute()
  store.set(key, value)
  return value
}
