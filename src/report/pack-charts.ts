import { gzipSync } from 'node:zlib'
import type { ChartLine, DaysChart, Figure, PointsChart, TimeChart } from './figure.ts'
import { packColumns, type Column } from './pack-columns.ts'

/**
 * What the page draws, as base64 of gzip of: the header's length (32 bits, little-endian), the header in
 * JSON, the columns. In the header a chart names its columns by their numbers. The text in it is the labels
 * of points and nothing else; all other text is in the page's HTML. Equal charts give equal text.
 */
export function packCharts(figures: readonly Figure[]): string {
  const columns: Column[] = []
  const add = (kind: 'time' | 'value', values: Float64Array) => columns.push({ kind, values }) - 1
  const charts = figures.flatMap(({ id, unit, digits, chart }) => {
    if (chart === null) return []
    return [{ id, unit, digits, kind: chart.kind, ...drawable(chart, columns, add) }]
  })
  const { heads, bytes } = packColumns(columns)
  const header = Buffer.from(JSON.stringify({ window: windowOf(figures), charts, columns: heads }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  return gzipSync(Buffer.concat([length, header, bytes])).toString('base64')
}

type Add = (kind: 'time' | 'value', values: Float64Array) => number

function drawable(chart: TimeChart | DaysChart | PointsChart, columns: Column[], add: Add): object {
  switch (chart.kind) {
    case 'points':
      // JSON has no NaN: a bound that is not known becomes null.
      return { points: chart.points }
    case 'days':
      return { x: add('time', chart.t), lines: packLines(chart.lines, add) }
    case 'time':
      return {
        x: add('time', chart.t),
        lines: packLines(chart.lines, add),
        band: chart.band && { low: add('value', chart.band.low), high: add('value', chart.band.high) },
        markers: chart.markers && {
          t: add('time', chart.markers.t),
          price: add('value', chart.markers.price),
          usd: add('value', chart.markers.usd),
          flags: columns.push({ kind: 'flags', values: chart.markers.flags }) - 1,
        },
        step: chart.step,
        toZero: chart.toZero,
        level: chart.level?.value ?? null,
        lowest: chart.lowest,
        highest: chart.highest,
      }
  }
}

function packLines(lines: readonly ChartLine[], add: Add): readonly object[] {
  return lines.map(({ colour, stroke, values }) => ({ colour, stroke, y: add('value', values) }))
}

/** From the first to the last time of any chart over time: they all show the same window. */
function windowOf(figures: readonly Figure[]): readonly [number, number] {
  const times = figures.flatMap(({ chart }) =>
    chart?.kind === 'time' ? [chart.t, ...(chart.markers === null ? [] : [chart.markers.t])] : [],
  )
  const ends = times.flatMap((t) => [t[0] ?? NaN, t.at(-1) ?? NaN]).filter(Number.isFinite)
  return ends.length === 0 ? [0, 0] : [Math.min(...ends), Math.max(...ends)]
}
