import { drawExponential, drawNormal, type Random } from '../../base/random.ts'
import { DAY_MS, type Ms } from '../../base/time.ts'

/** The arrival after `after` of a Poisson process; Infinity when it never happens. */
export function drawArrival(random: Random, after: Ms, perDay: number): Ms {
  if (perDay <= 0) return Infinity
  return after + Math.max(1, Math.ceil(drawExponential(random, DAY_MS / perDay)))
}

/** A log-normal amount of dollars around a median, with a cap and a floor of one dollar. */
export function drawDollars(random: Random, medianUsd: number, capUsd: number): number {
  return Math.min(capUsd, Math.max(1, medianUsd * Math.exp(drawNormal(random))))
}
