import { normalCdf, normalDensity } from '../distributions.ts'

/** One look of an informed taker: its cost in bps of the amount taken, and the probability of a fill. */
export type InformedLook = { readonly loss: number; readonly hitProbability: number }

/**
 * A taker who knows the fair value trades whenever it is beyond our spread of `b` bps; we know that it is
 * N(ghat, tau^2) bps from the mid, on the side on which we sell dollars. Per look, with d = (ghat - b) / tau:
 * loss = tau phi(d) + (ghat - b) Phi(d) bps, hit probability Phi(d). The side that buys dollars has -ghat.
 * Source: quant.md section 1.5; the loss is Bachelier's price of the option that a stale quote gives away.
 */
export function pickOffLoss({ ghat, tau, b }: PickOff): InformedLook {
  const edge = ghat - b
  if (tau === 0) return { loss: Math.max(0, edge), hitProbability: edge > 0 ? 1 : edge === 0 ? 0.5 : 0 }
  const d = edge / tau
  const hitProbability = normalCdf(d)
  // Far out both terms agree in all digits, so the sign of their difference is rounding noise.
  return { loss: Math.max(0, edge, tau * normalDensity(d) + edge * hitProbability), hitProbability }
}

type PickOff = {
  /** Fair value less mid as we estimate it, bps. */
  readonly ghat: number
  /** Standard deviation of its error, bps, >= 0. */
  readonly tau: number
  /** Our spread, bps. */
  readonly b: number
}

/**
 * Many small informed takers, each of whom sees the gap with an error of `tau` bps and trades only if his own
 * estimate is beyond our spread plus his `margin`. With st = s^2 / sqrt(s^2 + tau^2), the sd of his estimate, and
 * h = (b + margin) / st: loss = st phi(h) - b Phi(-h), hit probability Phi(-h), both per look on one side.
 * Source: market.md section 4.1.
 */
export function noisyLook(s: number, { b, tau, margin }: NoisyTaker): InformedLook {
  const spread = s === 0 ? 0 : s * (s / Math.hypot(s, tau))
  if (spread === 0) return { loss: 0, hitProbability: 0 }
  const h = (b + margin) / spread
  const hitProbability = normalCdf(-h)
  return { loss: spread * normalDensity(h) - b * hitProbability, hitProbability }
}

export type NoisyTaker = {
  readonly b: number
  readonly tau: number
  readonly margin: number
}
