import { normalQuantile } from './normal-quantile.ts'
import { probabilisticSharpe, type SharpeSample } from './sharpe-ratio.ts'

const EULER_MASCHERONI = 0.5772156649015329

/** Everything that was tried, not only what is shown. */
export type Trials = {
  /** How many variants were tried. */
  readonly count: number
  /** Variance of their Sharpe ratios, per day. */
  readonly varianceOfSharpe: number
}

/**
 * Probability that the true Sharpe ratio is above what the best of so many worthless variants would show.
 * Source: Bailey, Lopez de Prado 2014; golden in quant.md section 2.5.
 */
export function deflatedSharpe(sample: SharpeSample, trials: Trials): number {
  return probabilisticSharpe(sample, expectedMaximumSharpe(trials))
}

/** The Sharpe ratio per day that the luckiest of `count` worthless variants is expected to show; 0 for one. */
export function expectedMaximumSharpe({ count, varianceOfSharpe }: Trials): number {
  if (count <= 1) return 0
  const ordinary = normalQuantile(1 - 1 / count)
  const lucky = normalQuantile(1 - 1 / (count * Math.E))
  return Math.sqrt(varianceOfSharpe) * ((1 - EULER_MASCHERONI) * ordinary + EULER_MASCHERONI * lucky)
}
