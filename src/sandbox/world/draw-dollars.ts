import { drawNormal, type Random } from '../../base/random.ts'

/** A log-normal amount of dollars around a median, with a cap and a floor of one dollar. */
export function drawDollars(random: Random, medianUsd: number, capUsd: number): number {
  return Math.min(capUsd, Math.max(1, medianUsd * Math.exp(drawNormal(random))))
}
