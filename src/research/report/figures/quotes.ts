import { type Figure, figureText, type Markers, unbroken } from './figure.ts'
import type { ReportData } from '../report-data.ts'
import { pickRows, seriesSummary, timeChart } from './time-chart.ts'
import { thinFills } from './thin-fills.ts'
import { dateText } from '../../../base/text/times.ts'

/** Quotes, mid, fair value and fills. */
export function quotesFigure({ quotes, fills }: Pick<ReportData, 'quotes' | 'fills'>): Figure {
  const { t, mid, fair, bid, ask } = quotes
  const markers = markersOf(fills)
  const chart = timeChart({
    t,
    lines: [
      { name: 'Sell dollars at S(1 + bid)', colour: 'blue', values: bid },
      { name: 'Buy dollars at S(1 - ask)', colour: 'red', values: ask },
      { name: 'Mid S', colour: 'grey', values: mid },
      { name: 'Fair value', colour: 'purple', stroke: 'dashed', values: fair },
    ],
    step: true,
    markers: markers.t.length === 0 ? null : markers,
  })
  return {
    id: 'quotes',
    title: 'Quotes and fills',
    unit: 'TZS per USD',
    digits: 4,
    words: [midWords(quotes), fillWords(fills, chart === null ? 0 : markers.t.length)].join(' '),
    size: 'whole',
    height: 'tall',
    chart,
  }
}

function midWords({ t, mid }: ReportData['quotes']): string {
  const { first, last, lowest, highest, points } = seriesSummary(t, mid)
  if (points === 0) return 'The run has no mid.'
  return `Mid from ${figureText(first, 2)} to ${figureText(last, 2)} TZS per USD, between ${figureText(lowest, 2)} and ${figureText(highest, 2)}.`
}

function fillWords(fills: ReportData['fills'], drawn: number): string {
  const count = fills.t.length
  const all = count + fills.leftOut
  if (all === 0) return 'No fills.'
  let usd = 0
  let atBid = 0
  let synthetic = 0
  for (let i = 0; i < count; i++) {
    const size = fills.usd[i] ?? NaN
    if (!Number.isFinite(size)) continue
    usd += size
    if (fills.bid[i] === 1) atBid += size
    if (fills.synthetic[i] === 1) synthetic += size
  }
  const given = fills.leftOut > 0 ? ` (of the ${figureText(count, 0)} recorded individually)` : ''
  const sentences = [
    `${figureText(all, 0)} ${all === 1 ? 'fill' : 'fills'}, ${figureText(usd, 0)} USD${given}: ${percent(atBid, usd)} of the dollars at the bid, ${percent(usd - atBid, usd)} at the ask, ${percent(synthetic, usd)} synthetic.`,
  ]
  if (drawn < all) {
    sentences.push(
      `${figureText(drawn, 0)} of ${figureText(all, 0)} fills are drawn: the largest of those that would overlap.`,
    )
  }
  return sentences.join(' ')
}

function percent(part: number, whole: number): string {
  return `${figureText(whole > 0 ? (part / whole) * 100 : 0, 1)} %`
}

function markersOf(fills: ReportData['fills']): Markers {
  const rows = thinFills(fills)
  return {
    t: pickRows(fills.t, rows),
    price: pickRows(fills.price, rows),
    usd: pickRows(fills.usd, rows),
    flags: Uint8Array.from(
      rows,
      (row) => (fills.bid[row] === 1 ? 1 : 0) + (fills.synthetic[row] === 1 ? 2 : 0),
    ),
  }
}

const SIDES = {
  bid: { title: 'Half-spread against competition, bid', colour: 'blue' },
  ask: { title: 'Half-spread against competition, ask', colour: 'red' },
} as const

/** Our half-spread and the best competitor's, on one side. */
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
      { name: 'Own', colour, values: own },
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
    words: chart === null ? `No half-spread was quoted or observed at the ${side}.` : wordsOf(t, own, other),
    chart,
  }
}

function wordsOf(t: Float64Array, own: Float64Array, other: Float64Array): string {
  const ours = seriesSummary(t, own)
  const theirs = seriesSummary(t, other)
  const quoted =
    ours.points === 0 ? 'This side was never quoted.' : `Own ${figureText(ours.mean, 1)} bps on average.`
  if (theirs.points === 0) return `${quoted} No other provider was observed.`
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

/** Returns 1 where our half-spread is tighter; NaN where either is unknown. */
function shareInside(own: number, other: number): number {
  if (!Number.isFinite(own) || !Number.isFinite(other)) return NaN
  return own < other ? 1 : 0
}

/** Share of each day that each side was quoted. */
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
          percent: true,
          t,
          lines: [
            { name: 'Bid quoted', colour: 'blue', values: bid },
            { name: 'Ask quoted', colour: 'red', values: ask },
          ],
        },
  }
}

function sideWords(side: string, t: Float64Array, percent: Float64Array): string {
  const known = percent.filter(Number.isFinite)
  if (known.length === 0) return `${side}: not known.`
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  const worst = known.reduce((lowest, value) => Math.min(lowest, value))
  const worstDay = unbroken(dateText(t[percent.indexOf(worst)] ?? NaN))
  const days = known.length === 1 ? 'one day' : `${figureText(known.length, 0)} days`
  return `${side} ${figureText(mean, 1)} % on average over ${days}, worst ${figureText(worst, 1)} % (${worstDay}).`
}
