import { type Amounts, STABLE_ASSETS } from '../../../base/money/asset.ts'
import { type Rate, RATE_ONE } from '../../../base/money/rate.ts'

/** TZS at 36 decimals: NTZS base units x 10^18, or dollars at 18 decimals x a rate at 18 decimals. */
export type Tzs36 = bigint

/** USD at 54 decimals: dollars at 18 decimals x 10^36, or NTZS base units x the inverse rate. */
export type Usd54 = bigint

/** Factor from dollars at 18 decimals to dollars at 54 decimals. */
export const USD18_TO_USD54 = 10n ** 36n

/** Returns the sum of all dollar tokens, at 18 decimals. */
export function dollars18(amounts: Readonly<Amounts>): bigint {
  let sum = 0n
  for (const asset of STABLE_ASSETS) sum += amounts[asset]
  return sum
}

/** Returns the value of the amounts in TZS at 36 decimals; null = there is no mid. */
export function valueTzs(amounts: Readonly<Amounts>, mid: Rate | null): Tzs36 | null {
  return mid === null ? null : amounts.NTZS * RATE_ONE + dollars18(amounts) * mid
}

/** Returns the value of the amounts in USD at 54 decimals; null = there is no mid. */
export function valueUsd(amounts: Readonly<Amounts>, mid: Rate | null): Usd54 | null {
  return mid === null ? null : dollars18(amounts) * USD18_TO_USD54 + amounts.NTZS * inverseRate(mid)
}

const INVERSE_NUMERATOR = 10n ** 54n

/**
 * Returns the ledger's only inverse rate, dollars per shilling at 36 decimals: floor(10^54 / M). It is rounded once, here, so
 * sums of products with it are exact.
 */
export function inverseRate(mid: Rate): bigint {
  return INVERSE_NUMERATOR / mid
}
