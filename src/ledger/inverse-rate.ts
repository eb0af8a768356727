import type { Rate } from '../money/rate.ts'

const INVERSE_NUMERATOR = 10n ** 54n

/**
 * THE dollars per shilling of the ledger, at 36 decimals: floor(10^54 / M). Rounded once, here, and a
 * number in its own right from then on, so that sums of products with it are exact.
 */
export function inverseRate(mid: Rate): bigint {
  return INVERSE_NUMERATOR / mid
}
