import { MIN_SPREAD_BPS } from '../../../base/money/bps.ts'
import { normalCdf, normalDensity } from '../distributions.ts'
import { PRICES } from './side-prices.ts'

/** The takers of a pool, and how well they know the fair value. */
export type PoolTakers = {
  /** Per bps: customer demand falls by exp(-k x) at distance x from their reference; all of them accept 0 or less. */
  readonly k: number
  /** The posterior of k: Gamma with this shape and mean k; null = k is certain. */
  readonly kShape: number | null
  /** Share of the customers who use the venue's mid as reference; the others know the fair value. 0..1. */
  readonly midShare: number
  /** Takers who take the entire stock of a side as soon as it is profitable. */
  readonly informed: {
    /** Independent looks per day, see `independentLooks`. */
    readonly perDay: number
    /** Takers act once the gap exceeds our spread by this margin, bps. */
    readonly marginBps: number
    /** Error of the takers' estimate, bps. */
    readonly errorBps: number
  }
}

/** The results of a spread by its distance from the estimated fair value, in whole bps from `fromBps` up. */
export type DistanceTable = {
  readonly fromBps: number
  /** Share of the customers with knowledge of the fair value that accept, and their income in bps of all tickets. */
  readonly accepted: Float64Array
  readonly earned: Float64Array
  /** Probability that a look ends in a take, and its cost in bps of the amount taken. */
  readonly hits: Float64Array
  readonly losses: Float64Array
  /** By allowed spread: share of the mid-based customers that accept. */
  readonly acceptedFromMid: Float64Array
}

/** Beyond these distances the results no longer change. */
const FROM_BPS = -700
const TO_BPS = 1_200
/** An estimate without error uses the table for an error of a tenth of a bps. */
const LEAST_TAU_BPS = 0.1

/**
 * Returns the table for an estimate with an error of `tauBps`. A customer who knows the fair value accepts at distance x from it
 * with probability min(1, exp(-k x)), so he comes more often when our estimate is wrong at our cost. At a distance d from the
 * estimate, with D = d - k tau^2 and E = exp(-k d + k^2 tau^2 / 2),
 *   accepted = Phi(-d/tau) + E Phi(D/tau)
 *   earned   = d Phi(-d/tau) - tau phi(d/tau) + E (D Phi(D/tau) + tau phi(D/tau)).
 * An informed taker sees the gap with an error of e and trades beyond spread + margin: with S = sqrt(tau^2 + e^2) and
 * h = (d + margin) / S, hit = Phi(-h) and loss = tau^2/S phi(h) - d Phi(-h).
 * Source: partial expectations of the normal law over market.md sections 4.1 and 4.5. Doubt about k is averaged.
 */
export function distanceTable({ k, kShape, informed }: PoolTakers, tauBps: number): DistanceTable {
  const length = TO_BPS - FROM_BPS + 1
  const [accepted, earned] = [new Float64Array(length), new Float64Array(length)]
  const [hits, losses] = [new Float64Array(length), new Float64Array(length)]
  const acceptedFromMid = new Float64Array(PRICES)
  const tau = Math.max(LEAST_TAU_BPS, tauBps)
  for (const [nodeK, weight] of nodesOf(k, kShape)) {
    for (let i = 0; i < length; i++) {
      const d = FROM_BPS + i
      const D = d - nodeK * tau * tau
      const [below, above] = [normalCdf(-d / tau), normalCdf(D / tau)]
      const E = above === 0 ? 0 : Math.exp(-nodeK * d + (nodeK * tau) ** 2 / 2)
      const near = d * below - tau * normalDensity(d / tau)
      accepted[i] = accepted[i]! + weight * Math.min(1, below + E * above)
      earned[i] = earned[i]! + weight * (near + E * (D * above + tau * normalDensity(D / tau)))
    }
    for (let i = 0; i < PRICES; i++)
      acceptedFromMid[i] = acceptedFromMid[i]! + weight * Math.exp(-nodeK * (MIN_SPREAD_BPS + i))
  }
  const seen = Math.hypot(tau, informed.errorBps)
  for (let i = 0; i < length; i++) {
    const d = FROM_BPS + i
    const h = (d + informed.marginBps) / seen
    hits[i] = normalCdf(-h)
    losses[i] = ((tau * tau) / seen) * normalDensity(h) - d * hits[i]!
  }
  return { fromBps: FROM_BPS, accepted, earned, hits, losses, acceptedFromMid }
}

/** Returns two values of k that match the first three moments of its posterior: Gauss-Laguerre. */
function nodesOf(k: number, shape: number | null): readonly (readonly [k: number, weight: number])[] {
  if (shape === null) return [[k, 1]]
  const root = Math.sqrt(shape + 1)
  return [
    [(k * (shape + 1 - root)) / shape, 0.5 + 0.5 / root],
    [(k * (shape + 1 + root)) / shape, 0.5 - 0.5 / root],
  ]
}

/**
 * Returns the looks per day that count as independent: the error of an estimate persists for some days (its half-life over ln 2),
 * looks within that time find the same gap, and after the first take the side is empty. A wrong estimate arises p / T times a
 * day and is found with probability lambda T / (1 + lambda T), so takes arrive at rate p lambda / (1 + lambda T).
 */
export function independentLooks(looksPerDay: number, persistenceDays: number): number {
  return looksPerDay / (1 + looksPerDay * persistenceDays)
}
