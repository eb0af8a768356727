import { forgetColours } from './colours.js'

/** Keeps the drawn charts as wide as their boxes and in the colours of the light, the dark or the paper. */
export function followPaper(plots) {
  const repaint = () => {
    forgetColours()
    for (const { u } of plots) u.redraw(false, true)
  }
  const fit = () => {
    for (const { u, box } of plots) u.setSize({ width: box.clientWidth, height: box.clientHeight })
  }
  const change = (isPaper) => () => {
    document.documentElement.classList.toggle('paper', isPaper)
    fit()
    repaint()
  }
  const observer = new ResizeObserver(fit)
  for (const { box } of plots) observer.observe(box)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint)
  addEventListener('beforeprint', change(true))
  addEventListener('afterprint', change(false))
}
