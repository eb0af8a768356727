import uPlot from 'uplot'
import { drawLevel, roomyRange } from '../../../base/charts/axes.ts'
import { colourOf } from '../../../base/charts/colours.ts'
import type { ChartPoint, PointsChart } from '../figures/figure.ts'
import { frame, type ChartPlace } from './chart.ts'
import { intervalText, readoutText, type Readout } from './readout.ts'
import type { PageChart } from './unpack.ts'

const LABEL_WIDTH = 46
const LETTER_WIDTH = 6.5
/** Extends only the vertical range: `drawWhisker` draws the interval. */
const RANGE_ONLY: uPlot.Series = { paths: () => null, points: { show: false } }

/** Draws points with their intervals, one column each, against a line at zero. */
export function drawPoints({ chart, box, readout }: ChartPlace<PointsChart>): uPlot {
  const { points, unit } = chart
  const places = [...points.keys()]
  const common = frame(unit, box, '', {
    splits: () => places,
    values: (u, ticks) => labels(points, ticks, u.bbox.width / devicePixelRatio),
    grid: { show: false },
  })
  const options: uPlot.Options = {
    ...common,
    scales: {
      x: { time: false, range: () => [-0.5, points.length - 0.5] },
      y: { range: (_u, low, high) => roomyRange(low, high, { level: 0 }) },
    },
    series: [
      {},
      {
        stroke: () => colourOf('blue', 0.5),
        width: 1.5,
        points: { show: true, size: 9, width: 0, fill: () => colourOf('blue') },
      },
      RANGE_ONLY,
      RANGE_ONLY,
    ],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: {
      ...common.hooks,
      draw: [
        (u) => {
          drawLevel(u, 0, colourOf('ink', 0.7), [2, 3])
          points.forEach((point, index) => drawWhisker(u, index, point))
        },
      ],
      setCursor: [(u) => showPoint(points[u.cursor.idx ?? -1], chart, readout)],
    },
  }
  const data = [
    places,
    points.map(({ value }) => value),
    points.map(({ interval = null }) => interval?.[0] ?? null),
    points.map(({ interval = null }) => interval?.[1] ?? null),
  ]
  return new uPlot(options, data as uPlot.AlignedData, box)
}

/** Shows a point in words where the legend shows the values under the cursor. */
export function showPoint(
  point: ChartPoint | undefined,
  { unit, digits, noteOf }: PageChart<PointsChart>,
  readout: Readout,
): void {
  if (point === undefined) return readout.rest()
  const { label, value, interval = null, note } = point
  const within = interval === null ? 'no interval' : intervalText(interval, digits)
  const [counted = ''] = unit.split(/[ ,]/)
  readout.show(
    `${label}: ${readoutText(value, digits)} ${counted} (${within}), ${note} ${noteOf}`,
    () => null,
  )
}

function labels(points: readonly ChartPoint[], ticks: readonly number[], width: number): string[] {
  const widest = Math.max(...points.map(({ label }) => label.length)) * LETTER_WIDTH
  const every = Math.ceil((points.length * Math.max(LABEL_WIDTH, widest)) / width)
  return ticks.map((tick) => {
    const point = points[tick]
    return point === undefined || tick % every !== 0 ? '' : `${point.label}\n${point.note}`
  })
}

function drawWhisker(u: uPlot, index: number, { interval = null }: ChartPoint): void {
  if (interval === null) return
  const { ctx } = u
  const pixel = devicePixelRatio
  const x = u.valToPos(index, 'x', true)
  const [bottom, top] = [u.valToPos(interval[0], 'y', true), u.valToPos(interval[1], 'y', true)]
  ctx.save()
  ctx.strokeStyle = colourOf('blue')
  ctx.lineWidth = 1.5 * pixel
  ctx.setLineDash([])
  ctx.beginPath()
  ctx.moveTo(x, bottom)
  ctx.lineTo(x, top)
  for (const y of [bottom, top]) {
    ctx.moveTo(x - 5 * pixel, y)
    ctx.lineTo(x + 5 * pixel, y)
  }
  ctx.stroke()
  ctx.restore()
}
