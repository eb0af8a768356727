import { invariant } from '../../base/invariant.ts'
import { RATE_ONE, type Rate } from '../../money/rate.ts'

/** The published mean that every world opens with, TZS per USD. */
export const OPENING_TZS = 2568.1584

/** A rate with the four decimals that the central bank publishes. */
export function printedRate(tzsPerUsd: number): Rate {
  invariant(Number.isFinite(tzsPerUsd) && tzsPerUsd > 1, 'a pretend rate must be a rate')
  return (BigInt(Math.round(tzsPerUsd * 10_000)) * RATE_ONE) / 10_000n
}

/** The opening mid moved by so many bps of the logarithm. */
export function rateFromBps(bps: number): number {
  return OPENING_TZS * Math.exp(bps / 10_000)
}

/** The inverse of `rateFromBps`. */
export function bpsFromRate(tzsPerUsd: number): number {
  return 10_000 * Math.log(tzsPerUsd / OPENING_TZS)
}
