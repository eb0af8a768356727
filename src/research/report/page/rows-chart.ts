import uPlot from 'uplot'
import { FONT, roomyRange, valueTicks } from '../../../base/charts/axes.ts'
import { colourOf } from '../../../base/charts/colours.ts'
import type { ChartPoint, PointsChart } from '../figures/figure.ts'
import { frame, type ChartPlace } from './chart.ts'
import { showPoint } from './points-chart.ts'

const RADIUS = 4.5
/** Pixels between the names and the plot, and before them. */
const ROOM_BESIDE = 16
/** Share of the chart's width for the names. */
const MOST_FOR_NAMES = 0.42

/** Draws points with their intervals, one row each with its name, around a line at zero. */
export function drawRows({ chart, box, readout }: ChartPlace<PointsChart>): uPlot {
  const { points } = chart
  const ends = points.flatMap(({ value, interval }) => [value, ...(interval ?? [])])
  const widths = widthsOf(points.map(({ label }) => label))
  const nameWidth = Math.min(box.clientWidth * MOST_FOR_NAMES, ROOM_BESIDE + Math.max(...widths))
  const names = points.map(({ label }, row) =>
    shortened(label, (nameWidth - ROOM_BESIDE) / (widths[row] ?? 1)),
  )
  const common = frame('', box, '', { values: valueTicks })
  const [across, beside] = common.axes
  const options: uPlot.Options = {
    ...common,
    padding: [8, 20, 0, 0],
    scales: {
      x: { time: false, range: () => roomyRange(Math.min(...ends), Math.max(...ends), { level: 0 }) },
      // The first row is the highest one.
      y: { range: () => [-0.5, points.length - 0.5], dir: -1 },
    },
    axes: [
      { ...across },
      {
        ...beside,
        size: nameWidth,
        splits: () => [...points.keys()],
        values: (_u, ticks) => ticks.map((tick) => names[tick] ?? ''),
      },
    ],
    series: [{}, { paths: () => null, points: { show: false } }],
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: {
      ...common.hooks,
      draw: [
        (u) => {
          drawZero(u)
          points.forEach((point, row) => drawRow(u, row, point))
        },
      ],
      setCursor: [(u) => showPoint(pointAt(u, points), chart, readout)],
    },
  }
  return new uPlot(options, [Float64Array.of(0, 1), Float64Array.of(0, 0)], box)
}

/** Returns the row under the pointer; with the keyboard, the cursor's position is the position in the list. */
function pointAt(u: uPlot, points: readonly ChartPoint[]): ChartPoint | undefined {
  const { left = -1, top = -1, event } = u.cursor
  if (left < 0) return undefined
  const row = event
    ? Math.round(u.posToVal(top, 'y'))
    : Math.round((left / u.over.clientWidth) * (points.length - 1))
  return points[row]
}

/** Returns the width of each text in pixels, in the font of the axes. */
function widthsOf(texts: readonly string[]): readonly number[] {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) throw new Error('this browser draws no text')
  context.font = FONT
  return texts.map((text) => context.measureText(text).width)
}

/** Cuts a name to this share of its width. */
function shortened(name: string, share: number): string {
  return share >= 1 ? name : `${name.slice(0, Math.max(1, Math.floor(name.length * share) - 1))}…`
}

function drawZero(u: uPlot): void {
  const { ctx, bbox } = u
  const x = Math.round(u.valToPos(0, 'x', true)) + 0.5
  ctx.save()
  ctx.strokeStyle = colourOf('ink', 0.7)
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.restore()
}

function drawRow(u: uPlot, row: number, { value, interval = null }: ChartPoint): void {
  const { ctx } = u
  const pixel = devicePixelRatio
  const y = u.valToPos(row, 'y', true)
  const across = (at: number) => u.valToPos(at, 'x', true)
  ctx.save()
  ctx.strokeStyle = colourOf('blue')
  ctx.fillStyle = colourOf('blue')
  ctx.lineWidth = 1.5 * pixel
  ctx.setLineDash([])
  if (interval !== null) {
    ctx.beginPath()
    ctx.moveTo(across(interval[0]), y)
    ctx.lineTo(across(interval[1]), y)
    for (const end of interval) {
      ctx.moveTo(across(end), y - 4 * pixel)
      ctx.lineTo(across(end), y + 4 * pixel)
    }
    ctx.stroke()
  }
  ctx.beginPath()
  ctx.arc(across(value), y, RADIUS * pixel, 0, 2 * Math.PI)
  ctx.fill()
  ctx.restore()
}
