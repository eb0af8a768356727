import { figureText, unbroken, type Figure } from './figure.ts'
import type { ReportData, ReportTable } from '../report-data.ts'
import { seriesSummary, timeChart } from './time-chart.ts'
import { ageText, minuteText } from '../../../base/text/times.ts'
import type { Ms } from '../../../base/time.ts'

/** Equity below its highest point so far. */
export function drawdownFigure({ drawdown }: Pick<ReportData, 'drawdown'>): Figure {
  const { t } = drawdown
  const usd = drawdown.usd.map((value) => -Math.abs(value))
  const { lowest, last, points } = seriesSummary(t, usd)
  const chart = timeChart({
    t,
    lines: [{ name: 'Below the peak', colour: 'red', values: usd }],
    toZero: true,
    highest: 0,
  })
  const deepest = `${figureText(-lowest, 2)} USD below the peak at ${unbroken(minuteText(t[usd.indexOf(lowest)] ?? NaN))}`
  const falls = fallsOf(drawdown)
  const words =
    points === 0
      ? 'The run has no equity.'
      : lowest === 0
        ? 'No drawdown: the equity never fell below its peak.'
        : `Deepest ${deepest}; ${figureText(-last, 2)} at the end. Longest under water ${longestText(falls)}.`
  return {
    id: 'drawdown',
    title: 'Drawdown, under water',
    unit: 'USD',
    digits: 2,
    words,
    chart: lowest === 0 ? null : chart,
    table: worstTable(falls),
  }
}

/** The equity left its highest point so far, and came back to it or not. */
type Fall = {
  readonly from: Ms
  readonly deepestAt: Ms
  readonly usd: number
  /** Null = not recovered by the end. */
  readonly recoveredAt: Ms | null
  readonly lengthMs: Ms
}

/** Returns all falls in time order; gaps continue the fall that they are in. */
export function fallsOf({ t, usd }: ReportData['drawdown']): readonly Fall[] {
  const falls: Fall[] = []
  let from = t[0] ?? 0
  let deepest: { readonly at: Ms; readonly usd: number } | null = null
  const close = (recoveredAt: Ms | null, until: Ms) => {
    if (deepest !== null)
      falls.push({ from, deepestAt: deepest.at, usd: deepest.usd, recoveredAt, lengthMs: until - from })
    deepest = null
  }
  for (let i = 0; i < t.length; i++) {
    const below = Math.abs(usd[i] ?? NaN)
    if (!Number.isFinite(below)) continue
    const at = t[i] ?? 0
    if (below === 0) {
      close(at, at)
      from = at
    } else if (deepest === null || below > deepest.usd) deepest = { at, usd: below }
  }
  close(null, t.at(-1) ?? 0)
  return falls
}

function longestText(falls: readonly Fall[]): string {
  const longest = falls.reduce<Fall | null>(
    (most, fall) => (most === null || fall.lengthMs > most.lengthMs ? fall : most),
    null,
  )
  if (longest === null) return 'unknown'
  const until = longest.recoveredAt === null ? ', not yet recovered at the end' : ''
  return `${ageText(longest.lengthMs)} from ${unbroken(minuteText(longest.from))}${until}`
}

const SHOWN = 5

function worstTable(falls: readonly Fall[]): ReportTable {
  const worst = falls.toSorted((a, b) => b.usd - a.usd).slice(0, SHOWN)
  return {
    title: worst.length < SHOWN ? 'Drawdowns, deepest first' : 'The worst five drawdowns',
    head: ['From, UTC', 'Deepest, UTC', 'Recovered, UTC', 'Length', 'USD'],
    rows: worst.map(({ from, deepestAt, recoveredAt, lengthMs, usd }) => [
      cellText(from),
      cellText(deepestAt),
      recoveredAt === null ? 'not yet' : cellText(recoveredAt),
      ageText(lengthMs),
      figureText(usd, 2),
    ]),
  }
}

/** Without the zone, which the head of the column has. */
function cellText(t: Ms): string {
  return unbroken(minuteText(t).replace(' UTC', ''))
}
