import { type Amounts, STABLE_ASSETS } from '../../../base/money/asset.ts'
import { type Rate, RATE_ONE } from '../../../base/money/rate.ts'

/** TZS at 36 decimals: NTZS base units x 10^18, or dollars at 18 decimals x a rate at 18 decimals. */
export type Tzs36 = bigint

/** USD at 54 decimals: dollars at 18 decimals x 10^36, or NTZS base units x the inverse rate. */
export type Usd54 = bigint

/** Factor from dollars at 18 decimals to dollars at 54 decimals. */
export const USD18_TO_USD54 = 10n ** 36n

/** All dollars of the amounts as one pile, at 18 decimals. */
export function dollars18(amounts: Readonly<Amounts>): bigint {
  let sum = 0n
  for (const asset of STABLE_ASSETS) sum += amounts[asset]
  return sum
}

/** The worth of the amounts in TZS at 36 decimals; null = there is no mid to value them with. */
export function valueTzs(amounts: Readonly<Amounts>, mid: Rate | null): Tzs36 | null {
  return mid === null ? null : amounts.NTZS * RATE_ONE + dollars18(amounts) * mid
}

/** The worth of the amounts in USD at 54 decimals; null = there is no mid to value them with. */
export function valueUsd(amounts: Readonly<Amounts>, mid: Rate | null): Usd54 | null {
  return mid === null ? null : dollars18(amounts) * USD18_TO_USD54 + amounts.NTZS * inverseRate(mid)
}

const INVERSE_NUMERATOR = 10n ** 54n

/**
 * THE dollars per shilling of the ledger, at 36 decimals: floor(10^54 / M). Rounded once, here, and a
 * number in its own right from then on, so that sums of products with it are exact.
 */
export function inverseRate(mid: Rate): bigint {
  return INVERSE_NUMERATOR / mid
}
