import uPlot from 'uplot'
import { FONT, quietAxis, valueTicks } from '../../../base/charts/axes.ts'
import { colourOf } from '../../../base/charts/colours.ts'
import type { Band, Chart, ChartLine } from '../figures/figure.ts'
import type { Readout } from './readout.ts'
import type { OnPage, PageChart } from './unpack.ts'
import type { Zoom } from './zoom.ts'

/** Below this width, in pixels, a chart has narrow margins. */
const NARROW = 520

/** Data and elements of a chart. */
export type ChartPlace<One extends Chart> = {
  readonly chart: PageChart<One>
  readonly box: HTMLElement
  readonly readout: Readout
  readonly zoom: Zoom
  /** The line for the fill under the pointer; null = the figure has none. */
  readonly near: { readonly show: (text: string) => void } | null
}

/** Returns the options that all charts share: size, margins, axes, unit. `xAxis` and `corner` describe the horizontal axis. */
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

/** Cursor of a time chart: it is synchronised with the other charts and has no points. */
export const FOLLOWING_CURSOR = {
  key: 'time',
  scales: ['x', null],
  filters: { pub: (type: string) => type === 'mousemove' },
} satisfies uPlot.Cursor.Sync

export type PageLine = OnPage<ChartLine>

const DASHES = { dashed: [6, 4], dotted: [2, 3] }

export function dashOf({ stroke }: PageLine): number[] {
  return stroke === undefined ? [] : DASHES[stroke]
}

/** The series that bound the band around the first line, and the band in this colour; both empty without a band. */
export function bandOf(band: OnPage<Band> | null | undefined, lines: number, colour: string) {
  if (!band) return { bands: [], series: [], data: [] }
  const bound: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } }
  return {
    bands: [{ series: [lines + 2, lines + 1] as [number, number], fill: () => colourOf(colour, 0.16) }],
    series: [bound, bound],
    data: [band.low, band.high],
  }
}

/** On a step line the current value is that of the previous point, even if the next one is nearer. */
export function dataIndexOf(isStepped: boolean | undefined): NonNullable<uPlot.Cursor['dataIdx']> {
  return (u, _series, nearest, at) =>
    isStepped && nearest > 0 && (u.data[0][nearest] ?? 0) > at ? nearest - 1 : nearest
}

/** Returns stepped or straight lines between the points; uPlot has both. */
export function pathsOf(isStepped: boolean | undefined, extend = false): uPlot.Series.PathBuilder {
  const paths = isStepped ? uPlot.paths.stepped?.({ align: 1, extend }) : uPlot.paths.linear?.()
  if (paths === undefined) throw new Error('uPlot lacks its line builders')
  return paths
}

/** Writes the units above and below the vertical axis. */
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
