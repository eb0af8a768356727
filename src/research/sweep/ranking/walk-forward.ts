import { DAY_MS, type Ms } from '../../../base/time.ts'
import { moments, quantileOfUnsorted } from '../../../core/models/sample-statistics.ts'
import { blockDraws, resampledMeans } from './block-draws.ts'
import type { Contest } from './rank-variants.ts'

/** One variant over one range of days. */
export type StretchResult = { readonly variant: number; readonly label: string; readonly pnlUsd: number }

type WalkForwardSplit = {
  readonly trainDays: number
  /** The days that the choice could not see, UTC: from inclusive, to exclusive. */
  readonly from: string
  readonly to: string
  readonly testDays: number
  /** Best variant over the earlier days, with its later PnL. */
  readonly choice: StretchResult
  /** Its rank among all variants on the unseen days, from 1. */
  readonly placeAfterwards: number
  readonly bestInHindsight: StretchResult
  readonly unchanged: StretchResult
}

export type WalkForward = {
  readonly splits: readonly WalkForwardSplit[]
  /** Dollars over all unseen days. */
  readonly choicesUsd: number
  readonly bestInHindsightUsd: number
  readonly unchangedUsd: number
}

/**
 * Tests whether choosing by this ranking would have helped. The days are cut into `splits` + 1 equal stretches; for
 * each but the first, the ranking chooses on all earlier days and the choice is measured on this stretch. Every
 * variant ran over the whole window, so a split is a slice of its daily PnL, starting from the variant's own
 * position. Null = fewer days than stretches.
 */
export function walkForward({ days, entries }: Contest, splits: number, seed: number): WalkForward | null {
  const stretches = splits + 1
  if (days.length < stretches || entries.length === 0) return null
  const cuts = Array.from({ length: stretches + 1 }, (_, i) => Math.round((i * days.length) / stretches))
  const found: WalkForwardSplit[] = []
  for (let split = 1; split < stretches; split++) {
    const start = cuts[split] ?? 0
    const end = cuts[split + 1] ?? days.length
    const chosen = bestUntil(entries, start, seed)
    const on = (index: number): StretchResult => {
      const { variant } = entries[index]?.tried ?? NOBODY
      return { variant: variant.index, label: variant.label, pnlUsd: sumOf(entries[index]?.pnl, start, end) }
    }
    const all = entries.map((_, index) => on(index))
    const byPnl = [...all].sort((a, b) => b.pnlUsd - a.pnlUsd || a.variant - b.variant)
    const choice = on(chosen)
    found.push({
      trainDays: start,
      from: dayText(days[start] ?? 0),
      to: dayText((days[end - 1] ?? 0) + DAY_MS),
      testDays: end - start,
      choice,
      placeAfterwards: byPnl.findIndex(({ variant }) => variant === choice.variant) + 1,
      bestInHindsight: byPnl[0] ?? choice,
      unchanged: all.find(({ variant }) => variant === 0) ?? choice,
    })
  }
  const total = (pick: (split: WalkForwardSplit) => StretchResult) =>
    found.reduce((sum, split) => sum + pick(split).pnlUsd, 0)
  return {
    splits: found,
    choicesUsd: total(({ choice }) => choice),
    bestInHindsightUsd: total(({ bestInHindsight }) => bestInHindsight),
    unchangedUsd: total(({ unchanged }) => unchanged),
  }
}

const NOBODY = { variant: { index: 0, label: '' } }

/** Returns the index of the entry that ranks first on the days before `end`. */
function bestUntil(entries: Contest['entries'], end: number, seed: number): number {
  const draws = blockDraws(end, seed)
  let best = 0
  let bestScore = -Infinity
  entries.forEach(({ scored }, index) => {
    const values = scored.subarray(0, end)
    const means = resampledMeans(values, draws)
    const score = means.length === 0 ? moments(values).mean : quantileOfUnsorted(means, 0.05)
    if (score > bestScore) {
      best = index
      bestScore = score
    }
  })
  return best
}

function dayText(t: Ms): string {
  return new Date(t).toISOString().slice(0, 10)
}

function sumOf(values: Float64Array | undefined, start: number, end: number): number {
  let sum = 0
  for (let i = start; i < end; i++) sum += values?.[i] ?? 0
  return sum
}
