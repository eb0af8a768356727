import { routedShare } from '../../market/routing.ts'
import { MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import type { DistanceTable, PoolTakers } from './distance-table.ts'
import { OFF, PRICES } from './side-prices.ts'

/** One side of a pool at one time. */
export type PoolSide = {
  /** Lots per day from customers at zero distance from the fair value. */
  readonly lotsPerDay: number
  /** From our spread to its distance from the estimated fair value, bps: the estimated gap on the ask, less it on the bid. */
  readonly shiftBps: number
}

/**
 * The other providers on a side: their best spread (null = no provider), and the distance within which the router picks
 * round-robin.
 */
export type PoolRival = { readonly bps: number | null; readonly toleranceBps: number }

/**
 * By allowed spread, lowest first: lots per day that customers would trade with us as sole provider, their income in bps * lot
 * per day, takes per day, and their cost per day in bps of the amount taken.
 */
export type PoolPrices = {
  readonly rates: Float64Array
  readonly incomes: Float64Array
  readonly takes: Float64Array
  readonly costs: Float64Array
}

export function createPoolPrices(): PoolPrices {
  return {
    rates: new Float64Array(PRICES),
    incomes: new Float64Array(PRICES),
    takes: new Float64Array(PRICES),
    costs: new Float64Array(PRICES),
  }
}

/** Fills `prices`, which the caller may use again, and returns it. The shift counts in whole bps, as the table's distances do. */
export function poolPrices(
  side: PoolSide,
  takers: PoolTakers,
  table: DistanceTable,
  prices: PoolPrices,
): PoolPrices {
  const { midShare, informed } = takers
  const lots = side.lotsPerDay
  const { fromBps, accepted, earned, hits, losses, acceptedFromMid } = table
  const { rates, incomes, takes, costs } = prices
  const first = MIN_SPREAD_BPS + Math.round(side.shiftBps) - fromBps
  const last = accepted.length - 1
  for (let i = 0; i < PRICES; i++) {
    const at = Math.min(last, Math.max(0, first + i))
    const measuring = midShare * acceptedFromMid[i]!
    rates[i] = lots * ((1 - midShare) * accepted[at]! + measuring)
    incomes[i] = lots * ((1 - midShare) * earned[at]! + measuring * (fromBps + at))
    takes[i] = informed.perDay * hits[at]!
    costs[i] = informed.perDay * losses[at]!
  }
  return prices
}

/** The effect of a trade on the value: after one more lot on this side, and after all its lots are gone. */
export type Stake = { readonly step: number; readonly stockLots: number; readonly emptied: number }

/** Lots a day below which the rate counts as zero. */
const LEAST_RATE = 1e-9

/** Our share at a spread, by its place. */
export function shareAt(place: number, { bps, toleranceBps }: PoolRival): number {
  return routedShare(MIN_SPREAD_BPS + place, bps, toleranceBps)
}

/**
 * Returns the place of the best spread of a side, the lowest of equals, or OFF if no allowed spread pays. Informed takers trade
 * with every provider whose spread pays them, so rivals take customers from us but not informed takers. `shares` by allowed spread
 * count instead of the rival, if given. `bounds` of these prices save time where many stakes are compared, and change nothing.
 */
export function bestPoolPrice(
  { rates, incomes, takes, costs }: PoolPrices,
  rival: PoolRival,
  stake: Stake,
  shares: Float64Array | null = null,
  bounds: PriceBounds | null = null,
): number {
  const { bps, toleranceBps } = rival
  const { step, stockLots, emptied } = stake
  // As `routedShare`: all takers below the rival's tolerance, half of them within it.
  const alone = bps === null ? PRICES : Math.ceil(bps - toleranceBps) - MIN_SPREAD_BPS
  const last =
    bps === null || shares !== null
      ? Infinity
      : Math.min(Math.floor(bps) + toleranceBps, Math.floor(bps + toleranceBps))
  const count = Math.min(PRICES, last - MIN_SPREAD_BPS + 1)
  let best = OFF
  let most = 0
  let enough = -Infinity
  if (bounds !== null) {
    const i = bounds.likely
    const share = i < alone ? 1 : 0.5
    const rate = i < count ? share * rates[i]! : 0
    const value = share * incomes[i]! + rate * step - stockLots * costs[i]! + takes[i]! * emptied
    enough = Math.max(0, rate > LEAST_RATE ? value : 0) - ROUNDING * sizeOf(bounds, stake)
  }
  const [rateAt, takeAt] = [step > 0 ? 1 : 2, emptied > 0 ? 4 : 5]
  for (let first = 0, at = 0; first < count; first += BLOCK, at += FIGURES) {
    const end = Math.min(count, first + BLOCK)
    if (bounds !== null) {
      const { blocks } = bounds
      const traded = blocks[at]! + blocks[at + rateAt]! * step
      const share = (traded > 0 ? first : end - 1) < alone ? 1 : 0.5
      // No spread of the block is worth more, but for rounding.
      if (share * traded - stockLots * blocks[at + 3]! + blocks[at + takeAt]! * emptied < enough) continue
    }
    for (let i = first; i < end; i++) {
      const share = shares === null ? (i < alone ? 1 : 0.5) : shares[i]!
      const rate = share * rates[i]!
      const value = share * incomes[i]! + rate * step - stockLots * costs[i]! + takes[i]! * emptied
      if (value > most && rate > LEAST_RATE) {
        best = i
        most = value
      }
    }
  }
  if (bounds !== null && best !== OFF) bounds.likely = best
  return best
}

/** The extremes of one side's prices, by block of neighbouring spreads and of all. */
export type PriceBounds = {
  /** The most income, most and least rate, least cost, most and least takes of each block. */
  readonly blocks: Float64Array
  /** The largest size of each figure: income, rate, cost, takes. */
  readonly sizes: readonly [number, number, number, number]
  /** Where the best spread was at the last stake. */
  likely: number
}

const BLOCK = 8
const FIGURES = 6
/** A share of the sizes of the terms that is more than the rounding of their sum. */
const ROUNDING = 1e-12

/** Returns the bounds for many searches of the same prices. */
export function priceBounds({ rates, incomes, takes, costs }: PoolPrices): PriceBounds {
  const blocks = new Float64Array(Math.ceil(PRICES / BLOCK) * FIGURES)
  let [size, sizeOfRate, sizeOfCost, sizeOfTake] = [0, 0, 0, 0]
  for (let first = 0, at = 0; first < PRICES; first += BLOCK, at += FIGURES) {
    let [income, cost] = [-Infinity, Infinity]
    let [mostRate, leastRate, mostTake, leastTake] = [0, Infinity, 0, Infinity]
    for (let i = first; i < Math.min(PRICES, first + BLOCK); i++) {
      income = Math.max(income, incomes[i]!)
      cost = Math.min(cost, costs[i]!)
      mostRate = Math.max(mostRate, rates[i]!)
      leastRate = Math.min(leastRate, rates[i]!)
      mostTake = Math.max(mostTake, takes[i]!)
      leastTake = Math.min(leastTake, takes[i]!)
      size = Math.max(size, Math.abs(incomes[i]!))
      sizeOfCost = Math.max(sizeOfCost, Math.abs(costs[i]!))
    }
    blocks.set([income, mostRate, leastRate, cost, mostTake, leastTake], at)
    sizeOfRate = Math.max(sizeOfRate, mostRate)
    sizeOfTake = Math.max(sizeOfTake, mostTake)
  }
  return { blocks, sizes: [size, sizeOfRate, sizeOfCost, sizeOfTake], likely: 0 }
}

function sizeOf({ sizes }: PriceBounds, { step, stockLots, emptied }: Stake): number {
  return sizes[0] + sizes[1] * Math.abs(step) + sizes[2] * stockLots + sizes[3] * Math.abs(emptied)
}
