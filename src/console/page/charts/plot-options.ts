import uPlot from 'uplot'
import { timeTicks } from '../text/time-text.ts'
import type { ChartSpec } from './chart-lines.ts'
import { numberText } from '../text/number-text.ts'

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

const UNITS = [
  { from: 1e9, size: 1e9, letter: 'G' },
  { from: 1e6, size: 1e6, letter: 'M' },
  { from: 1e4, size: 1e3, letter: 'k' },
] as const

/** A value on an axis whose ticks are `step` apart: no more digits than tell them apart. */
export function tickText(value: number, step: number): string {
  const { size, letter } = UNITS.find(
    ({ from, size: unit }) => Math.abs(value) >= from && step >= unit / 100,
  ) ?? {
    size: 1,
    letter: '',
  }
  return value === 0 ? '0' : numberText(value / size, decimalsOf(step / size)) + letter
}

function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < 6; decimals++) {
    const scaled = step * 10 ** decimals
    if (Math.abs(scaled - Math.round(scaled)) <= scaled * 1e-6) return decimals
  }
  return 6
}

/** The colour that the style sheet gives a name now: it differs in the light and in the dark. */
export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

/** Calls back when the light changes; gives what ends that. */
export function onColourChange(changed: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', changed)
  return () => dark.removeEventListener('change', changed)
}
