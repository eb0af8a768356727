import type { Random } from '../base/random.ts'

/** One draw from the standard normal law. Source: Box, Muller 1958; its second number is let go. */
export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
