import { DAY_MS, HOUR_MS, type Ms } from '../../../base/time.ts'
import type { DailyResult, TriedVariant, VariantResult } from '../variant-job.ts'
import {
  deflatedSharpe,
  expectedMaximumSharpe,
  type SharpeRatio,
  sharpeRatio,
  type Trials,
} from '../../models/sharpe.ts'
import { moments, quantileOfUnsorted } from '../../../core/models/sample-statistics.ts'
import { blockDraws, resampledMeans, type BlockDraws } from './block-draws.ts'
import type { VariantChanges } from '../variant.ts'
import { yieldBpsOf } from '../../backtest/result.ts'

/** Variants with their daily PnL on the same days. */
export type Contest = {
  readonly days: readonly Ms[]
  /** What variants are ranked by: PnL less holding, unless a result is from a version without it. */
  readonly rankedBy: DailyFigure
  readonly entries: readonly {
    readonly tried: TriedVariant
    readonly pnl: Float64Array
    /** Null in results of versions without it. */
    readonly lessHolding: Float64Array | null
    /** The daily figure of `rankedBy`. */
    readonly scored: Float64Array
  }[]
}

/** The PnL, or less what holding the opening position gains: a gain of the market that every variant shares and none earns. */
type DailyFigure = 'pnlLessHolding' | 'pnl'

const SHORTEST_MS = 12 * HOUR_MS

/**
 * Aligns the daily PnL of all variants with the days of the first one. A first or last day of under 12 h is joined to its
 * neighbour so that all days have comparable variance.
 */
export function contestOf(tried: readonly TriedVariant[]): Contest {
  const [first] = tried
  if (first === undefined) return { days: [], rankedBy: 'pnl', entries: [] }
  const place = placesOf(first.result)
  const days = [...place].filter(([, at], index, all) => all[index - 1]?.[1] !== at).map(([day]) => day)
  const entries = tried.map((one) => {
    const { day, pnlUsd, lessHoldingUsd } = one.result.daily
    const laid = (values: readonly number[]): Float64Array => {
      const sums = new Float64Array(days.length)
      day.forEach((at, index) => {
        const to = place.get(at)
        if (to !== undefined) sums[to] = (sums[to] ?? 0) + (values[index] ?? 0)
      })
      return sums
    }
    return {
      tried: one,
      pnl: laid(pnlUsd),
      lessHolding: lessHoldingUsd === undefined && day.length > 0 ? null : laid(lessHoldingUsd ?? []),
    }
  })
  const isLess = entries.every(({ lessHolding }) => lessHolding !== null)
  return {
    days,
    rankedBy: isLess ? 'pnlLessHolding' : 'pnl',
    entries: entries.map((one) => ({ ...one, scored: (isLess ? one.lessHolding : null) ?? one.pnl })),
  }
}

/** Returns the index of the contest's day for each UTC day of a run. */
function placesOf({ from, to, daily: { day: days } }: VariantResult): ReadonlyMap<Ms, number> {
  const last = days.length - 1
  const headIsShort = last > 0 && (days[0] ?? 0) + DAY_MS - from < SHORTEST_MS
  const tailIsShort = last > (headIsShort ? 1 : 0) && to - (days[last] ?? 0) < SHORTEST_MS
  return new Map(
    days.map((day, index) => {
      const whole = tailIsShort && index === last ? index - 1 : index
      return [day, Math.max(0, whole - (headIsShort ? 1 : 0))]
    }),
  )
}

/** Dollars per day: the mean, and the 90 % interval of the block bootstrap; null = fewer than two days. */
export type DailyEstimate = { readonly meanUsd: number; readonly ci90: readonly [number, number] | null }

export type RankedVariant = Pick<
  VariantResult,
  'variant' | 'pnlUsd' | 'turnoverUsd' | 'fills' | 'maxDrawdownUsd' | 'digest' | 'warnings'
> & {
  /** From 1. */
  readonly rank: number
  readonly label: string
  readonly changes: VariantChanges
  /** The lower end is the 5 % quantile, by which variants are ranked. */
  readonly daily: DailyEstimate
  /** PnL per dollar traded; null = too little was traded. */
  readonly yieldBps: number | null
  readonly syntheticShare: number
  readonly sharpe: {
    readonly perDay: number
    readonly se: number
    /** Probability that the true ratio is above 0, and above the expected maximum of all trials. */
    readonly probabilistic: number
    readonly deflated: number
  } | null
  /** This variant less the other one, on the same blocks of days. */
  readonly againstBest: DailyEstimate
  readonly againstUnchanged: DailyEstimate
}

