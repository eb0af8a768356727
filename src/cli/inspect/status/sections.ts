import type { PositionView } from '../../../daemon/view/position-view.ts'
import type { FeedView } from '../../../daemon/view/market-view.ts'
import { feedTone, isOut, isReferenceFar } from '../../../daemon/view/position-text.ts'
import type { AmountTexts } from '../../../daemon/view/fields.ts'
import { type Piece, type RowOptions, tableRow } from '../../output/tables.ts'
import type { RfqView } from '../../../daemon/view/rfq-view.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { ageText } from '../../../base/text/times.ts'
import { decimalText, roundToSum } from '../../../base/text/numbers.ts'
import { TZS_LABELS, USD_LABELS } from '../../../daemon/view/pnl-labels.ts'
import type { PnlView } from '../../../daemon/view/ledger-view.ts'
import { challengerSummary } from '../../../daemon/view/challenger-text.ts'
import { scorecardSummary } from '../../../daemon/view/scorecard-text.ts'

/** Returns the rows of the reference feeds in a status: their combined mid, then each feed. */
export function referenceRows({ reference }: PositionView, row: RowOptions): string[] {
  return [
    ...tableRow('reference', summary(reference), row),
    ...reference.feeds.flatMap((feed) => tableRow('', feedPieces(feed), row)),
  ]
}

function summary(reference: PositionView['reference']): Piece[] {
  const { mid, errorBps, deviationBps, limitBps, feeds } = reference
  if (mid === null) {
    const text = 'no live feed: only the venue’s mid'
    // No feed at all is a choice; a configured feed that is not live is a problem.
    return [{ text, tone: feeds.length === 0 ? 'dim' : 'bad' }]
  }
  const text = deviationBps === null ? 'no mid to compare' : `mid ${signed(deviationBps)} bps from it`
  return [
    `${decimalText(mid, 2)} TZS per USD, +- ${(errorBps ?? 0).toFixed(1)} bps`,
    isReferenceFar(reference) ? { text: `${text}, over the limit of ${limitBps}`, tone: 'bad' } : text,
  ]
}

function feedPieces({ name, status, mid, ageMs, problem }: FeedView): Piece[] {
  return [
    name,
    { text: status, tone: feedTone(status) },
    ...(mid === null ? [] : [decimalText(mid, 2)]),
    ...(ageMs === null ? [] : [{ text: `read ${ageText(ageMs)} ago`, tone: 'dim' } as const]),
    ...(problem === null ? [] : [{ text: problem, tone: 'warn' } as const]),
  ]
}

function signed(bps: number): string {
  return `${bps < 0 ? '' : '+'}${bps.toFixed(1)}`
}

/** Returns the rows of self-custody in a status; empty with pooled capital. */
export function custodyRows({ rfq, now }: PositionView, row: RowOptions): string[] {
  if (rfq === null) return []
  return [
    ...tableRow('orders', orderPieces(rfq, now), row),
    ...tableRow('committed', amountPieces(rfq.promised, 'nothing'), row),
    ...tableRow('available', freePieces(rfq.free), row),
    ...(rfq.blocked === null
      ? []
      : tableRow('blocked', [{ text: `no order is placed: ${rfq.blocked}`, tone: 'bad' }], row)),
    ...tableRow('chain', chainPieces(rfq), row),
  ]
}

/** Returns why the position is out of the market, or still in it although unwanted; null = neither. */
export function outOfMarketText(view: PositionView): string | null {
  const { missing, leaving, now } = view
  if (missing !== null)
    return `NOT IN THE MARKET for ${ageText(now - missing.since)}, trades nothing: ${missing.why}`
  if (leaving === null)
    return isOut(view) ? `OUT OF THE MARKET at the venue, trades nothing: ${view.live.text}` : null
  const end = leaving.isRepeated ? '' : ', and no further request is sent'
  return `LEAVING THE MARKET for ${ageText(now - leaving.since)}${end}: ${leaving.why}`
}

function orderPieces({ orders, counts, requestShare }: RfqView, now: number): Piece[] {
  const of = (side: 'bid' | 'ask') => orders.filter((order) => order.side === side).length
  const cancelling = orders.filter(({ phase }) => phase === 'cancelling').length
  const unclear = orders.filter(({ phase }) => phase === 'unknown' || phase === 'refused').length
  const next = Math.min(...orders.map(({ expiresAt }) => expiresAt))
  return [
    { text: `${orders.length} open: ${of('bid')} bid, ${of('ask')} ask`, tone: 'bold' },
    ...(cancelling === 0 ? [] : [`${cancelling} being cancelled`]),
    ...(unclear === 0 ? [] : [{ text: `${unclear} refused or unclear, still open`, tone: 'warn' } as const]),
    ...(orders.length === 0 ? [] : [`next expiry in ${ageText(next - now)}`]),
    {
      text: `${counts.signed} signed, ${counts.filled} fills, ${counts.rejected} rejected so far`,
      tone: 'dim',
    },
    {
      text: `${requestShare.used} of ${requestShare.limit} order requests this minute`,
      tone: 'dim',
    } as const,
  ]
}

