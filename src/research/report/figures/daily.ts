import { type Figure, figureText, signedText, unbroken } from './figure.ts'
import type { ReportData } from '../report-data.ts'
import { quantile } from '../../../core/models/sample-statistics.ts'
import { dateText } from '../../../base/text/times.ts'

type Days = ReportData['days']

/** The table omits earlier days beyond this number. */
const MOST_ROWS = 400

/** PnL of each UTC day, and the same less the gain from holding the opening position. */
export function dailyFigure({ days }: Pick<ReportData, 'days'>): Figure {
  const { t, pnlUsd, lessHoldingUsd, fills } = days
  const hasDays = pnlUsd.some(Number.isFinite)
  const shownFrom = Math.max(0, t.length - MOST_ROWS)
  const rows = Array.from(t.subarray(shownFrom), (day, i) => [
    dateText(day),
    signedText(pnlUsd[shownFrom + i] ?? NaN, 2),
    signedText(lessHoldingUsd[shownFrom + i] ?? NaN, 2),
    figureText(fills[shownFrom + i] ?? NaN, 0),
  ])
  return {
    id: 'daily',
    title: 'PnL by day',
    unit: 'USD',
    digits: 2,
    words: hasDays ? dailyWords(days) : 'The run has no days.',
    chart: hasDays
      ? {
          kind: 'days',
          t,
          lines: [
            { name: 'PnL', colour: 'blue', values: pnlUsd },
            { name: 'PnL less holding', colour: 'ochre', values: lessHoldingUsd },
          ],
        }
      : null,
    table: {
      title: shownFrom === 0 ? 'The days as a table' : `The last ${MOST_ROWS} of ${t.length} days as a table`,
      head: ['UTC day', 'PnL, USD', 'PnL less holding, USD', 'Fills'],
      rows: hasDays ? rows : [],
      folded: true,
    },
  }
}

function dailyWords({ t, pnlUsd, lessHoldingUsd }: Days): string {
  const pnl = summaryOf(pnlUsd)
  const days = pnl.count === 1 ? 'one day' : `${figureText(pnl.count, 0)} days`
  const worst = unbroken(dateText(t[pnlUsd.indexOf(pnl.lowest)] ?? NaN))
  const best = unbroken(dateText(t[pnlUsd.indexOf(pnl.highest)] ?? NaN))
  return [
    `PnL ${signedText(pnl.mean, 2)} USD a day on average over ${days}, ${figureText(pnl.losing, 0)} with a loss;`,
    `worst ${signedText(pnl.lowest, 2)} (${worst}), best ${signedText(pnl.highest, 2)} (${best}).`,
    `Less the gain from holding the opening position: ${signedText(summaryOf(lessHoldingUsd).mean, 2)} USD a day.`,
  ].join(' ')
}

type Summary = {
  readonly count: number
  readonly mean: number
  readonly lowest: number
  readonly highest: number
  readonly losing: number
}

function summaryOf(values: Float64Array): Summary {
  const known = values.filter(Number.isFinite)
  return {
    count: known.length,
    mean: known.reduce((sum, value) => sum + value, 0) / known.length,
    lowest: known.reduce((lowest, value) => Math.min(lowest, value), Infinity),
    highest: known.reduce((highest, value) => Math.max(highest, value), -Infinity),
    losing: known.filter((value) => value < 0).length,
  }
}

const FEWEST_DAYS = 5
const MOST_BINS = 24

/** Histogram of the days' PnL. */
export function histogramFigure({ days }: Pick<ReportData, 'days'>): Figure {
  const pnl = days.pnlUsd.filter(Number.isFinite)
  const less = days.lessHoldingUsd.filter(Number.isFinite)
  const edges = pnl.length < FEWEST_DAYS ? null : binEdges([...pnl, ...less])
  return {
    id: 'histogram',
    title: 'Days by their PnL',
    unit: 'days',
    digits: 0,
    words:
      edges === null
        ? `Too few days for a distribution: ${figureText(pnl.length, 0)} of ${FEWEST_DAYS}.`
        : `Half of the days are below ${signedText(middleOf(pnl), 2)} USD, one in twenty below ${signedText(quantileOf(pnl, 0.05), 2)}; less holding, below ${signedText(middleOf(less), 2)} and ${signedText(quantileOf(less, 0.05), 2)}.`,
    chart:
      edges === null
        ? null
        : {
            kind: 'plane',
            xUnit: 'USD',
            x: edges,
            step: true,
            toZero: true,
            lines: [
              { name: 'PnL', colour: 'blue', values: countsIn(edges, pnl) },
              { name: 'PnL less holding', colour: 'ochre', stroke: 'dashed', values: countsIn(edges, less) },
            ],
          },
  }
}

/** Returns edges at round numbers, proportional to the root of the number of values, with an empty bin at either end. */
function binEdges(values: readonly number[]): Float64Array {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const bins = Math.min(MOST_BINS, 2 * Math.ceil(Math.sqrt(values.length / 2)))
  const width = roundUp((high - low) / bins || 1)
  const first = Math.floor(low / width) - 1
  const last = Math.floor(high / width) + 2
  return Float64Array.from({ length: last - first + 1 }, (_, i) => (first + i) * width)
}

/** The next of 1, 2, 5, 10, 20 ... */
function roundUp(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width))
  return ([1, 2, 5].find((digit) => digit * power >= width) ?? 10) * power
}

function countsIn(edges: Float64Array, values: Float64Array): Float64Array {
  const [first = 0, second = 1] = edges
  const counts = new Float64Array(edges.length)
  for (const value of values) counts[Math.floor((value - first) / (second - first))]! += 1
  return counts
}

function middleOf(values: Float64Array): number {
  return quantileOf(values, 0.5)
}

function quantileOf(values: Float64Array, share: number): number {
  return quantile(values.toSorted(), share)
}
