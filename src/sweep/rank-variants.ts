import type { Ms } from '../base/time.ts'
import { deflatedSharpe, expectedMaximumSharpe, type Trials } from '../models/deflated-sharpe.ts'
import { moments } from '../models/moments.ts'
import { quantile } from '../models/quantile.ts'
import { sharpeRatio } from '../models/sharpe-ratio.ts'
import { blockDraws, resampledMeans } from './block-draws.ts'
import type { TriedVariant } from './result-columns.ts'
import type { Changes } from './variant.ts'

/** Dollars a day: the mean, and the 90 % interval of the block bootstrap; null = fewer than two days. */
export type DailyEstimate = { readonly meanUsd: number; readonly ci90: readonly [number, number] | null }

export type RankedVariant = {
  /** From 1. */
  readonly rank: number
  readonly variant: number
  readonly label: string
  readonly changes: Changes
  /** The lower end is the 5 % quantile, by which variants are ranked. */
  readonly daily: DailyEstimate
  readonly pnlUsd: string
  readonly turnoverUsd: string
  /** PnL per dollar traded; null = nothing was traded. */
  readonly yieldBps: number | null
  readonly fills: number
  readonly syntheticShare: number
  readonly maxDrawdownUsd: number
  readonly sharpe: {
    readonly perDay: number
    readonly se: number
    /** Probability that the true one is above 0, and above what the luckiest of all trials would show. */
    readonly probabilistic: number
    readonly deflated: number
  } | null
  /** This one less the other, on the same blocks of days. */
  readonly againstBest: DailyEstimate
  readonly againstUnchanged: DailyEstimate
  readonly digest: string
  readonly warnings: readonly string[]
}

export type Ranking = {
  readonly days: number
  readonly trials: {
    readonly count: number
    readonly here: number
    /** Tried before in this folder. */
    readonly earlier: number
    readonly varianceOfSharpe: number
    /** What the luckiest of so many worthless variants is expected to show, per day. */
    readonly expectedMaximumSharpe: number
  }
  readonly variants: readonly RankedVariant[]
}

/** Variants with their daily PnL on the same days. */
export type Contest = {
  readonly days: readonly Ms[]
  readonly entries: readonly { readonly tried: TriedVariant; readonly pnl: Float64Array }[]
}

/** Lays the daily PnL of all variants over the days of the first one. */
export function contestOf(tried: readonly TriedVariant[]): Contest {
  const days = tried[0]?.result.daily.day ?? []
  const place = new Map(days.map((day, index) => [day, index]))
  const entries = tried.map((one) => {
    const { day, pnlUsd } = one.result.daily
    const pnl = new Float64Array(days.length)
    day.forEach((at, index) => {
      const to = place.get(at)
      if (to !== undefined) pnl[to] = pnlUsd[index] ?? 0
    })
    return { tried: one, pnl }
  })
  return { days, entries }
}

/**
 * Ranks by the 5 % quantile of the mean daily PnL: what a variant earns when it was lucky with its days counts
 * little. `earlier` are the daily PnL of variants that were tried before and count as trials.
 */
export function rankVariants(
  { days, entries }: Contest,
  earlier: readonly (readonly number[])[],
  seed: number,
): Ranking {
  const draws = blockDraws(days.length, seed)
  const estimates = entries.map(({ tried, pnl }) => ({ tried, pnl, daily: estimate(pnl, draws) }))
  const unchanged = estimates.find(({ tried }) => tried.variant.index === 0)
  const ranked = [...estimates].sort(
    (a, b) => scoreOf(b.daily) - scoreOf(a.daily) || a.tried.variant.index - b.tried.variant.index,
  )
  const trials = trialsOf([...entries.map(({ pnl }) => pnl), ...earlier])
  const variants = ranked.map(({ tried, pnl, daily }, index): RankedVariant => {
    const sharpe = sharpeRatio(pnl)
    return {
      rank: index + 1,
      variant: tried.variant.index,
      label: tried.variant.label,
      changes: tried.variant.changes,
      daily,
      ...moneyOf(tried),
      sharpe:
        sharpe === null
          ? null
          : {
              perDay: sharpe.perDay,
              se: sharpe.se,
              probabilistic: sharpe.probabilistic,
              deflated: deflatedSharpe(sharpe, trials),
            },
      againstBest: estimate(less(pnl, ranked[0]?.pnl), draws),
      againstUnchanged: estimate(less(pnl, unchanged?.pnl), draws),
      digest: tried.result.digest,
      warnings: tried.result.warnings,
    }
  })
  return {
    days: days.length,
    trials: {
      ...trials,
      here: entries.length,
      earlier: earlier.length,
      expectedMaximumSharpe: expectedMaximumSharpe(trials),
    },
    variants,
  }
}

/** What variants are ranked by: the 5 % quantile, or the mean where there are too few days for one. */
export function scoreOf({ meanUsd, ci90 }: DailyEstimate): number {
  return ci90 === null ? meanUsd : ci90[0]
}

function estimate(values: Float64Array, draws: readonly Int32Array[]): DailyEstimate {
  const { mean } = moments(values)
  if (draws.length === 0) return { meanUsd: mean, ci90: null }
  const means = resampledMeans(values, draws)
  return { meanUsd: mean, ci90: [quantile(means, 0.05), quantile(means, 0.95)] }
}

function less(values: Float64Array, others: Float64Array | undefined): Float64Array {
  return values.map((value, index) => value - (others?.[index] ?? 0))
}

function trialsOf(series: readonly ArrayLike<number>[]): Trials {
  const ratios = series.flatMap((values) => sharpeRatio(values)?.perDay ?? [])
  return { count: series.length, varianceOfSharpe: moments(ratios).sd ** 2 }
}

function moneyOf({ result }: TriedVariant) {
  const { pnlUsd, turnoverUsd, fills, syntheticFills, maxDrawdownUsd } = result
  const turnover = Number(turnoverUsd)
  return {
    pnlUsd,
    turnoverUsd,
    yieldBps: turnover > 0 ? (Number(pnlUsd) / turnover) * 10_000 : null,
    fills,
    syntheticShare: fills === 0 ? 0 : syntheticFills / fills,
    maxDrawdownUsd,
  }
}
