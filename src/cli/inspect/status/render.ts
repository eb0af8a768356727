import {
  comparisonRows,
  pnlRows,
  amountPieces,
  custodyRows,
  outOfMarketText,
  referenceRows,
} from './sections.ts'
import { overrideTexts } from '../../../core/engine/model/config-event.ts'
import type { PositionView, WithdrawalView } from '../../../daemon/view/position-view.ts'
import type { QuoteView } from '../../../daemon/view/market-view.ts'
import { decisionText } from '../../../daemon/view/decision-text.ts'
import { executionNotes, stateWord, withdrawalStage } from '../../../daemon/view/position-text.ts'
import { type Piece, type RowOptions, tableRow, type Tone } from '../../output/tables.ts'
import { ageText, timeText } from '../../../base/text/times.ts'
import { decimalText } from '../../../base/text/numbers.ts'

const MIN_WIDTH = 40
const MAX_WIDTH = 120
const FILLS_SHOWN = 3

/**
 * Renders a position's state and its reasons as lines for a terminal of this width. An unknown value is named as unknown,
 * never shown as 0. If the position is not running, its store is shown, and the time of its last event in place of the uptime.
 */
export function renderStatus(view: PositionView, options: RowOptions, isRunning = true): string[] {
  const row = { ...options, width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, options.width)) }
  return [
    ...tableRow(view.name, heading(view, isRunning), row),
    ...missingRow(view, row),
    ...view.reasons.flatMap((reason, index) =>
      tableRow(index === 0 ? '  why' : '', [{ text: reason, tone: STATE_TONE[view.tradingState] }], row),
    ),
    ...tableRow('quote', quotePieces(view), row),
    ...tableRow('  why', [view.quote.because.join('; ')], row),
    ...decisionRow(view, row),
    ...tableRow('mid', midPieces(view), row),
    ...referenceRows(view, row),
    ...tableRow('competition', [`best bid ${rival(view, 'bid')}`, `best ask ${rival(view, 'ask')}`], row),
    ...custodyRows(view, row),
    ...tableRow('holds', amountPieces(view.balances, 'not known yet'), row),
    ...tableRow('inventory', inventoryPieces(view, row.width), row),
    ...pnlRows(view.pnl, row),
    ...tableRow('ledger', reconciliationPieces(view), row),
    ...tableRow('fills', fillsPieces(view), row),
    ...view.fills.last.slice(0, FILLS_SHOWN).flatMap((fill) => tableRow('', lastFill(view, fill), row)),
    ...reviewRow(view, row),
    ...view.withdrawals.flatMap((one, index) =>
      tableRow(index === 0 ? 'withdrawals' : '', withdrawalPieces(one, view.now), row),
    ),
    ...tableRow('requests', budgetPieces(view), row),
    ...tableRow('guard', guardPieces(view), row),
    ...tableRow('strategy', strategyPieces(view), row),
    ...comparisonRows(view, row),
  ]
}

function heading(view: PositionView, isRunning: boolean): Piece[] {
  const inMarket = whereIn(view)
  const age = ageText(view.now - view.startedAt)
  return [
    { text: stateWord(view), tone: STATE_TONE[view.tradingState] },
    ...(view.paused ? [{ text: 'paused', tone: 'warn' } as const] : []),
    inMarket,
    ...(view.mode === 'dry-run' ? [{ text: 'dry run: changes nothing', tone: 'warn' } as const] : []),
    isRunning
      ? { text: `up ${age}`, tone: 'dim' }
      : { text: `last seen ${timeText(view.now)}, ${age} after its start`, tone: 'warn' },
    { text: `mizani ${view.version}`, tone: 'dim' },
  ]
}

function guardPieces({ guard, mode }: PositionView): Piece[] {
  if (mode === 'dry-run') return [{ text: 'a dry run needs none', tone: 'dim' }]
  if (guard === null) return [{ text: 'no guard watches the position: no guard has answered', tone: 'dim' }]
  if (guard.watch === 'held') return [`watches, lease ${guard.fence ?? ''}`]
  if (guard.watch === 'unwatched')
    return [{ text: `no guard watches the position: ${guard.why}`, tone: 'warn' }]
  return [{ text: guard.why, tone: 'bad' }]
}

