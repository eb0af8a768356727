import type uPlot from 'uplot'
import { grouped } from '../text/numbers.ts'
import { timeTicks } from '../text/times.ts'
import { colourOf } from './colours.ts'

export const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'

/** Ticks from ten thousand are written in thousands, from a million in millions ... */
const UNITS = [
  { from: 1e9, size: 1e9, letter: 'G' },
  { from: 1e6, size: 1e6, letter: 'M' },
  { from: 1e4, size: 1e3, letter: 'k' },
] as const
const MOST_DECIMALS = 9

/** A quiet axis: grid lines and labels, without ticks or a border. `grid` names the colour of its lines. */
export function quietAxis(grid: string): uPlot.Axis {
  return {
    font: FONT,
    lineGap: 1.3,
    stroke: () => colourOf('quiet'),
    grid: { stroke: () => colourOf(grid), width: 1 },
    ticks: { show: false },
    border: { show: false },
  }
}

/** Returns the labels of a time axis (UTC, milliseconds) in the form that uPlot expects. */
export function timeValues(
  _u: uPlot,
  ticks: number[],
  _axis: number,
  _space: number,
  step: number,
): string[] {
  return timeTicks(ticks, step)
}

/** Returns the labels of a value axis in the form that uPlot expects. */
export function valueTicks(
  _u: uPlot,
  ticks: number[],
  _axis: number,
  _space: number,
  step: number,
): string[] {
  return tickTexts(ticks, step)
}

/**
 * Returns the labels of ticks `step` apart, with enough decimals to distinguish them and a common unit (k, M, G) if
 * that is shorter.
 */
export function tickTexts(ticks: readonly number[], step: number): string[] {
  const largest = Math.max(...ticks.map(Math.abs))
  const unit = UNITS.find(({ from, size }) => largest >= from && decimalsOf(step / size) <= 2)
  const { size, letter } = unit ?? { size: 1, letter: '' }
  const decimals = decimalsOf(step / size)
  return ticks.map((tick) => (tick === 0 ? '0' : fixed(tick / size, decimals) + letter))
}

function fixed(value: number, decimals: number): string {
  const [whole = '0', fraction] = Math.abs(value).toFixed(decimals).split('.')
  return `${value < 0 ? '−' : ''}${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`}`
}

function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    const scaled = step * 10 ** decimals
    if (Math.abs(scaled - Math.round(scaled)) <= scaled * 1e-6) return decimals
  }
  return MOST_DECIMALS
}

/** Returns a date whose local fields equal the UTC fields of `t`, because uPlot places ticks by local fields. */
export function utcDate(t: number): Date {
  return new Date(t + new Date(t).getTimezoneOffset() * 60_000)
}

type Bounds = {
  /** A value that the axis must include; null = no such value. */
  readonly level: number | null
  /** The bounds of the axis; null = the axis follows the values. */
  readonly lowest?: number | null
  readonly highest?: number | null
}

/** Returns the range of a vertical axis: all values and the level with a margin, within the axis's bounds. */
export function roomyRange(
  low: number | null | undefined,
  high: number | null | undefined,
  { level, lowest, highest }: Bounds,
): [number, number] {
  if (low === null || low === undefined || high === null || high === undefined) return [0, 1]
  const from = level === null ? low : Math.min(low, level)
  const to = level === null ? high : Math.max(high, level)
  const margin = (to - from) * 0.08 || Math.abs(to) * 0.001 || 1
  return [Math.max(from - margin, lowest ?? -Infinity), Math.min(to + margin, highest ?? Infinity)]
}

/** Draws a horizontal line across the plot if its value is visible. `dash` in pixels of the page. */
export function drawLevel(u: uPlot, value: number, colour: string, dash: readonly number[] = []): void {
  const { ctx, bbox } = u
  const y = Math.round(u.valToPos(value, 'y', true)) + 0.5
  if (y < bbox.top || y > bbox.top + bbox.height) return
  ctx.save()
  ctx.strokeStyle = colour
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio))
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}
