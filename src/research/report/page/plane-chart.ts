import uPlot from 'uplot'
import { roomyRange, valueTicks } from '../../../base/charts/axes.ts'
import { colourOf } from '../../../base/charts/colours.ts'
import { floatText } from '../../../base/text/numbers.ts'
import type { PackedPlaneChart, PackedPlanePoint } from '../packed-charts.ts'
import { columnAt, frame, pathsOf, type ChartPlace } from './chart.ts'
import { readoutText } from './readout.ts'

const RADIUS = 4
const NEAR = 24
const EDGE = 0.03
const POINT_COLOUR = 'red'
const DASHES = { solid: [], dashed: [6, 4], dotted: [2, 3] }

/** Draws lines over a number, with a band around the first one and measured points with their intervals. */
export function planeChart(place: ChartPlace<PackedPlaneChart>): uPlot {
  const { chart, columns, box } = place
  const { unit, xUnit, band, points, step, toZero } = chart
  const x = columnAt(columns, chart.x)
  const lines = chart.lines.map(({ y }) => columnAt(columns, y))
  const shaded = band === null ? [] : [columnAt(columns, band.low), columnAt(columns, band.high)]
  const ends = points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y])
  const common = frame(unit, box, xUnit, { values: valueTicks })
  const options: uPlot.Options = {
    ...common,
    scales: {
      x: { time: false, range: (_u, low, high) => rangeOf(low, high, chart) },
      y: { range: (_u, low, high) => rangeWithZero(...reaching(low, high, ends)) },
    },
    series: [
      {},
      ...chart.lines.map(({ colour, stroke }, index): uPlot.Series => ({
        stroke: () => colourOf(colour),
        width: 1.5,
        dash: DASHES[stroke],
        paths: pathsOf(step),
        points: { show: false },
        ...(toZero && index === 0 ? { fill: () => colourOf(colour, 0.25), fillTo: 0 } : {}),
      })),
      ...shaded.map(() => ({ stroke: 'transparent', width: 0, points: { show: false } })),
    ],
    bands:
      band === null
        ? []
        : [{ series: [lines.length + 2, lines.length + 1], fill: () => colourOf('blue', 0.16) }],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: false, y: false },
      dataIdx: (u, _series, nearest, at) =>
        step && nearest > 0 && (u.data[0][nearest] ?? 0) > at ? nearest - 1 : nearest,
    },
    hooks: {
      ...common.hooks,
      draw: [(u) => points.forEach((point) => drawPoint(u, point))],
      setCursor: [(u) => showCursor(u, place)],
    },
  }
  return new uPlot(options, [x, ...lines, ...shaded] as uPlot.AlignedData, box)
}

/** Zero is on the axis, and its end where nothing is below it. */
function rangeWithZero(low: number | null, high: number | null): [number, number] {
  return roomyRange(low, high, { level: 0, lowest: low !== null && low < 0 ? null : 0 })
}

function rangeOf(
  low: number | null,
  high: number | null,
  { points, lines }: PackedPlaneChart,
): [number, number] {
  const [from, to] = reaching(
    low,
    high,
    points.map(({ x }) => x),
  )
  if (from === null || to === null) return [0, 1]
  // Points alone reach to the ends, where they would be cut in half.
  const margin = lines.length === 0 ? EDGE * (to - from) : 0
  return to > from ? [from - margin, to + margin] : [from - 1, to + 1]
}

/** From the lowest to the highest of a range and some values; null where there is neither. */
function reaching(
  low: number | null,
  high: number | null,
  values: readonly number[],
): [number | null, number | null] {
  const all = [low, high, ...values].filter((value) => value !== null)
  return all.length === 0 ? [null, null] : [Math.min(...all), Math.max(...all)]
}

function drawPoint(u: uPlot, { x, y, low, high }: PackedPlanePoint): void {
  const { ctx } = u
  const pixel = devicePixelRatio
  const [left, top] = [u.valToPos(x, 'x', true), u.valToPos(y, 'y', true)]
  ctx.save()
  ctx.strokeStyle = colourOf(POINT_COLOUR)
  ctx.fillStyle = colourOf(POINT_COLOUR)
  ctx.lineWidth = 1.5 * pixel
  ctx.setLineDash([])
  if (low !== null && high !== null) {
    ctx.beginPath()
    ctx.moveTo(left, u.valToPos(low, 'y', true))
    ctx.lineTo(left, u.valToPos(high, 'y', true))
    ctx.stroke()
  }
  ctx.beginPath()
  ctx.arc(left, top, RADIUS * pixel, 0, 2 * Math.PI)
  ctx.fill()
  ctx.restore()
}

function showCursor(u: uPlot, { chart, readout }: ChartPlace<PackedPlaneChart>): void {
  const { left = -1, idx, idxs } = u.cursor
  if (left < 0 || idx === null || idx === undefined) return readout.rest()
  const near = chart.points
    .map((point) => ({ point, away: Math.abs(u.valToPos(point.x, 'x') - left) }))
    .toSorted((a, b) => a.away - b.away)
    .find(({ away }) => away <= NEAR)
  const at = `${floatText(u.data[0][idx] ?? Number.NaN, 1)} ${chart.xUnit}`
  const measured = near === undefined ? '' : `; measured: ${pointText(near.point, chart.digits)}`
  readout.show(at + measured, (line) => u.data[line]?.[idxs?.[line] ?? -1])
}

function pointText({ label, y, low, high }: PackedPlanePoint, digits: number): string {
  const interval =
    low === null || high === null ? '' : ` (${readoutText(low, digits)} to ${readoutText(high, digits)})`
  return `${label} ${readoutText(y, digits)}${interval}`
}