function missingRow(view: PositionView, row: RowOptions): string[] {
  const text = outOfMarketText(view)
  return text === null ? [] : tableRow('  !!', [{ text, tone: 'bad' }], row)
}

function withdrawalPieces(one: WithdrawalView, now: number): Piece[] {
  const { amount, asset, toAddress, who, key } = one
  return [
    { text: `${decimalText(amount, 2)} ${asset} to ${toAddress}`, tone: 'bold' },
    { text: withdrawalStage(one, now), tone: 'warn' },
    { text: `requested by ${who}, key ${key}`, tone: 'dim' },
  ]
}

function whereIn({ isActive, rfq }: PositionView): Piece {
  if (rfq !== null && isActive === false) return { text: 'in self-custody', tone: 'good' }
  if (isActive === null) return { text: 'in the market: unknown', tone: 'warn' }
  return isActive ? { text: 'in the market', tone: 'good' } : { text: 'out of the market', tone: 'warn' }
}

/** Without pooled capital the venue has no quote of ours. */
function quotePieces({ quote, now, mode, rfq }: PositionView): Piece[] {
  if (rfq !== null) return [{ text: 'nothing is pooled; orders are signed instead', tone: 'dim' }]
  const isDryRun = mode === 'dry-run'
  const confirmed =
    quote.confirmedAt === null ? 'never confirmed' : `confirmed ${ageText(now - quote.confirmedAt)} ago`
  return [
    { text: `bid ${side(quote.bidBps, quote.quoteBid)}`, tone: 'bold' },
    { text: `ask ${side(quote.askBps, quote.quoteAsk)}`, tone: 'bold' },
    ...(isDryRun || quote.status === 'confirmed' ? [] : [{ text: quote.status, tone: 'bad' } as const]),
    isDryRun
      ? { text: 'dry run: decided, not sent', tone: 'dim' }
      : { text: confirmed, tone: quote.status === 'confirmed' ? 'good' : 'dim' },
    ...(quote.cannotClose === null ? wanted(quote) : [{ text: quote.cannotClose, tone: 'warn' } as const]),
  ]
}

function side(bps: number | null, isOn: boolean | null): string {
  if (isOn === false) return 'off'
  return bps === null ? 'unknown' : `${bps} bps`
}

/** Returns the target if it differs from the live quote. */
function wanted({ target, bidBps, askBps, quoteBid, quoteAsk }: QuoteView): Piece[] {
  if (target === null) return []
  const standing = { bidBps: quoteBid === false ? null : bidBps, askBps: quoteAsk === false ? null : askBps }
  if (target.bidBps === standing.bidBps && target.askBps === standing.askBps) return []
  const text = (bps: number | null) => (bps === null ? 'off' : String(bps))
  return [{ text: `wanted: bid ${text(target.bidBps)} ask ${text(target.askBps)}`, tone: 'dim' }]
}

function decisionRow({ decision, now }: PositionView, row: RowOptions): string[] {
  if (decision === null) return []
  return tableRow(
    '  asked',
    [{ text: decisionText(decision, ageText(now - decision.askedAt)), tone: 'dim' }],
    row,
  )
}

function midPieces({ mid, midAgeMs, quotable, execution }: PositionView): Piece[] {
  if (mid === null) return [{ text: 'unknown', tone: 'bad' }]
  return [
    `${decimalText(mid, 2)} TZS per USD`,
    midAgeMs === null ? 'age unknown' : `${ageText(midAgeMs)} old`,
    ...(quotable === false ? [{ text: 'not quotable, says the venue', tone: 'bad' } as const] : []),
    ...executionNotes(execution).map((text) => ({ text, tone: 'warn' as const })),
  ]
}

function rival({ competition }: PositionView, of: 'bid' | 'ask'): string {
  const seen = competition[of]
  if (seen === null) return 'not seen'
  return `${seen.bps} bps${seen.isOwn ? ', our own quote' : ''} (${ageText(seen.ageMs)} ago)`
}

