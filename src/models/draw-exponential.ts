import type { Random } from '../base/random.ts'

/** One draw from the exponential law of mean 1. Source: inversion. */
export function drawExponential(random: Random): number {
  return -Math.log(1 - random())
}
