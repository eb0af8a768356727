import type uPlot from 'uplot'
import type { HistoryAnswer } from '../../answers.ts'
import type { ChartMarks, ChartSpec } from './chart-lines.ts'
import { drawLevel, FONT } from '../../../../base/charts/axes.ts'
import { colourOf } from '../../../../base/charts/colours.ts'

/** Draws fills on the quotes, and halts, resumptions, reloads and critical alerts across the chart. */
export function drawMarks(
  u: uPlot,
  spec: ChartSpec,
  history: Pick<HistoryAnswer, 't' | 'marks'>,
  hidden: ReadonlySet<string>,
): void {
  const { ctx, bbox } = u
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  let free = -Infinity
  for (const mark of history.marks) free = drawEvent(u, mark, free)
  if (spec.level !== null) drawLevel(u, spec.level, colourOf('quiet'))
  for (const marks of spec.marks) if (!hidden.has(marks.label)) drawFills(u, history.t, marks)
  ctx.restore()
}

/**
 * Draws a mark with its word to the right, or to the left at the end of the chart, if there is room after `free`. Returns
 * where the next word may start.
 */
function drawEvent(u: uPlot, { t, kind }: HistoryAnswer['marks'][number], free: number): number {
  const { ctx, bbox } = u
  const pixel = devicePixelRatio
  const x = Math.round(u.valToPos(t, 'x', true)) + 0.5
  ctx.strokeStyle = colourOf(kind === 'halt' ? 'bad' : kind === 'alert' ? 'ochre' : 'quiet')
  ctx.fillStyle = ctx.strokeStyle
  ctx.lineWidth = pixel
  ctx.setLineDash(kind === 'halt' ? [] : [3 * pixel, 3 * pixel])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.setLineDash([])
  ctx.font = FONT.replace('11px', `${10 * pixel}px`)
  ctx.textAlign = 'left'
  ctx.textBaseline = 'top'
  const { width } = ctx.measureText(kind)
  const gap = 3 * pixel
  const isRight = x + gap + width <= bbox.left + bbox.width
  const from = isRight ? x : x - 2 * gap - width
  if (from < free) return free
  ctx.fillText(kind, from + gap, bbox.top + 2 * pixel)
  return Math.max(x, from + width + 8 * pixel)
}

function drawFills(u: uPlot, t: readonly number[], { values, counts, colour, points }: ChartMarks): void {
  const { ctx } = u
  const pixel = devicePixelRatio
  ctx.fillStyle = colourOf(colour)
  ctx.strokeStyle = colourOf('panel')
  ctx.lineWidth = pixel
  counts.forEach((count, i) => {
    const value = values[i] ?? null
    if (count === 0 || value === null) return
    const x = u.valToPos(t[i] ?? 0, 'x', true)
    const y = u.valToPos(value, 'y', true)
    const size = (3.5 + Math.min(4, Math.log2(count))) * pixel
    const way = points === 'up' ? 1 : -1
    ctx.beginPath()
    ctx.moveTo(x, y - way * size)
    ctx.lineTo(x + size, y + way * size)
    ctx.lineTo(x - size, y + way * size)
    ctx.closePath()
    ctx.fill()
    ctx.stroke()
  })
}
