import { type Figure, figureText, signedText } from './figure.ts'
import type { ReportData } from '../report-data.ts'
import { timeChart } from './time-chart.ts'

const FEWEST_FILLS = 20
const WINDOW = { least: 20, most: 500 }
/** Number of disjoint windows in the run; many windows keep the line from jumping. */
const WINDOWS = 20

/** Shows whether the edge lasts: per dollar traded over the last fills, and over all fills so far. */
export function rollingEdgeFigure({ fills }: Pick<ReportData, 'fills'>): Figure {
  const rows = [...fills.t.keys()].filter((i) => Number.isFinite(fills.edgeBps[i]) && (fills.usd[i] ?? 0) > 0)
  const window = Math.min(WINDOW.most, Math.max(WINDOW.least, Math.round(rows.length / WINDOWS)))
  const figure = {
    id: 'rolling-edge',
    title: 'Rolling edge',
    unit: 'bps of the dollars traded',
    digits: 1,
  } as const
  if (rows.length < FEWEST_FILLS)
    return {
      ...figure,
      words: `Too few fills for a rolling edge: ${figureText(rows.length, 0)} of ${FEWEST_FILLS}.`,
      chart: null,
    }
  const { rolling, soFar } = edgesOf(fills, rows, window)
  const from = rows.length < window ? 0 : window - 1
  const shown = rolling.subarray(from)
  const [lowest, highest] = [
    shown.reduce((low, value) => Math.min(low, value), Infinity),
    shown.reduce((high, value) => Math.max(high, value), -Infinity),
  ]
  const sampled = fills.leftOut > 0 ? `, of the ${figureText(rows.length, 0)} recorded individually` : ''
  return {
    ...figure,
    words: [
      `Over the last ${figureText(window, 0)} fills${sampled}: between ${signedText(lowest, 1)} and ${signedText(highest, 1)} bps, ${signedText(rolling.at(-1) ?? NaN, 1)} at the end; over all ${signedText(soFar.at(-1) ?? NaN, 1)}.`,
      'Fills between two rate updates share one move of the mid: neighbouring points are not independent.',
    ].join(' '),
    chart: timeChart({
      t: Float64Array.from(rows, (row) => fills.t[row] ?? NaN).subarray(from),
      lines: [
        { name: `Last ${figureText(window, 0)} fills`, colour: 'blue', values: shown },
        { name: 'All so far', colour: 'grey', stroke: 'dashed', values: soFar.subarray(from) },
      ],
      level: { value: 0 },
    }),
  }
}

/** Per dollar traded, at each of the rows. */
function edgesOf(
  { edgeBps, usd }: ReportData['fills'],
  rows: readonly number[],
  window: number,
): { readonly rolling: Float64Array; readonly soFar: Float64Array } {
  const [rolling, soFar] = [new Float64Array(rows.length), new Float64Array(rows.length)]
  const recent = { edge: 0, usd: 0 }
  const all = { edge: 0, usd: 0 }
  rows.forEach((row, i) => {
    const size = usd[row] ?? 0
    const edge = (edgeBps[row] ?? 0) * size
    const gone = rows[i - window]
    const goneUsd = gone === undefined ? 0 : (usd[gone] ?? 0)
    recent.edge += edge - (gone === undefined ? 0 : (edgeBps[gone] ?? 0) * goneUsd)
    recent.usd += size - goneUsd
    all.edge += edge
    all.usd += size
    rolling[i] = recent.edge / recent.usd
    soFar[i] = all.edge / all.usd
  })
  return { rolling, soFar }
}
