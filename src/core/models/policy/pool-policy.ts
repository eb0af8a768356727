import { type DistanceTable, distanceTable, type PoolTakers } from './distance-table.ts'
import { glftRule } from '../glft.ts'
import { solveDense } from './dense-solve.ts'
import {
  bestPoolPrice,
  priceBounds,
  createPoolPrices,
  type PoolPrices,
  poolPrices,
  type PoolRival,
  type PriceBounds,
  shareAt,
} from './pool-prices.ts'
import { OFF } from './side-prices.ts'

/**
 * A pool with two sides. Inventory q is dollars beyond the target in lots: at -Q no dollars are left to sell, at +Q no shillings
 * are left to buy dollars with.
 */
export type PoolMarket = {
  readonly takers: PoolTakers
  /** Lots per day from customers at zero distance from the fair value: those selling dollars, and those buying them. */
  readonly askLotsPerDay: number
  readonly bidLotsPerDay: number
  /** Q. */
  readonly limitLots: number
  /** Error of our estimate of the gap between fair value and mid, bps. */
  readonly tauBps: number
  /** Standard deviation of that estimate around 0, bps. */
  readonly estimateSdBps: number
  /** The usual spreads of the other providers; null = no other providers. */
  readonly rivals: {
    readonly askBps: number | null
    readonly bidBps: number | null
    readonly toleranceBps: number
  }
  /** Drift of the fair value. */
  readonly driftBpsPerDay: number
  /** gamma sigma^2, bps per lot and day: an inventory of q lots costs q^2 / 2 times it a day. */
  readonly riskPerDay: number
  /** Average number of times a day that both sides return to target while one holds less than a share of its target. */
  readonly restocking: {
    readonly perDay: number
    readonly belowShare: number
    /** Cost in bps of the amount moved. */
    readonly costBps: number
  }
}

export type PoolValue = {
  /** `values[q + Q]`: the value of inventory q relative to the target, bps * lot. */
  readonly values: Float64Array
  /** Mean reward in the long run, bps * lot per day; null = the closed form was used. */
  readonly rho: number | null
  readonly rounds: number
  readonly method: 'programme' | 'closed form'
}

/** Nodes and weights for a normal law: Gauss and Hermite, five points. */
const NODES = [
  [-2.8569700138728056, 0.011257411327720691],
  [-1.3556261799742659, 0.22207592200561266],
  [0, 0.5333333333333333],
  [1.3556261799742659, 0.22207592200561266],
  [2.8569700138728056, 0.011257411327720691],
] as const

/** Memory and time of the equations grow with its square and cube. */
const MOST_LOTS = 100
const MOST_ROUNDS = 60
const ENOUGH = 1e-9
/** Rate at which an absorbing state moves towards the target, so every policy has a unique mean. */
const STUCK_PER_DAY = 1e-9

/**
 * Returns the value of each inventory of a pool under the best spreads, by policy iteration. Customers move the inventory by one
 * lot. An informed taker empties a whole side at once, so the next look at the same gap finds nothing. The estimate of the gap
 * changes faster than the inventory, so one value serves all estimates, each with its own best spreads. The iteration ends when
 * a round brings no gain; if it does not converge, the closed form is used, and `method` names it. `table` depends on the
 * market's takers and error; a caller may cache it. Throws for a limit that is not 1 to 100 whole lots. Source: Howard 1960;
 * quant.md section 1.6; market.md section 4.5.
 */
export function poolValue(
  market: PoolMarket,
  mostRounds = MOST_ROUNDS,
  table: DistanceTable = distanceTable(market.takers, market.tauBps),
): PoolValue {
  const { limitLots, estimateSdBps } = market
  if (!Number.isInteger(limitLots) || limitLots < 1 || limitLots > MOST_LOTS)
    throw new RangeError(`limitLots ${limitLots}; expected a whole number from 1 to ${MOST_LOTS}`)
  const nodes = estimateSdBps > 0 ? NODES : ([[0, 1]] as const)
  const scenes = nodes.map(([z, weight], place) => sceneOf(market, table, z * estimateSdBps, weight, place))
  let solved = evaluate(market, scenes, new Float64Array(2 * limitLots + 1))
  for (let rounds = 2; rounds <= mostRounds; rounds++) {
    const next = evaluate(market, scenes, solved.values)
    const isEnd = next.rho <= solved.rho + ENOUGH * (1 + Math.abs(solved.rho))
    if (isEnd && Number.isFinite(next.rho)) return { ...next, rounds, method: 'programme' }
    solved = next
  }
  return { values: closedFormValues(market), rho: null, rounds: mostRounds, method: 'closed form' }
}

/** Lower bound, because the closed form divides by the takers per day and by gamma sigma^2. */
const LEAST = 1e-6

