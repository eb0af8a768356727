import uPlot from 'uplot'
import { timeTicks } from '../text/time-text.ts'
import { colourOf } from './colour-of.ts'
import type { ChartSpec } from './chart-lines.ts'
import { tickText } from './tick-text.ts'

export const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

export type PlotEvents = {
  readonly onZoom: (from: number, to: number) => void
  /** The place under the cursor; null = none. */
  readonly onCursor: (index: number | null) => void
  readonly draw: (u: uPlot) => void
}

/** What uPlot is told: the lines of the chart, quiet axes, drag to zoom. */
export function plotOptions(
  spec: ChartSpec,
  hidden: ReadonlySet<string>,
  size: { readonly width: number; readonly height: number },
  events: PlotEvents,
): uPlot.Options {
  return {
    ...size,
    ms: 1,
    tzDate: (t) => utcDate(t),
    padding: [10, 8, 0, 0],
    legend: { show: false },
    scales: { x: { time: true }, y: { range: (_u, low, high) => roomy(low, high, spec.level) } },
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
        : [{ series: [spec.band[0] + 1, spec.band[1] + 1], fill: () => `${colourOf('accent')}14` }],
    axes: [
      { ...axis(), size: 38, space: 76, values: (_u, ticks, _i, _space, step) => timeTicks(ticks, step) },
      {
        ...axis(),
        size: 58,
        values: (_u, ticks, _i, _space, step) => ticks.map((tick) => tickText(tick, step)),
      },
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

/** uPlot asks a date for its local fields when it places ticks: this one's local time is UTC. */
function utcDate(t: number): Date {
  const date = new Date(t)
  return new Date(t + date.getTimezoneOffset() * 60_000)
}

function axis(): uPlot.Axis {
  return {
    font: FONT,
    stroke: () => colourOf('quiet'),
    grid: { stroke: () => colourOf('line'), width: 1 },
    ticks: { show: false },
    border: { show: false },
  }
}

function roomy(low: number | null, high: number | null, level: number | null): [number, number] {
  if (low === null || high === null || low === undefined) return [0, 1]
  const from = level === null ? low : Math.min(low, level)
  const to = level === null ? high : Math.max(high, level)
  const air = (to - from) * 0.08 || Math.abs(to) * 0.001 || 1
  return [from - air, to + air]
}
