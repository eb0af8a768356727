import { invariant } from '../../../base/result.ts'
import { RATE_ONE, rateToNumber, type Rate } from '../../../base/money/rate.ts'

/** The mid that every world opens with, TZS per USD. */
const OPENING_TZS = 2568.1584

/** A rate with the four decimals that the central bank publishes. */
export function printedRate(tzsPerUsd: number): Rate {
  invariant(Number.isFinite(tzsPerUsd) && tzsPerUsd > 1, 'a simulated rate must be a rate')
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

/** How far a true rate, in bps of the logarithm from the opening mid, is from a mid. */
export function gapTo(mid: Rate, trueBps: number): number {
  return trueBps - bpsFromRate(rateToNumber(mid))
}
