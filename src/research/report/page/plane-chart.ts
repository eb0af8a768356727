import uPlot from 'uplot'
import { roomyRange, valueTicks } from '../../../base/charts/axes.ts'
import { colourOf } from '../../../base/charts/colours.ts'
import { floatText } from '../../../base/text/numbers.ts'
import type { PlaneChart, PlanePoint } from '../figures/figure.ts'
import { bandOf, dashOf, dataIndexOf, frame, pathsOf, type ChartPlace } from './chart.ts'
import { intervalText, readoutText } from './readout.ts'

const RADIUS = 4
const NEAR = 24
const EDGE = 0.03
const POINT_COLOUR = 'red'

/** Draws lines over a number, with a band around the first one and measured points with their intervals. */
export function planeChart(place: ChartPlace<PlaneChart>): uPlot {
  const { chart, box } = place
  const { unit, xUnit, x, lines, step, toZero } = chart
  const points = chart.points?.all ?? []
  const band = bandOf(chart.band, lines.length, 'blue')
  const ends = points.flatMap(({ y, interval }) => [y, ...(interval ?? [])])
  const common = frame(unit, box, xUnit, { values: valueTicks })
  const options: uPlot.Options = {
    ...common,
    scales: {
      x: { time: false, range: (_u, low, high) => rangeOf(low, high, points, lines.length > 0) },
      y: { range: (_u, low, high) => rangeWithZero(...reaching(low, high, ends)) },
    },
    series: [
      {},
      ...lines.map((line, index): uPlot.Series => ({
        stroke: () => colourOf(line.colour),
        width: 1.5,
        dash: dashOf(line),
        paths: pathsOf(step),
        points: { show: false },
        ...(toZero && index === 0 ? { fill: () => colourOf(line.colour, 0.25), fillTo: 0 } : {}),
      })),
      ...band.series,
    ],
    bands: band.bands,
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: false, y: false },
      dataIdx: dataIndexOf(step),
    },
    hooks: {
      ...common.hooks,
      draw: [(u) => points.forEach((point) => drawPoint(u, point))],
      setCursor: [(u) => showCursor(u, place)],
    },
  }
  return new uPlot(options, [x, ...lines.map(({ values }) => values), ...band.data] as uPlot.AlignedData, box)
}

/** Returns a range that includes zero, and ends at zero if no value is below it. */
function rangeWithZero(low: number | null, high: number | null): [number, number] {
  return roomyRange(low, high, { level: 0, lowest: low !== null && low < 0 ? null : 0 })
}

function rangeOf(
  low: number | null,
  high: number | null,
  points: readonly PlanePoint[],
  hasLines: boolean,
): [number, number] {
  const [from, to] = reaching(
    low,
    high,
    points.map(({ x }) => x),
  )
  if (from === null || to === null) return [0, 1]
  // Without lines, points at the ends need a margin to be drawn completely.
  const margin = hasLines ? 0 : EDGE * (to - from)
  return to > from ? [from - margin, to + margin] : [from - 1, to + 1]
}

/** Returns the lowest to the highest of a range and some values; null = neither exists. */
function reaching(
  low: number | null,
  high: number | null,
  values: readonly number[],
): [number | null, number | null] {
  const all = [low, high, ...values].filter((value) => value !== null)
  return all.length === 0 ? [null, null] : [Math.min(...all), Math.max(...all)]
}

function drawPoint(u: uPlot, { x, y, interval = null }: PlanePoint): void {
  const { ctx } = u
  const pixel = devicePixelRatio
  const [left, top] = [u.valToPos(x, 'x', true), u.valToPos(y, 'y', true)]
  ctx.save()
  ctx.strokeStyle = colourOf(POINT_COLOUR)
  ctx.fillStyle = colourOf(POINT_COLOUR)
  ctx.lineWidth = 1.5 * pixel
  ctx.setLineDash([])
  if (interval !== null) {
    ctx.beginPath()
    ctx.moveTo(left, u.valToPos(interval[0], 'y', true))
    ctx.lineTo(left, u.valToPos(interval[1], 'y', true))
    ctx.stroke()
  }
  ctx.beginPath()
  ctx.arc(left, top, RADIUS * pixel, 0, 2 * Math.PI)
  ctx.fill()
  ctx.restore()
}

function showCursor(u: uPlot, { chart, readout }: ChartPlace<PlaneChart>): void {
  const { left = -1, idx, idxs } = u.cursor
  if (left < 0 || idx === null || idx === undefined) return readout.rest()
  const near = (chart.points?.all ?? [])
    .map((point) => ({ point, away: Math.abs(u.valToPos(point.x, 'x') - left) }))
    .toSorted((a, b) => a.away - b.away)
    .find(({ away }) => away <= NEAR)
  const at = `${floatText(u.data[0][idx] ?? Number.NaN, 1)} ${chart.xUnit}`
  const measured = near === undefined ? '' : `; measured: ${pointText(near.point, chart.digits)}`
  readout.show(at + measured, (line) => u.data[line]?.[idxs?.[line] ?? -1])
}

function pointText({ label, y, interval = null }: PlanePoint, digits: number): string {
  const within = interval === null ? '' : ` (${intervalText(interval, digits)})`
  return `${label} ${readoutText(y, digits)}${within}`
}
