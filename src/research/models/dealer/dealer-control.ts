import { addEntry, type BandedMatrix, bandedMatrix, solveBanded } from './banded.ts'
import { bestQuote, quadraticClosure, type RequestFlow } from '../../../core/models/dealer/logistic-hits.ts'

/** A dealer who answers requests and hedges outside. Inventory is in the unit of the sizes. */
export type DealerMarket = {
  readonly flows: readonly RequestFlow[]
  /** The largest inventory to either side. Sizes and this are whole multiples of the smallest size. */
  readonly limit: number
  /** bps per square root of a day. */
  readonly sigmaBps: number
  /** gamma, per bps and unit: a day of inventory q costs gamma sigma^2 q^2 / 2. */
  readonly riskAversion: number
  /** Hedging at v units a day costs eta v^2 + phi |v| and moves the mid by impact v. */
  readonly hedge: { readonly eta: number; readonly phi: number; readonly impact: number }
}

/** The value theta of an inventory in bps units, from -limit to limit in steps of `unit`; 0 at zero inventory. */
type InventoryValue = {
  readonly theta: Float64Array
  readonly unit: number
  /** Gain a day, bps * units; null before a horizon. */
  readonly gainPerDay: number | null
}

const IMPROVEMENTS = 60
const HORIZON_STEPS = 40
const CONVERGED = 1e-10
const STATIONARY = 1e-7

/** Returns the grid's unit, and the number of steps to the limit. */
export function dealerGrid({ flows, limit }: Pick<DealerMarket, 'flows' | 'limit'>): {
  readonly unit: number
  readonly reach: number
  readonly band: number
} {
  const sizes = flows.map(({ size }) => size)
  const unit = Math.min(...sizes)
  const reach = Math.floor(limit / unit + 1e-9)
  return { unit, reach, band: Math.max(1, Math.min(2 * reach, Math.round(Math.max(...sizes) / unit))) }
}

/**
 * Returns the stationary value of an inventory: rho = -gamma sigma^2 q^2 / 2 + sum over requests of size H((theta(q) -
 * theta(q +- size)) / size) + ((|theta' + impact q| - phi)+)^2 / (4 eta), by policy iteration on the grid of sizes,
 * with hedging as a difference to the neighbour towards which it moves. Null if it does not converge. Source: Barzykin,
 * Bergault, Gueant 2023; golden in quant.md section 2.3.
 */
export function stationaryValue(market: DealerMarket): InventoryValue | null {
  const { unit, reach } = dealerGrid(market)
  // A hedge against this value always reduces inventory. From a flat value the impact would reward increasing it.
  const slope = quadraticClosure(market.flows, market.riskAversion, market.sigmaBps) + market.hedge.impact
  let theta = Float64Array.from(
    { length: 2 * reach + 1 },
    (_, row) => (-slope * ((row - reach) * unit) ** 2) / 2,
  )
  for (let round = 0; round < IMPROVEMENTS; round++) {
    const { matrix, rewards } = improve(market, theta, null)
    const centre = rowOf(matrix, reach)
    const reward = rewards[reach] ?? 0
    // theta is 0 at zero inventory, so rho is the unknown there: theta = x - rho y elsewhere.
    clearRow(matrix, reach)
    const x = rewards
    const y = new Float64Array(rewards.length).fill(1)
    x[reach] = y[reach] = 0
    if (!solveBanded(matrix, [x, y])) return null
    const pull = (side: Float64Array) =>
      centre.reduce((sum, entry, index) => (index === reach ? sum : sum - entry * (side[index] ?? 0)), 0)
    const gainPerDay = (reward + pull(x)) / (1 + pull(y))
    const next = x.map((value, index) => value - gainPerDay * (y[index] ?? 0))
    const isDone = distance(next, theta) <= CONVERGED * (1 + largest(next))
    theta = next
    if (isDone) return { theta, unit, gainPerDay }
  }
  return null
}

/**
 * Returns the value `days` before the end, when inventory is worth its mid: implicit Euler in steps of a fortieth of
 * the horizon (about one percent error where it matters), and the stationary value once they agree. Null if either does
 * not converge.
 */
export function valueBefore(market: DealerMarket, days: number): InventoryValue | null {
  const stationary = stationaryValue(market)
  if (stationary === null) return null
  const { unit, theta: goal } = stationary
  const inertia = HORIZON_STEPS / days
  let theta: Float64Array = new Float64Array(goal.length)
  for (let step = 0; step < HORIZON_STEPS; step++) {
    const before = theta
    for (let round = 0, isDone = false; !isDone; round++) {
      if (round === IMPROVEMENTS) return null
      const { matrix, rewards } = improve(market, theta, { inertia, before })
      if (!solveBanded(matrix, [rewards])) return null
      isDone = distance(rewards, theta) <= CONVERGED * (1 + largest(rewards))
      theta = rewards
    }
    const own = theta[(theta.length - 1) / 2] ?? 0
    theta = theta.map((value) => value - own)
    if (distance(theta, goal) <= STATIONARY * (1 + largest(goal))) return stationary
  }
  return { theta, unit, gainPerDay: null }
}

