import uPlot from 'uplot'
import { quietAxis, roomyRange, timeValues, utcDate, valueTicks } from '../../../../base/charts/axes.ts'
import { colourOf } from '../../../../base/charts/colours.ts'
import type { ChartSpec } from './chart-lines.ts'

export type PlotEvents = {
  readonly onZoom: (from: number, to: number) => void
  /** The place under the cursor; null = none. */
  readonly onCursor: (index: number | null) => void
  readonly draw: (u: uPlot) => void
}

/** Returns the options for uPlot: the lines of the chart, quiet axes, drag to zoom. */
export function plotOptions(
  spec: ChartSpec,
  hidden: ReadonlySet<string>,
  size: { readonly width: number; readonly height: number },
  events: PlotEvents,
): uPlot.Options {
  return {
    ...size,
    ms: 1,
    tzDate: utcDate,
    padding: [10, 8, 0, 0],
    legend: { show: false },
    scales: { x: { time: true }, y: { range: (_u, low, high) => roomyRange(low, high, spec) } },
    series: [
      {},
      ...spec.lines.map((line): uPlot.Series => ({
        label: line.label,
        show: !hidden.has(line.label),
        stroke: () => colourOf(line.colour),
        width: line.width,
        points: { show: false },
        ...(spec.isStepped ? stepped() : {}),
        ...(line.dash === undefined ? {} : { dash: [...line.dash] }),
      })),
    ],
    bands:
      spec.band === null
        ? []
        : [{ series: [spec.band[0] + 1, spec.band[1] + 1], fill: () => colourOf('accent', 0.08) }],
    axes: [
      { ...quietAxis('line'), size: 38, space: 76, values: timeValues },
      { ...quietAxis('line'), size: 58, values: valueTicks },
    ],
    cursor: {
      sync: { key: 'mizani', setSeries: false },
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 6 },
    },
    hooks: {
      draw: [events.draw],
      setCursor: [(u) => events.onCursor(u.cursor.idx ?? null)],
      setSelect: [
        (u) => {
          const { left, width } = u.select
          if (width < 8) return
          events.onZoom(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'))
          u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
        },
      ],
    },
  }
}

function stepped(): Pick<uPlot.Series, 'paths'> {
  const paths = uPlot.paths.stepped?.({ align: 1 })
  return paths === undefined ? {} : { paths }
}
