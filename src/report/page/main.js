import { daysChart } from './days-chart.js'
import { listenToKeys } from './keys.js'
import { followPaper } from './paper.js'
import { pointsChart } from './points-chart.js'
import { createReadout } from './readout.js'
import { timeChart } from './time-chart.js'
import { unpack } from './unpack.js'
import { createZoom } from './zoom.js'

const KINDS = { time: timeChart, days: daysChart, points: pointsChart }

async function drawAll() {
  const { window, charts, columns } = await unpack(document.querySelector('#data').textContent)
  const zoom = createZoom(window)
  const plots = charts.map((chart) => {
    const figure = document.querySelector(`[data-chart="${chart.id}"]`)
    const box = figure.querySelector('.plot')
    const readout = createReadout(figure, chart.digits)
    const near = nearOf(figure.querySelector('.near'))
    const u = KINDS[chart.kind]({ chart, columns, box, readout, zoom, near })
    readout.listen(u)
    listenToKeys({ box, u, readout, zoom })
    return { u, box }
  })
  followPaper(plots)
  document.body.dataset.drawn = String(plots.length)
}

/** The line for the fill under the pointer, which says something else at rest. */
function nearOf(element) {
  if (element === null) return null
  const atRest = element.textContent
  return { show: (text) => (element.textContent = text === '' ? atRest : text) }
}

try {
  await drawAll()
} catch (error) {
  for (const box of document.querySelectorAll('.plot:empty')) {
    box.textContent = `This browser could not draw the chart: ${error.message}`
  }
  throw error
}