type Step = { readonly inertia: number; readonly before: Float64Array }

/** Returns the best quotes and hedges against a value, as the linear system of their value. */
function improve(
  market: DealerMarket,
  theta: Float64Array,
  step: Step | null,
): { readonly matrix: BandedMatrix; readonly rewards: Float64Array } {
  const { flows, sigmaBps, riskAversion } = market
  const { unit, reach, band } = dealerGrid(market)
  const matrix = bandedMatrix(theta.length, band)
  const rewards = new Float64Array(theta.length)
  for (let row = 0; row < theta.length; row++) {
    const here = theta[row] ?? 0
    const inventory = (row - reach) * unit
    let reward = (-riskAversion * sigmaBps * sigmaBps * inventory * inventory) / 2
    for (const { curve, size, perDay } of flows)
      for (const direction of [1, -1]) {
        const column = row + direction * Math.round(size / unit)
        const there = theta[column]
        if (there === undefined) continue
        const { deltaBps, hit } = bestQuote(curve, (here - there) / size)
        reward += perDay * hit * size * deltaBps
        addMove(matrix, row, column, perDay * hit)
      }
    for (const direction of [1, -1]) reward += addHedge(market, matrix, theta, row, row + direction)
    if (step !== null) {
      addEntry(matrix, row, row, step.inertia)
      reward += step.inertia * (step.before[row] ?? 0)
    }
    rewards[row] = reward
  }
  return { matrix, rewards }
}

/** Adds hedging towards a neighbouring state where it pays. Returns its reward per day. */
function addHedge(
  market: DealerMarket,
  matrix: BandedMatrix,
  theta: Float64Array,
  row: number,
  column: number,
): number {
  const there = theta[column]
  if (there === undefined) return 0
  const { unit, reach } = dealerGrid(market)
  const { eta, phi, impact } = market.hedge
  const push = (column - row) * impact * (row - reach) * unit - phi
  const worth = (there - (theta[row] ?? 0)) / unit + push
  if (worth <= 0) return 0
  const speed = worth / (2 * eta)
  addMove(matrix, row, column, speed / unit)
  return speed * push - eta * speed * speed
}

function addMove(matrix: BandedMatrix, row: number, column: number, perDay: number): void {
  addEntry(matrix, row, row, perDay)
  addEntry(matrix, row, column, -perDay)
}

/** Returns a full row of the matrix. */
function rowOf({ count, reach, entries }: BandedMatrix, row: number): Float64Array {
  return Float64Array.from({ length: count }, (_, column) =>
    Math.abs(column - row) > reach ? 0 : (entries[row * (2 * reach + 1) + column - row + reach] ?? 0),
  )
}

/** Replaces a row with the identity's. */
function clearRow({ reach, entries }: BandedMatrix, row: number): void {
  entries.fill(0, row * (2 * reach + 1), (row + 1) * (2 * reach + 1))
  entries[row * (2 * reach + 1) + reach] = 1
}

function distance(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, value, index) => Math.max(most, Math.abs(value - (b[index] ?? 0))), 0)
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

/** Returns the inventory cost of a request that adds `size`, in bps: the reservation price of `bestQuote`. Null beyond the limit. */
export function requestCost({ theta, unit }: InventoryValue, inventory: number, size: number): number | null {
  const middle = (theta.length - 1) / 2
  const here = theta[middle + Math.round(inventory / unit)]
  const there = theta[middle + Math.round((inventory + size) / unit)]
  return here === undefined || there === undefined ? null : (here - there) / size
}

/**
 * Returns the smallest inventory from which hedging outside pays, theta' + impact q > phi; null = hedging does not pay within the limit.
 */
export function hedgeThreshold(
  { theta, unit }: InventoryValue,
  { phi, impact }: DealerMarket['hedge'],
): number | null {
  const middle = (theta.length - 1) / 2
  for (let steps = 1; steps < middle; steps++) {
    const slope = ((theta[middle + steps + 1] ?? 0) - (theta[middle + steps - 1] ?? 0)) / (2 * unit)
    if (Math.abs(slope + impact * steps * unit) > phi) return steps * unit
  }
  return null
}
