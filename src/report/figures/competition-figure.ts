import type { Figure } from '../figure.ts'
import { figureText } from '../figure-text.ts'
import type { ReportData } from '../report-data.ts'
import { seriesSummary } from '../series-summary.ts'
import { timeChart } from './time-chart.ts'

const SIDES = {
  bid: { title: 'Half-spread against competition, bid', colour: 'blue' },
  ask: { title: 'Half-spread against competition, ask', colour: 'red' },
} as const

/** Our half-spread beside the best other one, on one side. */
export function competitionFigure(
  { competition }: Pick<ReportData, 'competition'>,
  side: keyof typeof SIDES,
): Figure {
  const { t, ownBid, ownAsk, otherBid, otherAsk } = competition
  const [own, other] = side === 'bid' ? [ownBid, otherBid] : [ownAsk, otherAsk]
  const { title, colour } = SIDES[side]
  const chart = timeChart({
    t,
    lines: [
      { name: 'Own', colour, stroke: 'solid', values: own },
      { name: 'Best other', colour: 'grey', stroke: 'dashed', values: other },
    ],
    step: true,
    lowest: 0,
  })
  return {
    id: `competition-${side}`,
    title,
    unit: 'bps of the mid',
    digits: 1,
    words: chart === null ? `No half-spread was quoted or seen at the ${side}.` : wordsOf(t, own, other),
    size: 'half',
    height: 'middle',
    chart,
  }
}

function wordsOf(t: Float64Array, own: Float64Array, other: Float64Array): string {
  const ours = seriesSummary(t, own)
  const theirs = seriesSummary(t, other)
  const quoted =
    ours.points === 0 ? 'This side was never quoted.' : `Own ${figureText(ours.mean, 1)} bps on average.`
  if (theirs.points === 0) return `${quoted} No other provider was seen.`
  const best = `Best other ${figureText(theirs.mean, 1)} bps on average.`
  if (ours.points === 0) return `${quoted} ${best}`
  const share = seriesSummary(
    t,
    own.map((value, i) => shareInside(value, other[i] ?? NaN)),
  )
  const inside =
    share.points === 0 ? '' : ` Tighter than the best other ${figureText(share.mean * 100, 0)} % of the time.`
  return `${quoted} ${best}${inside}`
}

/** 1 where our half-spread is the tighter one; NaN where one of the two is not known. */
function shareInside(own: number, other: number): number {
  if (!Number.isFinite(own) || !Number.isFinite(other)) return NaN
  return own < other ? 1 : 0
}
