/** The venue's bounds for a spread, in basis points. Source: contract, limits. */
export const MIN_SPREAD_BPS = 10
export const MAX_SPREAD_BPS = 500
export const BPS = 10_000n

/** Returns whether the venue accepts this spread: an integer from 10 to 500. */
export function isSpreadBps(value: number): boolean {
  return Number.isInteger(value) && value >= MIN_SPREAD_BPS && value <= MAX_SPREAD_BPS
}
