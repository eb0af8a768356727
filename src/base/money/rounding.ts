import { invariant } from '../result.ts'

/** The direction in which a division rounds. There is no default: every caller names it. */
export type Rounding = 'down' | 'up'

/** Returns numerator / denominator, rounded as named. Throws InvariantError unless the denominator is positive. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  invariant(denominator > 0n, 'a division needs a positive denominator')
  // BigInt division truncates towards zero, which is down for a non-negative numerator.
  if (numerator >= 0n) {
    return rounding === 'down' ? numerator / denominator : (numerator + denominator - 1n) / denominator
  }
  const quotient = numerator / denominator
  const remainder = numerator % denominator
  if (remainder === 0n) return quotient
  if (rounding === 'down') return quotient - 1n
  return quotient
}
