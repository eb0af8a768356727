import { drawNormal, type Random } from '../../../../src/base/random.ts'

/** One draw from Gamma(shape, rate 1), shape > 0. Source: Marsaglia, Tsang 2000. */
export function drawGamma(shape: number, random: Random): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const z = drawNormal(random)
    const v = (1 + c * z) ** 3
    if (v > 0 && Math.log(1 - random()) < 0.5 * z * z + d - d * v + d * Math.log(v)) return d * v
  }
}
