import type uPlot from 'uplot'
import { forgetColours, onColourChange } from '../../../base/charts/colours.ts'
import type { Chart } from '../figures/figure.ts'
import type { ChartPlace } from './chart.ts'
import { daysChart } from './days-chart.ts'
import { listenToKeys } from './keys.ts'
import { planeChart } from './plane-chart.ts'
import { drawPoints } from './points-chart.ts'
import { drawRows } from './rows-chart.ts'
import { createReadout, only } from './readout.ts'
import { drawTimeChart } from './time-chart.ts'
import { type PageChart, unpackPage } from './unpack.ts'
import { createZoom } from './zoom.ts'

type Plot = { readonly u: uPlot; readonly box: HTMLElement }

async function drawAll(): Promise<void> {
  const { window, charts } = await unpackPage(only(document, '#data').textContent)
  const zoom = createZoom(window)
  const plots = charts.map((chart): Plot => {
    const figure = only(document, `[data-chart="${chart.id}"]`)
    const box = only(figure, '.plot')
    const readout = createReadout(figure, chart.digits)
    const u = draw(chart, { box, readout, zoom, near: nearOf(figure.querySelector('.near')) })
    readout.listen(u)
    listenToKeys({ box, u, readout, zoom })
    return { u, box }
  })
  followPaper(plots)
  document.body.dataset['drawn'] = String(plots.length)
}

function draw(chart: PageChart, place: Omit<ChartPlace<Chart>, 'chart'>): uPlot {
  switch (chart.kind) {
    case 'time':
      return drawTimeChart({ ...place, chart })
    case 'days':
      return daysChart({ ...place, chart })
    case 'plane':
      return planeChart({ ...place, chart })
    case 'rows':
      return drawRows({ ...place, chart })
    case 'points':
      return drawPoints({ ...place, chart })
  }
}

/** The line for the fill under the pointer, which has another text at rest. */
function nearOf(element: Element | null): { readonly show: (text: string) => void } | null {
  if (element === null) return null
  const atRest = element.textContent
  return { show: (text) => (element.textContent = text === '' ? atRest : text) }
}

/** Keeps the drawn charts as wide as their boxes, and in the colours of the light, dark or print style. */
function followPaper(plots: readonly Plot[]): void {
  const repaint = () => {
    for (const { u } of plots) u.redraw(false, true)
  }
  const fit = () => {
    for (const { u, box } of plots) u.setSize({ width: box.clientWidth, height: box.clientHeight })
  }
  const change = (isPaper: boolean) => () => {
    document.documentElement.classList.toggle('paper', isPaper)
    forgetColours()
    fit()
    repaint()
  }
  const observer = new ResizeObserver(fit)
  for (const { box } of plots) observer.observe(box)
  onColourChange(repaint)
  addEventListener('beforeprint', change(true))
  addEventListener('afterprint', change(false))
}

try {
  await drawAll()
} catch (error) {
  for (const box of document.querySelectorAll('.plot:empty')) {
    box.textContent = `This browser could not draw the chart: ${error instanceof Error ? error.message : String(error)}`
  }
  throw error
}
