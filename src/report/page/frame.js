import { colourOf } from './colours.js'
import { tickTexts } from './number-text.js'

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const NARROW = 520

/** What all charts have in common: size, margins, axes, unit. `xAxis` and `corner` say what lies below. */
export function frame({ unit, box, xAxis, corner }) {
  const narrow = box.clientWidth < NARROW
  return {
    width: box.clientWidth,
    height: box.clientHeight,
    padding: [26, 20, 0, 0],
    legend: { show: false },
    axes: [
      { ...axis(), size: 40, gap: 6, space: narrow ? 56 : 72, ...xAxis },
      {
        ...axis(),
        size: narrow ? 54 : 62,
        gap: 6,
        space: 34,
        values: (u, ticks, index, space, step) => tickTexts(ticks, step),
      },
    ],
    hooks: { drawAxes: [(u) => writeUnits(u, unit, corner)] },
  }
}

/** Above and below the vertical axis: what the axes count. */
function writeUnits(u, unit, corner) {
  const { ctx, bbox } = u
  const pixel = uPlot.pxRatio
  ctx.save()
  ctx.font = FONT.replace('11px', `${11 * pixel}px`)
  ctx.fillStyle = colourOf('quiet')
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.fillText(unit, 0, bbox.top - 13 * pixel)
  ctx.fillText(corner, 0, bbox.top + bbox.height + 18 * pixel)
  ctx.restore()
}

function axis() {
  return {
    font: FONT,
    lineGap: 1.3,
    stroke: () => colourOf('quiet'),
    grid: { stroke: () => colourOf('grid'), width: 1 },
    ticks: { show: false },
    border: { show: false },
  }
}

/** A range with some air, which holds what must be seen and stays within its bounds. */
export function roomyRange(low, high, { level = null, lowest = null, highest = null }) {
  if (low === null || low === undefined) return [0, 1]
  const from = level === null ? low : Math.min(low, level)
  const to = level === null ? high : Math.max(high, level)
  const air = (to - from) * 0.06 || Math.abs(to) * 0.001 || 1
  return [Math.max(from - air, lowest ?? -Infinity), Math.min(to + air, highest ?? Infinity)]
}

/** A horizontal line across the plot, dotted. */
export function drawLevel(u, value) {
  const { ctx, bbox } = u
  const y = Math.round(u.valToPos(value, 'y', true)) + 0.5
  if (y < bbox.top || y > bbox.top + bbox.height) return
  ctx.save()
  ctx.strokeStyle = colourOf('ink', 0.7)
  ctx.lineWidth = uPlot.pxRatio
  ctx.setLineDash([2 * uPlot.pxRatio, 3 * uPlot.pxRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}