export type Ranking = {
  readonly days: number
  /** Daily figure of the Sharpe ratios: PnL less holding, unless a trial's result is from an older version. */
  readonly sharpeOf: DailyFigure
  /** Daily figure of `daily` and the differences; that of the Sharpe ratios, but for trials before this sweep. */
  readonly rankedBy: DailyFigure
  readonly trials: {
    readonly count: number
    readonly here: number
    /** Tried before in this folder. */
    readonly earlier: number
    readonly varianceOfSharpe: number
    /** Expected maximum Sharpe ratio of that many worthless variants, per day. */
    readonly expectedMaximumSharpe: number
  }
  readonly variants: readonly RankedVariant[]
}

/** Adjusts the number of trials beyond the variants of the sweep. */
export type OtherTrials = {
  /** Daily results of configurations that were tried earlier. */
  readonly earlier: readonly Pick<DailyResult, 'pnlUsd' | 'lessHoldingUsd'>[]
  /** Variants whose configuration duplicates another one of the sweep; they are not separate trials. */
  readonly twins: ReadonlySet<number>
}

/** Ranks by the 5 % quantile of the mean daily PnL less holding, which gives little weight to lucky days. */
export function rankVariants(
  { days, entries, rankedBy }: Contest,
  { earlier, twins }: OtherTrials,
  seed: number,
): Ranking {
  const draws = blockDraws(days.length, seed)
  // The two kinds of ratio are not comparable: if one result lacks the PnL less holding, all ratios use the PnL.
  const isLess =
    rankedBy === 'pnlLessHolding' && earlier.every(({ lessHoldingUsd }) => lessHoldingUsd !== undefined)
  const estimates = entries.map(({ tried, pnl, lessHolding, scored }) => ({
    tried,
    scored,
    sharpe: sharpeRatio((isLess ? lessHolding : null) ?? pnl),
    daily: estimate(scored, draws),
  }))
  const unchanged = estimates.find(({ tried }) => tried.variant.index === 0)
  const ranked = [...estimates].sort(
    (a, b) => rankScoreOf(b.daily) - rankScoreOf(a.daily) || a.tried.variant.index - b.tried.variant.index,
  )
  const here = estimates.filter(({ tried }) => !twins.has(tried.variant.index)).map(({ sharpe }) => sharpe)
  const before = earlier.map(({ pnlUsd, lessHoldingUsd }) =>
    sharpeRatio((isLess ? lessHoldingUsd : null) ?? pnlUsd),
  )
  const trials = trialsOf([...here, ...before])
  const variants = ranked.map(({ tried, scored, daily, sharpe }, index): RankedVariant => ({
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
    againstBest: estimate(less(scored, ranked[0]?.scored), draws),
    againstUnchanged: estimate(less(scored, unchanged?.scored), draws),
    digest: tried.result.digest,
    warnings: tried.result.warnings,
  }))
  return {
    days: days.length,
    sharpeOf: isLess ? 'pnlLessHolding' : 'pnl',
    rankedBy,
    trials: {
      ...trials,
      here: here.length,
      earlier: earlier.length,
      expectedMaximumSharpe: expectedMaximumSharpe(trials),
    },
    variants,
  }
}

/** Returns the score that ranks variants: the 5 % quantile, or the mean with too few days. */
export function rankScoreOf({ meanUsd, ci90 }: DailyEstimate): number {
  return ci90 === null ? meanUsd : ci90[0]
}

function estimate(values: Float64Array, draws: BlockDraws): DailyEstimate {
  const { mean } = moments(values)
  if (draws.replicates.length === 0) return { meanUsd: mean, ci90: null }
  const means = resampledMeans(values, draws)
  return { meanUsd: mean, ci90: [quantileOfUnsorted(means, 0.05), quantileOfUnsorted(means, 0.95)] }
}

function less(values: Float64Array, others: Float64Array | undefined): Float64Array {
  return values.map((value, index) => value - (others?.[index] ?? 0))
}

function trialsOf(tried: readonly (SharpeRatio | null)[]): Trials {
  const ratios = tried.flatMap((ratio) => ratio?.perDay ?? [])
  return { count: tried.length, varianceOfSharpe: moments(ratios).sd ** 2 }
}

function moneyOf({ result }: TriedVariant) {
  const { pnlUsd, turnoverUsd, fills, syntheticFills, maxDrawdownUsd } = result
  return {
    pnlUsd,
    turnoverUsd,
    yieldBps: yieldBpsOf(Number(pnlUsd), Number(turnoverUsd)),
    fills,
    syntheticShare: fills === 0 ? 0 : syntheticFills / fills,
    maxDrawdownUsd,
  }
}
