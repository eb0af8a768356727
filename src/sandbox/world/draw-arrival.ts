import { drawExponential, type Random } from '../../base/random.ts'
import { DAY_MS, type Ms } from '../../base/time.ts'

/** The arrival after `after` of a Poisson process; Infinity when it never happens. */
export function drawArrival(random: Random, after: Ms, perDay: number): Ms {
  if (perDay <= 0) return Infinity
  return after + Math.max(1, Math.ceil(drawExponential(random, DAY_MS / perDay)))
}
