import { alignColumns } from '../../output/tables.ts'
import type { Heatmap, HeatmapCell } from '../../../research/sweep/ranking/heatmap.ts'
import type { DailyEstimate, RankedVariant } from '../../../research/sweep/ranking/rank-variants.ts'
import { shortKey } from '../../../research/sweep/variant.ts'
import type { SweepResult } from '../../../research/sweep/results/sweep-result.ts'
import type { StretchResult, WalkForward } from '../../../research/sweep/ranking/walk-forward.ts'
import { decimalText, floatText } from '../../../base/text/numbers.ts'
import type { Front } from '../../../research/sweep/search/front.ts'
import {
  columnsOf,
  combinationText,
  metricText,
  worldsText,
} from '../../../research/report/pages/front-text.ts'

const SHOWN = 15
const SHADES = [' ', '░', '▒', '▓', '█'] as const

/** Renders a finished sweep for a terminal: warnings first, then the ranking, the heatmap and walk-forward. */
export function renderSweep(result: SweepResult, out: string): string {
  const { ranking, walkForward, heatmap } = result
  const { trials } = ranking
  const before = trials.earlier === 0 ? '' : ` (${trials.earlier} of them in this folder before)`
  return [
    ...result.warnings.map((warning) => `warning   ${warning}`),
    `window    ${result.from.slice(0, 10)} to ${result.to.slice(0, 10)}, ${ranking.days} days, fills ${result.fills}`,
    `tried     ${trials.count} variants${before}; the best of as many without any edge would show a Sharpe of ${trials.expectedMaximumSharpe.toFixed(3)} a day`,
    '',
    ...rankingLines(ranking.variants),
    ...(heatmap === null ? [] : ['', ...heatmapLines(heatmap)]),
    ...(walkForward === null ? [] : ['', ...walkForwardLines(walkForward, ranking.variants.length)]),
    '',
    `written   ${out}: ranking.parquet, result.json, report.html${heatmap === null ? '' : ', heatmap.svg'}`,
  ].join('\n')
}

function rankingLines(variants: readonly RankedVariant[]): readonly string[] {
  const shown = variants.slice(0, SHOWN)
  const unchanged = variants.find(({ variant }) => variant === 0)
  if (unchanged !== undefined && !shown.includes(unchanged)) shown.push(unchanged)
  const rows = shown.map(({ rank, daily, againstUnchanged, sharpe, yieldBps, fills, label }) => [
    String(rank),
    daily.ci90 === null ? '-' : usd(daily.ci90[0]),
    usd(daily.meanUsd),
    estimateText(againstUnchanged),
    sharpe === null ? '-' : sharpe.perDay.toFixed(3),
    sharpe === null ? '-' : sharpe.deflated.toFixed(3),
    yieldBps === null ? '-' : yieldBps.toFixed(2),
    floatText(fills, 0),
    label,
  ])
  const head = ['rank', 'q05', 'mean', 'against unchanged', 'Sharpe', 'deflated', 'bps', 'fills', 'variant']
  const more = variants.length - shown.length
  return [
    'USD a day, less holding the opening position; ranked by the 5 % quantile of the mean',
    ...table([head, ...rows]),
    ...(more > 0 ? [`and ${more} more in ranking.parquet`] : []),
    ...withoutSharpe(shown),
  ]
}

/** Returns why a Sharpe ratio is `-`. */
function withoutSharpe(shown: readonly RankedVariant[]): readonly string[] {
  const without = shown.filter(({ sharpe }) => sharpe === null)
  if (without.length === 0) return []
  const why = without.every(({ fills }) => fills === 0)
    ? 'a variant without fills has no Sharpe ratio'
    : 'fewer than three days, or days that all brought the same, have no Sharpe ratio'
  return [`Sharpe -: ${why}`]
}

function estimateText({ meanUsd, ci90 }: DailyEstimate): string {
  if (ci90 === null) return signed(meanUsd)
  return `${signed(meanUsd)} [${signed(ci90[0])}, ${signed(ci90[1])}]`
}

function heatmapLines({ rows, columns, cells }: Heatmap): readonly string[] {
  const scores = cells.flatMap((row) => row.flatMap((cell) => cell?.score ?? []))
  const [low, high] = [Math.min(...scores), Math.max(...scores)]
  const cellText = (cell: HeatmapCell): string => {
    if (cell === null) return '.'
    const share = high > low ? (cell.score - low) / (high - low) : 1
    const shade = SHADES[Math.min(SHADES.length - 1, Math.floor(share * SHADES.length))] ?? ' '
    return `${shade} ${usd(cell.score)}${cell.score === high ? '*' : ' '}`
  }
  const down = rows === null ? '' : `${shortKey(rows.path)} down, `
  const body = cells.map((row, index) => [rows?.levels[index] ?? '', ...row.map(cellText), ''])
  return [
    `q05 of the best at each place: ${down}${shortKey(columns.path)} across`,
    ...table([['', ...columns.levels.map((level) => `${level} `), ''], ...body]),
  ]
}

function walkForwardLines(forward: WalkForward, variants: number): readonly string[] {
  const rows = forward.splits.map((split) => [
    `${split.from} to ${split.to}`,
    signed(split.choice.pnlUsd),
    `${split.placeAfterwards} of ${variants}`,
    signed(split.bestInHindsight.pnlUsd),
    signed(split.unchanged.pnlUsd),
    nameOf(split.choice),
  ])
  const { choicesUsd, bestInHindsightUsd, unchangedUsd } = forward
  return [
    'walk-forward: chosen on all days before, held to the unseen days; USD over those days',
    ...table([
      ['unseen days', 'brought', 'place', 'best', 'unchanged', 'chosen'],
      ...rows,
      ['all', signed(choicesUsd), '', signed(bestInHindsightUsd), signed(unchangedUsd), ''],
    ]),
  ]
}

function nameOf({ variant, label }: StretchResult): string {
  return variant === 0 ? 'unchanged' : label
}

/** Aligns all columns except the last to the right. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const last = (rows[0]?.length ?? 0) - 1
  return alignColumns(rows, (column) => column === last)
}

function usd(value: number): string {
  return decimalText(value.toFixed(6), 2)
}

function signed(value: number): string {
  return decimalText(value.toFixed(6), 2, 'plus')
}

const FRONT_SHOWN = 20

/** Renders a finished search for a terminal: the front with its objectives, and the unchanged configuration. */
export function renderFront(front: Front, out: string, hasTapes: boolean): string {
  const { objectives, constraints, tried, invalid, seed, generations, population } = front
  const names = columnsOf(front)
  const rows = [front.unchanged, ...front.front.slice(0, FRONT_SHOWN)].map((point, place) => [
    place === 0 ? 'unchanged' : String(point.variant),
    ...names.map((name) => metricText(point.metrics[name] ?? null)),
    place === 0 ? '' : point.label,
  ])
  const more = front.front.length - FRONT_SHOWN
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
