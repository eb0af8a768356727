import type { Front } from '../../../research/sweep/search/front.ts'
import {
  columnsOf,
  combinationText,
  metricText,
  worldsText,
} from '../../../research/report/pages/front-text.ts'
import { alignColumns } from '../../output/tables.ts'

const SHOWN = 20

/** Renders a finished search for a terminal: the front with its objectives, and the unchanged configuration. */
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
      : `the front: ${front.front.length} variants; none is better than another in every objective`,
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
