import type { Front, FrontPoint } from '../../../sweep/search/front.ts'
import type { Combination } from '../../../sweep/search/objectives.ts'
import { floatText } from '../../../text/numbers.ts'
import { alignColumns } from '../../output/tables.ts'

const SHOWN = 20

/** A finished search for a terminal: the front with its objectives beside the configuration as it is. */
export function renderFront(front: Front, out: string, hasTapes: boolean): string {
  const { objectives, constraints, tried, invalid, seed, generations, population } = front
  const names = columnsOf(front)
  const rows = [front.unchanged, ...front.front.slice(0, SHOWN)].map((point, place) => [
    place === 0 ? 'unchanged' : String(point.variant),
    ...names.map((name) => metricText(point.metrics[name] ?? null)),
    place === 0 ? '' : point.label,
  ])
  const more = front.front.length - SHOWN
  return [
    `searched  ${objectives.map(({ metric, goal }) => `${goal} ${metric}`).join(', ')}`,
    ...(constraints.length === 0
      ? []
      : [
          `kept to   ${constraints.map(({ metric, relation, bound }) => `${metric}${relation}${bound}`).join(', ')}`,
        ]),
    `over      ${front.grounds.join(', ')}${front.grounds.length === 1 ? '' : `, ${combinationText(front.combination)}`}`,
    ...(front.worlds === undefined ? [] : [`played    ${worldsText(front.worlds)}`]),
    `tried     ${tried} variants in at most ${generations} generations of ${population}, seed ${seed}${invalid === 0 ? '' : `; ${invalid} combinations are no valid configuration`}`,
    '',
    front.front.length === 0
      ? `no variant keeps to the constraints${hasTapes ? '; the nearest is in ranking.parquet' : ''}`
      : `the front: ${front.front.length} variants, none of which is better than another one in everything`,
    ...alignColumns([['variant', ...names, 'changes'], ...rows], (column) => column === names.length + 1),
    ...(more > 0 ? [`and ${more} more in front.json`] : []),
    '',
    `written   ${out}: ${filesOf(front, hasTapes).join('; ')}`,
  ].join('\n')
}

function filesOf({ worlds, tried }: Front, hasTapes: boolean): readonly string[] {
  return [
    'front.html, front.json',
    hasTapes
      ? [`ranking.parquet and result.json with walk-forward and deflated Sharpe ratios over all ${tried}`]
      : [],
    worlds === undefined ? [] : ['results.jsonl with every world'],
  ].flat()
}

/** How the simulated markets of a search were played, and what that leaves open. */
export function worldsText({ scenarios, seeds, days, feedTauBps }: NonNullable<Front['worlds']>): string {
  const feed =
    feedTauBps === null ? 'no reference feed' : `a reference feed with an error of ${feedTauBps} bps`
  return `${scenarios.join(', ')}: seeds 1 to ${seeds}, ${days} days each, ${feed}; these seeds chose the front, mizani tournament holds it to others`
}

/** The metrics that a front shows: its objectives, then what it is constrained by. */
export function columnsOf({ objectives, constraints }: Front): readonly string[] {
  return [...new Set([...objectives, ...constraints].map(({ metric }) => metric))]
}

export function combinationText(combination: Combination): string {
  if (combination === 'mean') return 'their mean'
  return combination === 'worst' ? 'the worst of them' : `judged by ${combination.of}`
}

/** At most four significant decimals: what a backtest says of a figure is no more exact. */
export function metricText(value: FrontPoint['metrics'][string]): string {
  if (value === null) return '-'
  const size = Math.abs(value)
  return floatText(value, size >= 100 ? 0 : size >= 1 ? 2 : 4)
}