function inventoryPieces({ inventory: { usdShare, target } }: PositionView, width: number): Piece[] {
  if (usdShare === null) return ['cannot be valued yet']
  const share = `${(usdShare * 100).toFixed(1)} % dollars, target ${(target * 100).toFixed(0)} %`
  return [`TZS ${scaleBar(usdShare, target, width < 80 ? 15 : 31)} USD`, share]
}

function reconciliationPieces({
  reconciliation: { state, since, why, unreconciled, notStated, unreadable },
  now,
}: PositionView): Piece[] {
  const differs = amountPieces(unreconciled, '')
  return [
    {
      text: since === null ? state : `${state} for ${ageText(now - since)}`,
      tone: RECONCILIATION_TONE[state],
    },
    ...(state === 'reconciled' || why === '' || unreadable.includes(why) ? [] : [why]),
    ...unreadable.map((figure): Piece => ({ text: `unreadable: ${figure}`, tone: 'bad' })),
    ...notStated.map((asset) => `${asset}: not stated by the venue, so not counted`),
    ...(differs[0] === '' ? [] : [{ text: `unreconciled ${differs.join(', ')}`, tone: 'bad' } as const]),
  ]
}

function fillsPieces({ fills }: PositionView): Piece[] {
  return [
    `${fills.total}: ${fills.bid} bid, ${fills.ask} ask`,
    `${decimalText(fills.volumeUsd, 2)} USD traded`,
  ]
}

function reviewRow({ review }: PositionView, row: RowOptions): string[] {
  if (review === null) return []
  const counted = `${review.fills} fills, ${review.sameSideFills} of one side in a row, ${decimalText(review.volumeUsd, 2)} USD since a person looked`
  const { override } = review
  if (override === null) return tableRow('review', [counted], row)
  const text = `put off by ${override.who} until ${new Date(override.until).toISOString()}: ${override.why}`
  return tableRow('review', [{ text, tone: 'warn' }, counted], row)
}

function lastFill({ now }: PositionView, fill: PositionView['fills']['last'][number]): Piece[] {
  const at = `${ageText(now - fill.seenAt)} ago`
  const got = `${decimalText(fill.amountIn, 2)} ${fill.inAsset}`
  const gave = `${decimalText(fill.amountOut, 2)} ${fill.outAsset}`
  return [{ text: `${at}  ${fill.side}  got ${got}, gave ${gave}`, tone: 'dim' }]
}

function budgetPieces({ budget, requestsFailed }: PositionView): Piece[] {
  const limit =
    budget.effective < budget.limit ? `${budget.effective} (cut from ${budget.limit})` : `${budget.limit}`
  const left = `${budget.remaining} of ${limit} left this minute`
  return requestsFailed === 0 ? [left] : [left, { text: `${requestsFailed} failed so far`, tone: 'warn' }]
}

function strategyPieces({ strategy, overrides }: PositionView): Piece[] {
  const set = overrideTexts(overrides).join(', ')
  const pieces: Piece[] = [strategy.use]
  if (strategy.suspended !== null) pieces.push({ text: `suspended: ${strategy.suspended}`, tone: 'bad' })
  if (set !== '') pieces.push({ text: `set over HTTP: ${set}`, tone: 'warn' })
  return pieces
}

/**
 * Renders a scale from all shillings (left) to all dollars (right), with `^` for the target and `O` for the position. Shares
 * from 0 to 1.
 */
export function scaleBar(share: number, target: number, width: number): string {
  const cells = Math.max(3, width)
  const cellOf = (part: number) => Math.min(cells - 1, Math.max(0, Math.round(part * (cells - 1))))
  const bar = Array.from({ length: cells }, () => '-')
  bar[cellOf(target)] = '^'
  bar[cellOf(share)] = 'O'
  return `[${bar.join('')}]`
}

/** Colour of each state, everywhere a position is shown. */
export const STATE_TONE = { ACTIVE: 'good', REDUCING: 'warn', HALTED: 'bad' } as const satisfies Record<
  string,
  Tone
>
export const RECONCILIATION_TONE = {
  reconciled: 'good',
  pending: 'warn',
  break: 'bad',
} as const satisfies Record<string, Tone>
