import { invariant } from '../result.ts'

/** Which way a division that does not come out even goes. There is no default: every caller names it. */
export type Rounding = 'down' | 'up'

/** numerator / denominator towards minus infinity (`down`) or plus infinity (`up`). Denominator > 0. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  invariant(denominator > 0n, 'a division needs a positive denominator')
  // BigInt division cuts towards zero: for what is not negative that is down, and one division is enough.
  if (numerator >= 0n) {
    return rounding === 'down' ? numerator / denominator : (numerator + denominator - 1n) / denominator
  }
  const quotient = numerator / denominator
  const remainder = numerator % denominator
  if (remainder === 0n) return quotient
  if (rounding === 'down') return quotient - 1n
  return quotient
}
