import type { Estimate, Intensity } from '../../../core/models/calibration.ts'
import { Z90 } from '../../models/fit-intensity.ts'

/**
 * Fills a day at a half-spread of `bps`, A exp(-k bps), with a 90 % interval. ln A and k err together: by the information
 * of the exponential likelihood, var(ln lambda(d)) = 1/N + (d - m)^2 se(k)^2 with m the mean spread of the fills, which
 * follows from se(ln A)^2 = 1/N + m^2 se(k)^2. So the band is narrowest where fills were made. Source: quant.md section 3.
 */
export function intensityAt({ a, k, fills, overdispersion }: Intensity, bps: number): Estimate {
  const value = a.value * Math.exp(-k.value * bps)
  const seOfK = (k.high - k.low) / (2 * Z90)
  const varianceOfLnA = a.low > 0 ? (Math.log(a.high / a.low) / (2 * Z90)) ** 2 : Infinity
  const atItsMean = Math.min(varianceOfLnA, overdispersion ** 2 / Math.max(1, fills))
  const mean = seOfK > 0 ? Math.sqrt(varianceOfLnA - atItsMean) / seOfK : 0
  const factor = Math.exp(Z90 * Math.sqrt(atItsMean + ((bps - mean) * seOfK) ** 2))
  return { value, low: value / factor, high: value * factor }
}
