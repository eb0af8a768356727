import type { Figure } from '../figure.ts'
import { figureText } from '../figure-text.ts'
import { dayText } from '../minute-text.ts'
import type { ReportData } from '../report-data.ts'

/** How much of each day each side was quoted. */
export function uptimeFigure({ uptime }: Pick<ReportData, 'uptime'>): Figure {
  const { t } = uptime
  const bid = uptime.bid.map((share) => share * 100)
  const ask = uptime.ask.map((share) => share * 100)
  const nothing = !bid.some(Number.isFinite) && !ask.some(Number.isFinite)
  return {
    id: 'uptime',
    title: 'Uptime by day',
    unit: '% of the UTC day',
    digits: 1,
    words: nothing ? 'No day was observed.' : `${sideWords('Bid', t, bid)} ${sideWords('Ask', t, ask)}`,
    size: 'whole',
    height: 'low',
    chart: nothing
      ? null
      : {
          kind: 'days',
          t,
          lines: [
            { name: 'Bid quoted', colour: 'blue', stroke: 'solid', values: bid },
            { name: 'Ask quoted', colour: 'red', stroke: 'solid', values: ask },
          ],
        },
  }
}

function sideWords(side: string, t: Float64Array, percent: Float64Array): string {
  const known = percent.filter(Number.isFinite)
  if (known.length === 0) return `${side}: not known.`
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  const worst = known.reduce((lowest, value) => Math.min(lowest, value))
  const worstDay = dayText(t[percent.indexOf(worst)] ?? NaN)
  const days = known.length === 1 ? 'one day' : `${figureText(known.length, 0)} days`
  return `${side} ${figureText(mean, 1)} % on average over ${days}, worst ${figureText(worst, 1)} % (${worstDay}).`
}
