import { normalDensity } from '../../../core/models/distributions.ts'
import { type Complex, exponential, invertLaplace, over, plus, root, scaled, times } from './laplace.ts'
import { integral } from './integral.ts'
import type { MovingGap } from './leak.ts'
import { noisyLook } from '../../../core/models/flow/pick-off.ts'

/** A taker who knows the gap, looks at random moments, and takes the whole stock of one side once that pays. */
export type PoolTaker = {
  /** Our spread, bps. */
  readonly b: number
  /** The taker takes if the gap exceeds our spread by more than this, bps. */
  readonly margin: number
  /** lambda: looks a day, at random moments. */
  readonly looksPerDay: number
}

/** Expected loss until the next publication in bps of the pool, and the probability of a take, on one side. */
export type PoolLoss = { readonly loss: number; readonly probability: number }

/** Beyond this many standard deviations a normal distribution is zero in float64. */
const REACH = 9
const TOLERANCE = 1e-8
/** bps: a gap that moves less until the next publication is treated as constant, and a smaller one as 0. */
export const STANDSTILL = 1e-9

/**
 * The first taker for whom it pays takes the pool. The gap begins as N(0, s0^2), moves as a Brownian motion and is
 * observed lambda times a day; at a look beyond b + margin the taker gains the gap less b on the whole pool. For a
 * gap that begins at x, the transform of the loss over the remaining time has a closed form, which is inverted
 * numerically and averaged over x. Absolute error below 1e-4 bps. Source: market.md section 4.2.
 */
export function takeAllLoss({ s0, sigma, days }: MovingGap, taker: PoolTaker): PoolLoss {
  const { b, margin, looksPerDay } = taker
  if (looksPerDay === 0) return { loss: 0, probability: 0 }
  if (sigma * Math.sqrt(days) < STANDSTILL) {
    // The gap is constant: every look finds the same gap as the first.
    const { loss, hitProbability } = noisyLook(s0, { b, tau: 0, margin })
    const isLooked = -Math.expm1(-looksPerDay * days)
    return { loss: isLooked * loss, probability: isLooked * hitProbability }
  }
  const from = (x: number) => lossFrom(x, sigma, days, taker)
  if (s0 < STANDSTILL) return from(0)
  // On either side of the trigger the loss is a smooth function of the start, on the scale of the gap's movement.
  const trigger = b + margin
  const moves = REACH * sigma * Math.sqrt(days)
  const cuts = [-REACH * s0, trigger - moves, trigger, trigger + moves, REACH * s0]
  const average = (figure: (loss: PoolLoss) => number) =>
    cuts.slice(1).reduce((sum, cut, i) => {
      const [low, high] = [cuts[i]!, cut].map((x) => Math.min(REACH * s0, Math.max(-REACH * s0, x)))
      const weighted = (x: number) => (figure(from(x)) * normalDensity(x / s0)) / s0
      return low! < high! ? sum + integral(weighted, low!, high!, TOLERANCE) : sum
    }, 0)
  return { loss: average(({ loss }) => loss), probability: average(({ probability }) => probability) }
}

const REAL_ONE: Complex = { re: 1, im: 0 }

/**
 * The loss for a gap that begins at x. With K = lambda / (q (q + lambda)), theta0 = sqrt(2q) / sigma and theta1 =
 * sqrt(2 (q + lambda)) / sigma the transform at the trigger a is K (1 + margin theta1) / (theta0 + theta1); below it
 * falls by exp(-theta0 (a - x)), above it approaches K (x - b) by exp(-theta1 (x - a)).
 */
function lossFrom(x: number, sigma: number, days: number, { b, margin, looksPerDay }: PoolTaker): PoolLoss {
  const distance = x - b - margin
  const invert = (atTrigger: (theta1: Complex) => Complex, farBeyond: (x: number) => number) =>
    invertLaplace((q) => {
      const both = plus(q, { re: looksPerDay, im: 0 })
      const theta0 = scaled(root(scaled(q, 2)), 1 / sigma)
      const theta1 = scaled(root(scaled(both, 2)), 1 / sigma)
      const looked = over({ re: looksPerDay, im: 0 }, times(q, both))
      const trigger = over(times(looked, atTrigger(theta1)), plus(theta0, theta1))
      if (distance <= 0) return times(trigger, exponential(scaled(theta0, distance)))
      const gap = plus(trigger, scaled(looked, -farBeyond(b + margin)))
      return plus(scaled(looked, farBeyond(x)), times(gap, exponential(scaled(theta1, -distance))))
    }, days)
  return {
    // The inversion is accurate to 1e-10, so a tiny loss may come out slightly negative.
    loss: Math.max(
      0,
      invert(
        (theta1) => plus(REAL_ONE, scaled(theta1, margin)),
        (at) => at - b,
      ),
    ),
    probability: Math.min(
      1,
      Math.max(
        0,
        invert(
          (theta1) => theta1,
          () => 1,
        ),
      ),
    ),
  }
}