function freePieces(free: AmountTexts): Piece[] {
  return amountPieces(free, 'not known: the chain was not read').map((text) =>
    text.startsWith('-') ? { text: `${text}: overcommitted`, tone: 'bad' } : text,
  )
}

function chainPieces({ chain, solver }: RfqView): Piece[] {
  if (chain === null) return [{ text: 'not read yet', tone: 'warn' }]
  return [
    `block ${chain.block}, ${ageText(chain.ageMs)} old`,
    `gas ${chain.gasGwei} gwei`,
    solver === null ? { text: 'solver not known', tone: 'warn' } : { text: `solver ${solver}`, tone: 'dim' },
  ]
}

/** Returns the amount of each token, or `otherwise` if no amount is known. */
export function amountPieces(held: AmountTexts, otherwise: string): string[] {
  const known = ASSETS.filter((asset) => held[asset] !== undefined)
  return known.length === 0
    ? [otherwise]
    : known.map((asset) => `${decimalText(held[asset] ?? '0', 2)} ${asset}`)
}

/** Returns the terms of the PnL in both currencies, and the slippage within the spread. */
export function pnlRows(pnl: PnlView | null, row: RowOptions): string[] {
  if (pnl === null) return tableRow('PnL', ['cannot be valued yet'], row)
  return [
    ...tableRow('PnL TZS', pnlPieces(pnl.tzs, TZS_LABELS, 2), row),
    ...tableRow('PnL USD', pnlPieces(pnl.usd, USD_LABELS, 4), row),
    ...(pnl.slippageTzs === null
      ? []
      : tableRow(
          'slippage',
          [`${decimalText(pnl.slippageTzs, 2, 'plus')} TZS of the spread, let go by takers`],
          row,
        )),
  ]
}

function pnlPieces<Term extends string>(
  exact: Readonly<Record<NoInfer<Term>, string>>,
  labels: readonly (readonly [Term, string])[],
  digits: number,
): Piece[] {
  const { terms, total } = roundToSum(
    labels.map(([term]) => exact[term]),
    digits,
  )
  const shown = labels.map(
    ([, label], index) => `${label} ${decimalText(terms[index] ?? '0', digits, 'plus')}`,
  )
  const tone = total.startsWith('-') ? 'bad' : 'good'
  return [{ text: `${decimalText(total, digits, 'plus')} =`, tone }, ...shown]
}

/** Returns the rows of the latest comparisons: the week against the calibration, a new calibration, and a challenger. */
export function comparisonRows(view: PositionView, row: RowOptions): string[] {
  const { scorecard, challenger, recalibration, now } = view
  return [
    ...(scorecard === null ? [] : tableRow('scorecard', scorecardPieces(scorecard, now), row)),
    ...(recalibration === null ? [] : tableRow('calibration', recalibrationPieces(recalibration, now), row)),
    ...(challenger === null ? [] : tableRow('challenger', challengerPieces(challenger, now), row)),
  ]
}

function scorecardPieces(
  { card, outsideSince, problem, at }: NonNullable<PositionView['scorecard']>,
  now: number,
): Piece[] {
  const tone = outsideSince === null ? 'good' : 'warn'
  return [
    card === null ? 'unknown' : { text: scorecardSummary(card), tone },
    ...(problem === null ? [] : [{ text: problem, tone: card === null ? 'dim' : 'warn' } as const]),
    ...agePieces(at, now),
  ]
}

function recalibrationPieces(
  { verdict, adopted, reason, at }: NonNullable<PositionView['recalibration']>,
  now: number,
): Piece[] {
  const isWaiting = verdict === 'adopt' && !adopted
  return [{ text: `${verdict}: ${reason}`, tone: isWaiting ? 'warn' : 'dim' }, ...agePieces(at, now)]
}

function challengerPieces(challenger: NonNullable<PositionView['challenger']>, now: number): Piece[] {
  const { use, since, suspended, problem, at } = challenger
  const text = challengerSummary(challenger)
  const isPlain = since === null || (suspended === null && problem === null)
  return [use, isPlain ? text : { text, tone: 'warn' }, ...agePieces(at, now)]
}

function agePieces(at: number | null, now: number): Piece[] {
  return at === null ? [] : [{ text: `${ageText(now - at)} ago`, tone: 'dim' }]
}
