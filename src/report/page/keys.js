const STEPS = 100

/** Moves the cursor of a chart and zooms by keys, and says what stands under the cursor. */
export function listenToKeys({ box, u, readout, zoom }) {
  const said = document.querySelector('#said')
  box.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = actionOf(event, u, zoom)
    if (action === null) return
    event.preventDefault()
    action()
    said.textContent = readout.words()
  })
  box.addEventListener('blur', () => move(u, -10))
}

function actionOf({ key, shiftKey }, u, zoom) {
  const width = u.over.clientWidth
  const step = (width / STEPS) * (shiftKey ? 10 : 1)
  const at = u.cursor.left >= 0 ? u.cursor.left : null
  const isOverTime = zoom.plots.includes(u)
  const centre = () => u.posToVal(at ?? width / 2, 'x')
  if (key === 'ArrowRight') return () => move(u, Math.min(width, at === null ? 0 : at + step))
  if (key === 'ArrowLeft') return () => move(u, Math.max(0, at === null ? width : at - step))
  if (key === 'Home') return () => move(u, 0)
  if (key === 'End') return () => move(u, width)
  if (!isOverTime) return null
  if (key === '+' || key === '=') return () => zoom.by(0.5, centre())
  if (key === '-') return () => zoom.by(2, centre())
  if (key === 'Escape' || key === '0') return () => zoom.reset()
  return null
}

function move(u, left) {
  u.setCursor({ left, top: left < 0 ? -10 : u.over.clientHeight / 2 }, true, true)
}
