import { type Figure, figureText, pointsChart, signedText } from '../figures/figure.ts'
import { renderHeatTable } from '../heat-table.ts'
import type { Markup } from '../../../base/text/markup.ts'
import { renderPage } from '../render-page.ts'
import type { ReportTable } from '../report-data.ts'
import type { Heatmap } from '../../sweep/ranking/heatmap.ts'
import { type RankedVariant, rankScoreOf } from '../../sweep/ranking/rank-variants.ts'
import type { WalkForward } from '../../sweep/ranking/walk-forward.ts'
import type { SweepResult } from '../../sweep/results/sweep-result.ts'
import { shortKey, valueText } from '../../sweep/variant.ts'
import { countText } from '../../../base/text/numbers.ts'

/** Rows of the chart, and of the table; all variants are in ranking.parquet. */
const CHARTED = 16
const TABLED = 200
const SCATTERED = 1_000

/** Returns a sweep as one HTML file: ranking with its intervals, heatmap, mean against drawdown, walk-forward. */
export function sweepPage(result: SweepResult): string {
  const { ranking, walkForward, heatmap, warnings } = result
  const [best] = ranking.variants
  return renderPage({
    title: `Sweep of ${countText(ranking.variants.length, 'variant')}, ${result.from.slice(0, 10)} to ${result.to.slice(0, 10)}`,
    warnings,
    headline: headlineOf(result, best),
    ...(heatmap === null ? {} : { lead: [heatOf(heatmap)] }),
    figures: [
      rankingFigure(ranking.variants),
      scatterFigure(ranking.variants),
      ...(walkForward === null ? [] : [walkForwardFigure(walkForward, ranking.variants.length)]),
    ],
    tables: [rankingTable(ranking.variants), settingsTable(result)],
  })
}

function headlineOf({ ranking }: SweepResult, best: RankedVariant | undefined) {
  const { trials, days } = ranking
  const sharpe = best?.sharpe ?? null
  return [
    {
      label: 'Best by the lower bound, USD a day less holding',
      value: best === undefined ? 'none' : signedText(rankScoreOf(best.daily), 2),
      note: best === undefined ? 'no variant' : `${best.label}; mean ${signedText(best.daily.meanUsd, 2)}`,
    },
    {
      label: 'Deflated Sharpe',
      value: sharpe === null ? 'unknown' : figureText(sharpe.deflated, 3),
      note: 'probability that the best variant beats the expected luck of all trials',
    },
    {
      label: 'Variants tried',
      value: figureText(trials.count, 0),
      note:
        trials.earlier === 0
          ? 'in this sweep'
          : `${figureText(trials.earlier, 0)} of them in this folder before`,
    },
    {
      label: 'Luck alone',
      value: figureText(trials.expectedMaximumSharpe, 3),
      note: 'expected Sharpe per day of the best of as many variants without an edge',
    },
    { label: 'Days', value: figureText(days, 0) },
  ]
}

function nameOf({ variant, label }: RankedVariant): string {
  return variant === 0 ? 'unchanged' : label
}

/** The best variants, and the unchanged configuration at any rank. */
function rankingFigure(variants: readonly RankedVariant[]): Figure {
  const shown = variants.slice(0, CHARTED)
  const unchanged = variants.find(({ variant }) => variant === 0)
  if (unchanged !== undefined && !shown.includes(unchanged)) shown.push(unchanged)
  const keys = sharedKeys(shown)
  const rows = keys.length < 2 ? '' : ` A row: ${keys.map(shortKey).join(' / ')}.`
  const place = unchanged === undefined ? '' : ` The unchanged configuration has rank ${unchanged.rank}.`
  return {
    id: 'ranking',
    title: 'The best variants',
    unit: 'USD a day less holding, mean with 90 % interval',
    digits: 2,
    words:
      shown.length === 0
        ? 'No variant was tried.'
        : `${countText(variants.length, 'variant')}, ranked by the lower end of the interval, so that luck on a few days counts little.${place}${rows}`,
    size: 'whole',
    ...(shown.length > 9 ? { height: 'tall' } : {}),
    chart: pointsChart(
      'rows',
      'fills',
      shown.map((variant) => ({
        label: rowName(variant, keys),
        value: variant.daily.meanUsd,
        interval: variant.daily.ci90,
        note: figureText(variant.fills, 0),
      })),
    ),
  }
}

/** Returns the keys that all variants except the unchanged configuration set; empty = they set different ones. */
function sharedKeys(variants: readonly RankedVariant[]): readonly string[] {
  const lists = variants.filter(({ variant }) => variant !== 0).map(({ changes }) => Object.keys(changes))
  const [first = []] = lists
  return lists.every((keys) => keys.join() === first.join()) ? first : []
}

/** Returns only the values if all rows have the same keys, because a phone has no room for more. */
function rowName(variant: RankedVariant, keys: readonly string[]): string {
  if (variant.variant === 0 || keys.length < 2) return nameOf(variant)
  return keys.map((key) => valueText(variant.changes[key] ?? null)).join(' / ')
}

