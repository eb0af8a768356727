import { gammaQuantile } from './gamma-quantile.ts'

/**
 * The exact interval for the mean of a Poisson variable of which `count` was seen: it covers the truth at
 * least with probability `level`. Source: Garwood 1936, through the gamma quantile.
 */
export function poissonInterval(count: number, level = 0.9): { readonly low: number; readonly high: number } {
  const tail = (1 - level) / 2
  return {
    low: count === 0 ? 0 : gammaQuantile(tail, count),
    high: gammaQuantile(1 - tail, count + 1),
  }
}
