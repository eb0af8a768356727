import type uPlot from 'uplot'
import { HOUR_MS, SECOND_MS } from '../../../base/time.ts'
import { momentText } from '../../../base/text/times.ts'
import { only } from './readout.ts'

const SHORTEST_MS = SECOND_MS
const HALF_HOUR_MS = HOUR_MS / 2

/** The time window shared by all charts over time. */
export type Zoom = {
  readonly plots: uPlot[]
  readonly shown: () => readonly [number, number]
  readonly show: (start: number, end: number) => void
  readonly reset: () => void
  /** Shows `factor` times as much around the time `centre`. */
  readonly by: (factor: number, centre: number) => void
}

export function createZoom([from, to]: readonly [number, number]): Zoom {
  // A window of a single moment has no width.
  const whole =
    to - from < SHORTEST_MS ? ([from - HALF_HOUR_MS, to + HALF_HOUR_MS] as const) : ([from, to] as const)
  let shown: readonly [number, number] = whole
  const plots: uPlot[] = []
  const bar = only(document, '#zoom')

  function show(start: number, end: number): void {
    if (end - start < SHORTEST_MS) return
    const first = Math.max(whole[0], start)
    const last = Math.min(whole[1], end)
    shown = first < last ? [first, last] : whole
    for (const u of plots) u.setScale('x', { min: shown[0], max: shown[1] })
    bar.hidden = shown[0] === whole[0] && shown[1] === whole[1]
    const length = shown[1] - shown[0]
    only(bar, 'span').textContent = `${momentText(shown[0], length)} to ${momentText(shown[1], length)}`
  }

  const reset = () => show(...whole)
  only(bar, 'button').addEventListener('click', reset)
  return {
    plots,
    shown: () => shown,
    show,
    reset,
    by: (factor, centre) =>
      show(centre - (centre - shown[0]) * factor, centre + (shown[1] - centre) * factor),
  }
}
