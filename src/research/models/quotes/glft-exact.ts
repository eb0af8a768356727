import type { GlftMarket } from '../../../core/models/glft.ts'
import { decayLogs, eigenvalue, groundStateLogs, type NeighbourMatrix } from './tridiagonal.ts'

/** A market with an inventory of at most `limitLots` to either side, under exponential utility. */
export type BoundedMarket = Omit<GlftMarket, 'objective'> & { readonly limitLots: number }

/** Optimal half-spreads by inventory; null = the limit forbids the side. */
type ExactQuotes = {
  /** For buying dollars: the venue's askBps, delta_b of the paper. */
  readonly buyBps: (lots: number) => number | null
  /** For selling dollars: the venue's bidBps, delta_a of the paper. */
  readonly sellBps: (lots: number) => number | null
}

/**
 * Returns the exact optimal quotes `horizonDays` before the end: v = exp(-M T) v(T) with M tridiagonal (k gamma
 * sigma^2 q^2 / 2 less k mu q on the diagonal, -A (1 + gamma/k)^-(1 + k/gamma) exp(-k xi/2) next to it), delta_b =
 * (1/k) ln(v_q / v_q+1) + (1/gamma) ln(1 + gamma/k) + xi/2. mu is the drift and xi the adverse move of the mid at
 * each fill. Null if the entries of v exceed the range of a float64. Source: Gueant, Lehalle, Fernandez-Tapia 2013,
 * theorems 1 to 4.
 */
export function glftExact(market: BoundedMarket, horizonDays: number): ExactQuotes | null {
  const { k, adverseBps = 0, limitLots } = market
  const end = Float64Array.from({ length: 2 * limitLots + 1 }, (_, index) =>
    Math.exp(-0.5 * k * adverseBps * (index - limitLots) ** 2),
  )
  const logs = decayLogs(matrixOf(market), horizonDays, end)
  return logs === null ? null : quotesOf(market, logs)
}

/** Long-run distribution of the inventory under the exact quotes. */
type StationaryInventory = {
  readonly quotes: ExactQuotes
  readonly sdLots: number
  /** Days until half of an imbalance is gone, by the second eigenvalue. */
  readonly halfLifeDays: number
}

/**
 * Returns the exact quotes without a horizon, from the ground state f of M. Under them the inventory q has the law
 * f_q^2 and relaxes at the rate (1 + gamma/k) (lambda_1 - lambda_0). Source: Gueant, Lehalle, Fernandez-Tapia 2013,
 * section 4.
 */
export function glftStationary(market: BoundedMarket): StationaryInventory {
  const matrix = matrixOf(market)
  const smallest = eigenvalue(matrix, 0)
  const logs = groundStateLogs(matrix, smallest)
  let mass = 0
  let first = 0
  let second = 0
  for (const [index, log] of logs.entries()) {
    const lots = index - market.limitLots
    const weight = Math.exp(2 * log)
    mass += weight
    first += weight * lots
    second += weight * lots * lots
  }
  const mean = first / mass
  const gap = (1 + market.riskAversion / market.k) * (eigenvalue(matrix, 1) - smallest)
  return {
    quotes: quotesOf(market, logs),
    sdLots: Math.sqrt(Math.max(0, second / mass - mean * mean)),
    halfLifeDays: Math.LN2 / gap,
  }
}

function matrixOf(market: BoundedMarket): NeighbourMatrix {
  const { a, k, sigmaBps, riskAversion, driftBpsPerDay = 0, adverseBps = 0, limitLots } = market
  const penalty = (k * riskAversion * sigmaBps * sigmaBps) / 2
  const diagonal = Float64Array.from({ length: 2 * limitLots + 1 }, (_, index) => {
    const lots = index - limitLots
    return penalty * lots * lots - k * driftBpsPerDay * lots
  })
  const growth = (1 + k / riskAversion) * Math.log1p(riskAversion / k)
  return { diagonal, logCoupling: Math.log(a) - growth - (k * adverseBps) / 2 }
}

function quotesOf(
  { k, riskAversion, adverseBps = 0, limitLots }: BoundedMarket,
  logs: Float64Array,
): ExactQuotes {
  const base = Math.log1p(riskAversion / k) / riskAversion + adverseBps / 2
  const quote = (lots: number, next: number): number | null => {
    const here = logs[lots + limitLots]
    const there = logs[next + limitLots]
    return here === undefined || there === undefined ? null : base + (here - there) / k
  }
  return { buyBps: (lots) => quote(lots, lots + 1), sellBps: (lots) => quote(lots, lots - 1) }
}
