import type { Random } from '../../base/random.ts'
import { DAY_MS, type Ms } from '../../base/time.ts'

/** A standard normal draw (Box and Muller 1958); takes two numbers of the stream. */
export function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()))
  return radius * Math.cos(2 * Math.PI * random())
}

/** An exponential draw with this mean. */
export function drawExponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random())
}

/** The arrival after `after` of a Poisson process; Infinity when it never happens. */
export function drawArrival(random: Random, after: Ms, perDay: number): Ms {
  if (perDay <= 0) return Infinity
  return after + Math.max(1, Math.ceil(drawExponential(random, DAY_MS / perDay)))
}
