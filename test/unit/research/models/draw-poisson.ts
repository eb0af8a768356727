import type { Random } from '../../../../src/base/random.ts'
import { logGamma } from '../../../../src/core/models/distributions.ts'

const SMALL = 10

/**
 * One draw from the Poisson law of mean >= 0. Source: counting exponential waits (Knuth, volume 2, 3.4.1)
 * for small means, transformed rejection (Hoermann 1993, algorithm PTRS) for others.
 */
export function drawPoisson(mean: number, random: Random): number {
  return mean < SMALL ? byWaiting(mean, random) : byRejection(mean, random)
}

function byWaiting(mean: number, random: Random): number {
  const end = Math.exp(-mean)
  let product = 1 - random()
  let count = 0
  while (product > end) {
    product *= 1 - random()
    count++
  }
  return count
}

function byRejection(mean: number, random: Random): number {
  const b = 0.931 + 2.53 * Math.sqrt(mean)
  const a = -0.059 + 0.02483 * b
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4)
  const easy = 0.9277 - 3.6224 / (b - 2)
  for (;;) {
    const u = random() - 0.5
    const v = 1 - random()
    const us = 0.5 - Math.abs(u)
    const count = Math.floor(((2 * a) / us + b) * u + mean + 0.43)
    if (us >= 0.07 && v <= easy) return count
    if (count < 0 || (us < 0.013 && v > us)) continue
    const drawn = Math.log((v * inverseAlpha) / (a / (us * us) + b))
    if (drawn <= count * Math.log(mean) - mean - logGamma(count + 1)) return count
  }
}
