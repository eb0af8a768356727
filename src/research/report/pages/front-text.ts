import type { Front, FrontPoint } from '../../sweep/search/front.ts'
import type { Combination } from '../../sweep/search/objectives.ts'
import { floatText } from '../../../base/text/numbers.ts'

/** Describes how a search played the simulated markets, and the limits of that. */
export function worldsText({ scenarios, seeds, days, feedTauBps }: NonNullable<Front['worlds']>): string {
  const feed =
    feedTauBps === null ? 'no reference feed' : `a reference feed with an error of ${feedTauBps} bps`
  return `${scenarios.join(', ')}: seeds 1 to ${seeds}, ${days} days each, ${feed}; these seeds chose the front, mizani tournament tests it on others`
}

/** Returns the metrics of a front: its objectives, then its constraints. */
export function columnsOf({ objectives, constraints }: Front): readonly string[] {
  return [...new Set([...objectives, ...constraints].map(({ metric }) => metric))]
}

export function combinationText(combination: Combination): string {
  if (combination === 'mean') return 'their mean'
  return combination === 'worst' ? 'the worst of them' : `judged by ${combination.of}`
}

/** Formats at most four significant digits: a backtest is no more precise. */
export function metricText(value: FrontPoint['metrics'][string]): string {
  if (value === null) return '-'
  const size = Math.abs(value)
  return floatText(value, size >= 100 ? 0 : size >= 1 ? 2 : 4)
}