function scatterFigure(all: readonly RankedVariant[]): Figure {
  const variants = all.slice(0, SCATTERED)
  const drawdowns = variants.map(({ maxDrawdownUsd }) => maxDrawdownUsd)
  const ends = Float64Array.of(Math.min(...drawdowns), Math.max(...drawdowns))
  return {
    id: 'scatter',
    title: 'Mean PnL against the deepest drawdown',
    unit: 'USD a day',
    digits: 2,
    words:
      variants.length === 0
        ? 'No variant was tried.'
        : `Each dot is a variant${all.length > SCATTERED ? `, the best ${figureText(SCATTERED, 0)} of them` : ''}: high and to the left is better.`,
    chart:
      variants.length === 0
        ? null
        : {
            kind: 'plane',
            xUnit: 'USD',
            x: ends,
            lines: [],
            points: {
              name: 'A variant',
              all: variants.map((variant) => ({
                x: variant.maxDrawdownUsd,
                y: variant.daily.meanUsd,
                label: `${nameOf(variant)}:`,
              })),
            },
          },
  }
}

/** Shows whether choosing by this ranking would have helped: the later PnL of each choice. */
function walkForwardFigure(forward: WalkForward, variants: number): Figure {
  const { splits, choicesUsd, bestInHindsightUsd, unchangedUsd } = forward
  return {
    id: 'walk-forward',
    title: 'Walk-forward: the choice less the unchanged configuration',
    unit: 'USD over the unseen days',
    digits: 2,
    words: `Chosen on the days before and measured on the unseen days: ${signedText(choicesUsd, 2)} USD; unchanged ${signedText(unchangedUsd, 2)}, the best in hindsight ${signedText(bestInHindsightUsd, 2)}. A row is the choice less the unchanged configuration over one stretch of unseen days.`,
    chart: {
      kind: 'rows',
      noteOf: `of ${variants} in hindsight`,
      points: splits.map(({ from, to, choice, unchanged, placeAfterwards }) => ({
        label: `${from.slice(0, 10)} to ${to.slice(0, 10)}`,
        value: choice.pnlUsd - unchanged.pnlUsd,
        note: String(placeAfterwards),
      })),
    },
    table: {
      title: 'Walk-forward as a table',
      head: ['Unseen days', 'Brought, USD', 'Place', 'Best, USD', 'Unchanged, USD', 'Chosen'],
      rows: splits.map((split) => [
        `${split.from} to ${split.to}`,
        signedText(split.choice.pnlUsd, 2),
        `${split.placeAfterwards} of ${variants}`,
        signedText(split.bestInHindsight.pnlUsd, 2),
        signedText(split.unchanged.pnlUsd, 2),
        split.choice.variant === 0 ? 'unchanged' : split.choice.label,
      ]),
      folded: true,
    },
  }
}

function heatOf({ rows, columns, cells }: Heatmap): Markup {
  const scores = cells.flatMap((row) => row.flatMap((cell) => cell?.score ?? []))
  const largest = Math.max(...scores.map(Math.abs), Number.MIN_VALUE)
  const best = Math.max(...scores)
  return renderHeatTable({
    title: rows === null ? shortKey(columns.path) : `${shortKey(rows.path)} by ${shortKey(columns.path)}`,
    words: `5 % quantile of the mean daily PnL less holding, USD, with all other keys at their best. Across: ${shortKey(columns.path)}. Blue earns, red loses; framed is the best.`,
    corner: rows === null ? '' : shortKey(rows.path),
    columns: columns.levels,
    rows: cells.map((row, index) => ({
      name: rows?.levels[index] ?? '',
      cells: row.map((cell) =>
        cell === null
          ? null
          : { text: cell.score.toFixed(2), share: cell.score / largest, isBest: cell.score === best },
      ),
    })),
  })
}

function rankingTable(all: readonly RankedVariant[]): ReportTable {
  return {
    title:
      all.length > TABLED
        ? `The first ${TABLED} of ${figureText(all.length, 0)} variants as a table`
        : 'All variants as a table',
    head: [
      'Rank',
      'Variant',
      '5 %, USD a day',
      'Mean',
      'Against unchanged',
      'Sharpe a day',
      'Deflated',
      'Yield, bps',
      'Drawdown, USD',
      'Fills',
    ],
    rows: all
      .slice(0, TABLED)
      .map((variant) => [
        String(variant.rank),
        nameOf(variant),
        variant.daily.ci90 === null ? '-' : signedText(variant.daily.ci90[0], 2),
        signedText(variant.daily.meanUsd, 2),
        signedText(variant.againstUnchanged.meanUsd, 2),
        variant.sharpe === null ? '-' : figureText(variant.sharpe.perDay, 3),
        variant.sharpe === null ? '-' : figureText(variant.sharpe.deflated, 3),
        variant.yieldBps === null ? '-' : figureText(variant.yieldBps, 2),
        figureText(variant.maxDrawdownUsd, 2),
        figureText(variant.fills, 0),
      ]),
    folded: true,
  }
}

function settingsTable({ fills, seed, from, to, tape, product, digest }: SweepResult): ReportTable {
  return {
    title: 'Settings of the sweep',
    head: ['', ''],
    rows: [
      ['window', `${from} to ${to}`],
      ['fill model', fills],
      ['seed', String(seed)],
      ['tape, sha256', tape],
      ['version', product],
      ['digest', digest],
    ],
  }
}
