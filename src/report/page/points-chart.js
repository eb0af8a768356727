import { colourOf } from './colours.js'
import { drawLevel, frame, roomyRange } from './frame.js'
import { numberText } from './number-text.js'

const LABEL_WIDTH = 46

/** Draws points with their intervals, one column each, against a line at zero. */
export function pointsChart({ chart, box, readout }) {
  const { points, unit, digits } = chart
  const common = frame({
    unit,
    box,
    corner: '',
    xAxis: {
      splits: () => [...points.keys()],
      values: (u, ticks) => labels(points, ticks, u.bbox.width / uPlot.pxRatio),
      grid: { show: false },
    },
  })
  return new uPlot(
    {
      ...common,
      scales: {
        x: { time: false, range: () => [-0.5, points.length - 0.5] },
        y: { range: (u, low, high) => roomyRange(low, high, { level: 0 }) },
      },
      series: [
        {},
        {
          stroke: () => colourOf('blue', 0.5),
          width: 1.5,
          points: { show: true, size: 9, width: 0, fill: () => colourOf('blue') },
        },
        // Only there for the vertical range: the whiskers are drawn below.
        { paths: () => null, points: { show: false } },
        { paths: () => null, points: { show: false } },
      ],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      hooks: {
        ...common.hooks,
        draw: [
          (u) => {
            drawLevel(u, 0)
            points.forEach(({ low, high }, index) => drawWhisker(u, index, low, high))
          },
        ],
        setCursor: [(u) => tellPoint(points[u.cursor.idx ?? -1], digits, readout)],
      },
    },
    [
      [...points.keys()],
      points.map(({ value }) => value),
      points.map(({ low }) => low),
      points.map(({ high }) => high),
    ],
    box,
  )
}

function tellPoint(point, digits, readout) {
  if (point === undefined) return readout.rest()
  const { label, value, low, high, note } = point
  const hasInterval = low !== null && high !== null
  const interval = hasInterval ? `${numberText(low, digits)} to ${numberText(high, digits)}` : 'no interval'
  readout.show(`${label}: ${numberText(value, digits)} bps (${interval}), ${note} fills`, () => null)
}

function labels(points, ticks, width) {
  const every = Math.ceil((points.length * LABEL_WIDTH) / width)
  return ticks.map((tick) => {
    const point = points[tick]
    return point === undefined || tick % every !== 0 ? '' : `${point.label}\n${point.note}`
  })
}

function drawWhisker(u, index, low, high) {
  if (low === null || high === null) return
  const { ctx } = u
  const pixel = uPlot.pxRatio
  const x = u.valToPos(index, 'x', true)
  const [bottom, top] = [u.valToPos(low, 'y', true), u.valToPos(high, 'y', true)]
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
