import { drawNormal, type Random } from '../base/random.ts'
import type { Estimate, Intensity } from './calibration.ts'
import { Z90 } from './fit-intensity.ts'

/**
 * One A and k that the data could as well have come from, for replicates of a backtest. A and k err
 * together: at the spread where the fills were, the rate is known to one part in sqrt(fills) and errs
 * independently of k; A is that rate carried back to no spread by the drawn k. That pivot spread follows
 * from Var ln A = Var ln rate + pivot^2 Var k. Needs no more than a calibration's file holds; what has an
 * interval from 0 or of no width is taken as it is.
 */
export function drawIntensity(
  { a, k, fills, overdispersion }: Intensity,
  random: Random,
): { readonly a: number; readonly k: number } {
  const sdOfLogA = logSd(a)
  const sdOfLogK = logSd(k)
  // With no fills A and k are the prior's and independent; otherwise one fill is the prior's weight.
  const sdOfRate = fills === 0 ? sdOfLogA : Math.min(sdOfLogA, overdispersion / Math.sqrt(fills + 1))
  const sdOfShift = Math.sqrt(sdOfLogA ** 2 - sdOfRate ** 2)
  const [forK, forRate] = [drawNormal(random), drawNormal(random)]
  return {
    a: (a.low > 0 ? Math.sqrt(a.low * a.high) : a.value) * Math.exp(sdOfRate * forRate + sdOfShift * forK),
    // Log-normal about a median that makes the mean the estimate.
    k: k.value * Math.exp(sdOfLogK * (forK - sdOfLogK / 2)),
  }
}

function logSd({ low, high }: Estimate): number {
  return low > 0 && high > low ? Math.log(high / low) / (2 * Z90) : 0
}
