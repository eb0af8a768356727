import { normalCdf, normalDensity } from '../../../core/models/distributions.ts'
import type { MovingGap } from './leak.ts'
import { type PoolLoss, type PoolTaker, STANDSTILL } from './take-all.ts'

/** Observes the gap with a new error of `tau` bps at each look, and discounts the observation for it. */
type NoisyPoolTaker = PoolTaker & { readonly tau: number }

const NODES = 3_001
const STEPS = 600
/** Standard deviations of the gap at the end; the grid ends there. */
const REACH = 8
const AVERAGING_POINTS = 401

/**
 * The first taker for whom it pays takes the pool, as in `takeAllLoss`, but it sees y = gap + tau e and trusts w y, w
 * = s^2 / (s^2 + tau^2) with s the sd of the gap at mid-interval. It takes when w y > b + margin, so a gap of x is
 * taken at a look with probability p(x), and u_t = sigma^2 / 2 u_xx + lambda p(x) (x - b - u) has no closed form:
 * finite differences, 3,001 places and 600 steps. Accuracy: about four digits of the loss. Source: market.md section
 * 4.2, last line; backward differences of second order in time, central ones in space.
 */
export function noisyTakeAllLoss(gap: MovingGap, taker: NoisyPoolTaker): PoolLoss {
  const { s0, sigma, days } = gap
  const { b, margin, looksPerDay, tau } = taker
  const sdAtEnd = Math.hypot(s0, sigma * Math.sqrt(days))
  if (sdAtEnd < STANDSTILL) return { loss: 0, probability: 0 }
  const variance = s0 * s0 + (sigma * sigma * days) / 2
  const reach = REACH * sdAtEnd
  const width = (2 * reach) / (NODES - 1)
  const places = Float64Array.from({ length: NODES }, (_, i) => i * width - reach)
  const trigger = ((b + margin) * (variance + tau * tau)) / variance
  const rates = places.map((x) => looksPerDay * shareBeyond(x - trigger, width, tau))
  const spread = (sigma * sigma) / (2 * width * width)
  const value = (gains: Float64Array) => average(propagate(rates, gains, spread, days / STEPS), s0 / width)
  return {
    loss: value(rates.map((rate, i) => rate * (places[i]! - b))),
    probability: value(rates),
  }
}

/** Returns P(x + tau e > 0) averaged over a cell of this width around x; exact even if tau is far below the width. */
function shareBeyond(x: number, width: number, tau: number): number {
  const positivePart = (at: number) =>
    tau === 0 ? Math.max(0, at) : at * normalCdf(at / tau) + tau * normalDensity(at / tau)
  return (positivePart(x + width / 2) - positivePart(x - width / 2)) / width
}

/** Returns u after STEPS of u' = spread * (second difference of u) - rates u + gains, from u = 0. */
function propagate(rates: Float64Array, gains: Float64Array, spread: number, step: number): Float64Array {
  let before = new Float64Array(NODES)
  let now = implicitStep(before, rates, gains, spread, step)
  for (let n = 1; n < STEPS; n++) {
    const base = now.map((value, i) => (4 * value - before[i]!) / 3)
    before = now
    now = implicitStep(base, rates, gains, spread, (2 * step) / 3)
  }
  return now
}

/** Solves (1 + step (rates - spread * second difference)) u = base + step gains; no curvature at the ends. */
function implicitStep(
  base: Float64Array,
  rates: Float64Array,
  gains: Float64Array,
  spread: number,
  step: number,
): Float64Array<ArrayBuffer> {
  const ratios = new Float64Array(NODES)
  const u = new Float64Array(NODES)
  for (let i = 0; i < NODES; i++) {
    const beside = i === 0 || i === NODES - 1 ? 0 : step * spread
    const before = i === 0 ? 0 : beside
    const pivot = 1 + step * rates[i]! + 2 * beside - before * (ratios[i - 1] ?? 0)
    ratios[i] = beside / pivot
    u[i] = (base[i]! + step * gains[i]! + before * (u[i - 1] ?? 0)) / pivot
  }
  for (let i = NODES - 2; i >= 0; i--) u[i] = u[i]! + ratios[i]! * u[i + 1]!
  return u
}

/** Returns the mean of u for a start distributed as N(0, sd^2), with `sd` in cells; interpolates linearly between places. */
function average(u: Float64Array, sd: number): number {
  const centre = (NODES - 1) / 2
  const at = (place: number) => {
    const below = Math.min(NODES - 2, Math.max(0, Math.floor(place)))
    return u[below]! + (place - below) * (u[below + 1]! - u[below]!)
  }
  if (sd === 0) return at(centre)
  let weights = 0
  let sum = 0
  for (let i = 0; i < AVERAGING_POINTS; i++) {
    const z = REACH * ((2 * i) / (AVERAGING_POINTS - 1) - 1)
    const weight = normalDensity(z)
    weights += weight
    sum += weight * at(centre + z * sd)
  }
  return sum / weights
}
