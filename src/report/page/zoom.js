import { timeText } from './time-text.js'

const SHORTEST_MS = 1_000

/** The stretch of time that all charts over time show together. */
export function createZoom([from, to]) {
  // A window of one moment has no width to draw in.
  const whole = to - from < SHORTEST_MS ? [from - 1_800_000, to + 1_800_000] : [from, to]
  let shown = whole
  const plots = []
  const bar = document.querySelector('#zoom')

  function show(start, end) {
    if (end - start < SHORTEST_MS) return
    const from = Math.max(whole[0], start)
    const to = Math.min(whole[1], end)
    shown = from < to ? [from, to] : whole
    for (const u of plots) u.setScale('x', { min: shown[0], max: shown[1] })
    bar.hidden = shown[0] === whole[0] && shown[1] === whole[1]
    const length = shown[1] - shown[0]
    bar.firstElementChild.textContent = `${timeText(shown[0], length)} to ${timeText(shown[1], length)}`
  }

  const zoom = {
    plots,
    shown: () => shown,
    show,
    reset: () => show(...whole),
    /** Shows `factor` times as much around the time `centre`. */
    by(factor, centre) {
      const [start, end] = shown
      show(centre - (centre - start) * factor, centre + (end - centre) * factor)
    },
  }
  bar.querySelector('button').addEventListener('click', zoom.reset)
  return zoom
}