/**
 * Returns the inventory values of a pool without limits, informed takers, rivals, drift and restocking: quadratic in the
 * inventory, so each lot shifts both quotes equally. Source: Gueant 2017; quant.md section 1.3.
 */
function closedFormValues({
  takers,
  askLotsPerDay,
  bidLotsPerDay,
  limitLots,
  riskPerDay,
}: PoolMarket): Float64Array {
  const { skewBpsPerLot } = glftRule({
    a: Math.max(LEAST, Math.sqrt(askLotsPerDay * bidLotsPerDay)),
    k: takers.k,
    // Only their product, riskPerDay, matters.
    sigmaBps: 1,
    riskAversion: Math.max(LEAST, riskPerDay),
    objective: 'penalty',
  })
  return Float64Array.from(
    { length: 2 * limitLots + 1 },
    (_, i) => (-skewBpsPerLot * (i - limitLots) ** 2) / 2,
  )
}

/** The offers of both sides at one estimate, and its weight. */
type Scene = { readonly weight: number; readonly ask: Offer; readonly bid: Offer }
type Offer = { readonly prices: PoolPrices; readonly bounds: PriceBounds; readonly rival: PoolRival }

/** The prices of both sides at each node, reused by every market, because a new set takes 160 KB. */
const scratch = NODES.map(() => ({ ask: createPoolPrices(), bid: createPoolPrices() }))

function sceneOf(
  market: PoolMarket,
  table: DistanceTable,
  gapBps: number,
  weight: number,
  node: number,
): Scene {
  const { takers, rivals, askLotsPerDay, bidLotsPerDay } = market
  const { toleranceBps, askBps, bidBps } = rivals
  const offer = (into: PoolPrices, lotsPerDay: number, shiftBps: number, bps: number | null): Offer => {
    const prices = poolPrices({ lotsPerDay, shiftBps }, takers, table, into)
    return { prices, bounds: priceBounds(prices), rival: { bps, toleranceBps } }
  }
  const { ask, bid } = scratch[node]!
  return {
    weight,
    ask: offer(ask, askLotsPerDay, gapBps, askBps),
    bid: offer(bid, bidLotsPerDay, -gapBps, bidBps),
  }
}

type Equations = { readonly matrix: Float64Array; readonly rewards: Float64Array }

/** Returns the value of the policy that is optimal for the values `before`. */
function evaluate(
  market: PoolMarket,
  scenes: readonly Scene[],
  before: Float64Array,
): { readonly values: Float64Array; readonly rho: number } {
  const { limitLots: limit, driftBpsPerDay, riskPerDay, restocking } = market
  const states = before.length
  // rho + outflow V(i) - sum of rate V(j) = reward; V = 0 on target leaves its column to rho.
  const equations = { matrix: new Float64Array(states * states), rewards: new Float64Array(states) }
  for (let i = 0; i < states; i++) {
    const q = i - limit
    equations.rewards[i] = driftBpsPerDay * q - (riskPerDay * q * q) / 2
    for (const { weight, ask, bid } of scenes) {
      if (i < states - 1) trade(equations, ask, weight, before, { from: i, next: i + 1, empty: states - 1 })
      if (i > 0) trade(equations, bid, weight, before, { from: i, next: i - 1, empty: 0 })
    }
    if (i !== limit) flow(equations, i, i + Math.sign(limit - i), STUCK_PER_DAY)
    if (restocking.perDay > 0 && Math.abs(q) > (1 - restocking.belowShare) * limit) {
      flow(equations, i, limit, restocking.perDay)
      equations.rewards[i]! -= restocking.perDay * restocking.costBps * Math.abs(q)
    }
  }
  const { matrix, rewards } = equations
  for (let i = 0; i < states; i++) matrix[i * states + limit] = 1
  const values = solveDense(matrix, rewards)
  const rho = values[limit]!
  values[limit] = 0
  return { values, rho }
}

type Move = { readonly from: number; readonly next: number; readonly empty: number }

/** Adds the reward and the transitions of the best spread of one side. */
function trade(
  equations: Equations,
  { prices, bounds, rival }: Offer,
  weight: number,
  before: Float64Array,
  { from, next, empty }: Move,
): void {
  const stockLots = Math.abs(empty - from)
  const here = before[from]!
  const stake = { step: before[next]! - here, stockLots, emptied: before[empty]! - here }
  const place = bestPoolPrice(prices, rival, stake, null, bounds)
  if (place === OFF) return
  const share = shareAt(place, rival)
  equations.rewards[from]! += weight * (share * prices.incomes[place]! - stockLots * prices.costs[place]!)
  flow(equations, from, next, weight * share * prices.rates[place]!)
  flow(equations, from, empty, weight * prices.takes[place]!)
}

function flow({ matrix, rewards }: Equations, from: number, to: number, rate: number): void {
  const row = from * rewards.length
  matrix[row + from]! += rate
  matrix[row + to]! -= rate
}
