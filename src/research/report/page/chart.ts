import uPlot from 'uplot'
import { FONT, quietAxis, valueTicks } from '../../../base/charts/axes.ts'
import { colourOf } from '../../../base/charts/colours.ts'
import type { PackedChart } from '../packed-charts.ts'
import type { Readout } from './readout.ts'
import type { PageColumn } from './unpack.ts'
import type { Zoom } from './zoom.ts'

/** Below this width, in pixels, a chart has narrow margins. */
const NARROW = 520

/** What a chart is drawn from and into. */
export type ChartPlace<Chart extends PackedChart> = {
  readonly chart: Chart
  readonly columns: readonly PageColumn[]
  readonly box: HTMLElement
  readonly readout: Readout
  readonly zoom: Zoom
  /** The line for the fill under the pointer; null = the figure has none. */
  readonly near: { readonly show: (text: string) => void } | null
}

/** A column by its number; the header names only columns that are there. */
export function columnAt(columns: readonly PageColumn[], index: number): PageColumn {
  const column = columns[index]
  if (column === undefined) throw new Error(`the report has no column ${index}`)
  return column
}

/** What all charts have in common: size, margins, axes, unit. `xAxis` and `corner` describe the horizontal axis. */
export function frame(unit: string, box: HTMLElement, corner: string, xAxis: uPlot.Axis) {
  const isNarrow = box.clientWidth < NARROW
  return {
    width: box.clientWidth,
    height: box.clientHeight,
    padding: [26, 20, 0, 0] as uPlot.Padding,
    legend: { show: false },
    axes: [
      { ...quietAxis('grid'), size: 40, gap: 6, space: isNarrow ? 56 : 72, ...xAxis },
      { ...quietAxis('grid'), size: isNarrow ? 54 : 62, gap: 6, space: 34, values: valueTicks },
    ],
    hooks: { drawAxes: [(u: uPlot) => writeUnits(u, unit, corner)] },
  } satisfies Partial<uPlot.Options>
}

/** The cursor of a chart over time: it follows the other charts' and has no points of its own. */
export const FOLLOWING_CURSOR = {
  key: 'time',
  scales: ['x', null],
  filters: { pub: (type: string) => type === 'mousemove' },
} satisfies uPlot.Cursor.Sync

/** Stepped or straight lines between the points; uPlot has both. */
export function pathsOf(isStepped: boolean, extend = false): uPlot.Series.PathBuilder {
  const paths = isStepped ? uPlot.paths.stepped?.({ align: 1, extend }) : uPlot.paths.linear?.()
  if (paths === undefined) throw new Error('uPlot lacks its line builders')
  return paths
}

/** Above and below the vertical axis: what the axes count. */
function writeUnits(u: uPlot, unit: string, corner: string): void {
  const { ctx, bbox } = u
  const pixel = devicePixelRatio
  ctx.save()
  ctx.font = FONT.replace('11px', `${11 * pixel}px`)
  ctx.fillStyle = colourOf('quiet')
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.fillText(unit, 0, bbox.top - 13 * pixel)
  ctx.fillText(corner, 0, bbox.top + bbox.height + 18 * pixel)
  ctx.restore()
}
