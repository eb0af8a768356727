import { floatText } from '../../../base/text/numbers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { PositionView } from '../../view/position-view.ts'
import { TZS_LABELS } from '../../view/pnl-labels.ts'
import { figuresOf, type DailySummary, type SummaryFigures } from './summary.ts'
import { minus, plainFigure, signed } from '../figure-text.ts'
import { messageTime, plainMessageText } from '../message/message-text.ts'
import { SEVERITY_RANK } from '../../../core/alerts/entry.ts'
import { measureText, scorecardSummary } from '../../view/scorecard-text.ts'
import type { ScorecardView } from '../../view/scorecard-view.ts'

const SHOWN_INCIDENTS = 12
const MOST_REASON = 300
const BPS = 10_000

/**
 * Returns the daily summary: PnL since the last summary and in total, term by term, so that the terms add up; trades and their edge, time
 * quoted, holdings and incidents. `more`: lines of the treasury and the scorecard, if any.
 */
export function summaryText(
  book: DailySummary,
  view: PositionView,
  timezone: string,
  more: readonly string[] = [],
): string {
  const lines = [
    `daily summary since ${messageTime(book.since, timezone).text} (${durationText(view.now - book.since)})`,
    ...resultLines(book.before, figuresOf(view)),
    uptimeLine(book, view.now),
    ...inventoryLines(view),
    ...more,
    stateLine(view),
    incidentLine(book),
  ]
  return lines.join('\n')
}

function resultLines(before: SummaryFigures | null, after: SummaryFigures | null): readonly string[] {
  if (after === null) return ['PnL: unknown, because the position cannot be valued']
  const { tzs, usd } = after
  const day = before ?? after
  const terms = TZS_LABELS.map(([term, label]) => `${label} ${signed(minus(tzs[term], day.tzs[term]))}`)
  const volume = minus(after.volumeUsd, day.volumeUsd)
  const fills = `${after.bid - day.bid} bid, ${after.ask - day.ask} ask`
  const totals = (now: string, then: string, unit: string) =>
    `${signed(minus(now, then))} ${unit} (in total ${signed(now)})`
  return [
    `PnL ${totals(tzs.total, day.tzs.total, 'TZS')}, ${totals(usd.total, day.usd.total, 'USD')}`,
    `  TZS: ${terms.join(', ')}`,
    `fills ${fills}; volume ${plainFigure(volume)} USD; edge ${edgeText(minus(usd.edge, day.usd.edge), volume)}`,
    ...(before === null ? ['  (the first summary: there are no earlier figures)'] : []),
  ]
}

/** Returns what fills earned against fair value, per dollar traded. */
function edgeText(edgeUsd: string, volumeUsd: string): string {
  const bps = (Number(edgeUsd) / Number(volumeUsd)) * BPS
  return Number.isFinite(bps) ? `${floatText(bps, 1)} bps` : 'none'
}

function uptimeLine({ quotedMs, since }: DailySummary, now: Ms): string {
  const share = now > since ? Math.min(1, quotedMs / (now - since)) : 0
  return `a quote was live ${(share * 100).toFixed(1)} % of the time`
}

/** A reason may quote a person, so it is kept to one line. */
function stateLine({ tradingState, reasons, reconciliation }: PositionView): string {
  const why = reasons[0] === undefined ? '' : `: ${plainMessageText(reasons[0], MOST_REASON)}`
  return `now ${tradingState}${why}; ledger ${reconciliation.state}`
}

function inventoryLines({ balances, inventory }: PositionView): readonly string[] {
  const held = Object.entries(balances).map(([asset, amount]) => `${plainFigure(amount)} ${asset}`)
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const share = inventory.usdShare === null ? 'not known' : percent(inventory.usdShare)
  return [
    `holds ${held.length === 0 ? 'unknown amounts' : held.join(', ')}`,
    `dollars are ${share} of the value, the target is ${percent(inventory.target)}`,
  ]
}

function incidentLine({ incidents }: DailySummary): string {
  const all = Object.entries(incidents).toSorted(
    ([, a], [, b]) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity] || b.count - a.count,
  )
  if (all.length === 0) return 'no incidents'
  const shown = all.slice(0, SHOWN_INCIDENTS).map(([code, { count }]) => `${count} x ${code}`)
  const rest = all.length - shown.length
  return `incidents: ${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} other codes`}`
}

function durationText(ms: Ms): string {
  const [days, hours, minutes] = [
    Math.floor(ms / DAY_MS),
    Math.floor(ms / HOUR_MS) % 24,
    Math.floor(ms / MINUTE_MS) % 60,
  ]
  return days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

/** If the clocks were put forward, a summary comes slightly early. */
const WEEK_MS = 7 * DAY_MS - 2 * HOUR_MS

/** Whether the daily summary includes the scorecard, which it does once a week; `lastAt` null = it never did. */
export function isScorecardDue(scorecard: ScorecardView | null, lastAt: Ms | null, now: Ms): boolean {
  return scorecard !== null && scorecard.card !== null && (lastAt === null || now - lastAt >= WEEK_MS)
}

/** Returns the week compared with the expectations of the calibration in force: both sides together, and the values outside its band. */
export function scorecardLines(scorecard: ScorecardView | null): readonly string[] {
  const card = scorecard?.card ?? null
  if (card === null) return []
  const measures = card.both.measures.filter(({ verdict }) => verdict !== null).map(measureText)
  return [
    `the week against the calibration: ${scorecardSummary(card)}`,
    ...measures.map(
      ({ name, realised, unit, band }) => `  ${name}: ${realised ?? '0'}${unit}, expected ${band}`,
    ),
  ]
}
