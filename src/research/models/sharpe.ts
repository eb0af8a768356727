import { moments } from '../../core/models/sample-statistics.ts'
import { normalCdf, normalQuantile } from '../../core/models/distributions.ts'

/** Mean over standard deviation of the returns, per day, not annualised. */
export type SharpeRatio = {
  readonly perDay: number
  readonly se: number
  readonly days: number
  readonly skewness: number
  readonly kurtosis: number
  /** Probability that the true ratio is above 0. */
  readonly probabilistic: number
}

/** Inputs of a Sharpe ratio's error; `kurtosis` is not the excess: 3 = normal. */
type SharpeSample = Pick<SharpeRatio, 'perDay' | 'days' | 'skewness' | 'kurtosis'>

/** Returns null for fewer than three values and for values without variance. */
export function sharpeRatio(dailyReturns: ArrayLike<number>): SharpeRatio | null {
  const { count, mean, sd, skewness, kurtosis } = moments(dailyReturns)
  if (count < 3 || sd === 0) return null
  const sample: SharpeSample = { perDay: mean / sd, days: count, skewness, kurtosis }
  const se = sharpeError(sample)
  return { ...sample, se, probabilistic: probabilisticSharpe(sample, 0) }
}

/**
 * Returns the standard error of a Sharpe ratio over independent returns of any distribution. Source: Lo 2002 with the
 * skewness and kurtosis of Mertens 2002.
 */
function sharpeError({ perDay, days, skewness, kurtosis }: SharpeSample): number {
  // At least (1 - skewness * perDay / 2)^2, because kurtosis >= 1 + skewness^2; zero only for two-valued returns.
  const factor = Math.max(1 - skewness * perDay + ((kurtosis - 1) / 4) * perDay * perDay, 1e-6)
  return Math.sqrt(factor / (days - 1))
}

/** Returns the probability that the true Sharpe ratio exceeds `benchmark`. Source: Bailey, Lopez de Prado 2012. */
export function probabilisticSharpe(sample: SharpeSample, benchmark: number): number {
  return normalCdf((sample.perDay - benchmark) / sharpeError(sample))
}

const EULER_MASCHERONI = 0.5772156649015329

/** The number of all variants tried, including those not shown, and how their results scatter. */
export type Trials = {
  /** Number of variants tried. */
  readonly count: number
  /** Variance of their Sharpe ratios, per day. */
  readonly varianceOfSharpe: number
}

/**
 * Returns the probability that the true Sharpe ratio exceeds the expected maximum of that many worthless variants. Source:
 * Bailey, Lopez de Prado 2014; golden in quant.md section 2.5.
 */
export function deflatedSharpe(sample: SharpeSample, trials: Trials): number {
  return probabilisticSharpe(sample, expectedMaximumSharpe(trials))
}

/** Returns the expected Sharpe ratio per day of the luckiest of `count` worthless variants; 0 for one. */
export function expectedMaximumSharpe({ count, varianceOfSharpe }: Trials): number {
  if (count <= 1) return 0
  const ordinary = normalQuantile(1 - 1 / count)
  const lucky = normalQuantile(1 - 1 / (count * Math.E))
  return Math.sqrt(varianceOfSharpe) * ((1 - EULER_MASCHERONI) * ordinary + EULER_MASCHERONI * lucky)
}
