import type uPlot from 'uplot'
import { only, type Readout } from './readout.ts'
import type { Zoom } from './zoom.ts'

const STEPS = 100

type KeyTarget = {
  readonly box: HTMLElement
  readonly u: uPlot
  readonly readout: Readout
  readonly zoom: Zoom
}

/** Moves the cursor of a chart and zooms by keys, and announces the values under the cursor. */
export function listenToKeys({ box, u, readout, zoom }: KeyTarget): void {
  const status = only(document, '#said')
  box.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = actionOf(event, u, zoom)
    if (action === null) return
    event.preventDefault()
    action()
    status.textContent = readout.words()
  })
  box.addEventListener('blur', () => move(u, -10))
}

function actionOf({ key, shiftKey }: KeyboardEvent, u: uPlot, zoom: Zoom): (() => void) | null {
  const width = u.over.clientWidth
  const step = (width / STEPS) * (shiftKey ? 10 : 1)
  const left = u.cursor.left ?? -1
  const at = left >= 0 ? left : null
  const centre = () => u.posToVal(at ?? width / 2, 'x')
  switch (key) {
    case 'ArrowRight':
      return () => move(u, Math.min(width, at === null ? 0 : at + step))
    case 'ArrowLeft':
      return () => move(u, Math.max(0, at === null ? width : at - step))
    case 'Home':
      return () => move(u, 0)
    case 'End':
      return () => move(u, width)
  }
  if (!zoom.plots.includes(u)) return null
  if (key === '+' || key === '=') return () => zoom.by(0.5, centre())
  if (key === '-') return () => zoom.by(2, centre())
  return key === 'Escape' || key === '0' ? zoom.reset : null
}

/** uPlot's `setCursor` takes a third argument that is missing in its types: whether synchronised charts follow. */
type Publishing = {
  setCursor(at: { readonly left: number; readonly top: number }, fires: boolean, publishes: boolean): void
}

function move(u: uPlot, left: number): void {
  const plot: Publishing = u
  plot.setCursor({ left, top: left < 0 ? -10 : u.over.clientHeight / 2 }, true, true)
}
