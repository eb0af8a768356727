import { invariant } from '../result.ts'

/** The direction in which a division with a remainder is rounded. There is no default: every caller names it. */
export type Rounding = 'down' | 'up'

/** numerator / denominator towards minus infinity (`down`) or plus infinity (`up`). Denominator > 0. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  invariant(denominator > 0n, 'a division needs a positive denominator')
  // BigInt division truncates towards zero, which is down for a numerator that is not negative; one division suffices.
  if (numerator >= 0n) {
    return rounding === 'down' ? numerator / denominator : (numerator + denominator - 1n) / denominator
  }
  const quotient = numerator / denominator
  const remainder = numerator % denominator
  if (remainder === 0n) return quotient
  if (rounding === 'down') return quotient - 1n
  return quotient
}
