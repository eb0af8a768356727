import { formatDecimalText, parseDecimalText } from '../../../base/money/decimal-text.ts'
import type { PositionSummary } from '../../view/position-summary.ts'

const PLACES = 6

/** The amounts of a summary that can be summed over positions. */
export const SUMMED = [
  'pnlTodayUsd',
  'pnlTotalUsd',
  'deployedUsd',
  'outstandingUsd',
  'heldUsd',
  'lossUsd',
] as const
export type Summed = (typeof SUMMED)[number]

type ListTotals = Readonly<Record<Summed, string>> & {
  readonly positions: number
  readonly active: number
  readonly reducing: number
  readonly halted: number
  /** The positions that do not answer or do not run. */
  readonly silent: number
  readonly notReady: number
  /** The positions with an unknown amount, which that sum omits. */
  readonly unvalued: number
}

/** Returns counts and exact sums. */
export function totalsOf(summaries: readonly PositionSummary[]): ListTotals {
  const sums = Object.fromEntries(SUMMED.map((name) => [name, 0n])) as Record<Summed, bigint>
  const counts = { active: 0, reducing: 0, halted: 0, silent: 0, notReady: 0, unvalued: 0 }
  for (const summary of summaries) {
    let isValued = true
    for (const name of SUMMED) {
      const value = microDollars(summary[name])
      if (value === null) isValued = false
      else sums[name] += value
    }
    if (!isValued) counts.unvalued += 1
    if (!summary.answered) counts.silent += 1
    else if (summary.tradingState === 'HALTED') counts.halted += 1
    else if (summary.tradingState === 'REDUCING') counts.reducing += 1
    else counts.active += 1
    if (!summary.ready) counts.notReady += 1
  }
  const texts = SUMMED.map((name) => [name, formatDecimalText(sums[name], PLACES)])
  return {
    positions: summaries.length,
    ...counts,
    ...(Object.fromEntries(texts) as Record<Summed, string>),
  }
}

/** Returns millionths of a dollar; null = unknown. */
export function microDollars(text: string | null): bigint | null {
  if (text === null) return null
  const parsed = parseDecimalText(text, PLACES)
  return parsed.ok ? parsed.value : null
}
