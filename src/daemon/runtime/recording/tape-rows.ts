import { toBook, stableOf } from '../../../base/money/asset.ts'
import { MINUTE_MS, type Ms } from '../../../base/time.ts'
import type { Audit } from '../../../core/engine/engine.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import type { Spread } from '../../../core/engine/model/effect.ts'
import { bestShown } from '../../../core/engine/market/routing-watch.ts'
import { quoteStableOf } from '../../../core/engine/model/config.ts'
import {
  type Event,
  type FillsEvent,
  type BestQuoteEvent,
  type RateEvent,
} from '../../../core/engine/model/event.ts'
import { LATEST_TIME } from '../../../store/tape/model/row-fields.ts'
import type { TapeFill, TapeRow } from '../../../store/tape/model/row.ts'

/**
 * Returns the tape rows of one event and its result: the data that the venue showed, our quote once it is confirmed, each fill
 * once, and the decision if the quote moves or the trading state changes. `state` is the core's state after the event. Pure, so
 * that the recorder and a replay agree.
 */
export function tapeRowsOf(event: Event, audit: Audit, state: EngineState | null): TapeRow[] {
  if (state === null) return shownRows(event)
  const rows = event.type === 'bestQuote' ? competitionRows(event, state) : shownRows(event)
  let [stands, decided] = [event.type === 'quoteRead' && state.config.mode === 'dry-run', false]
  for (const observation of audit.observations) {
    const { type } = observation
    if (type === 'fillPosted')
      rows.push(fillRowOf(observation.fill, event.t, clockOffset(state), pollBefore(event.t, state)))
    else if (type === 'quoteConfirmed' || type === 'activationChanged') stands = true
    else if (type === 'requote' || type === 'tradingStateChanged') decided = true
  }
  if (stands) rows.push(...quoteRow(event.t, state))
  if (decided) rows.push(...decisionRow(event.t, state))
  return rows
}

/** Returns the rows of an answer of the venue or another source, without the core's state. */
export function shownRows(event: Event): TapeRow[] {
  const { t, type } = event
  if (type === 'rate') {
    const { mid, quotable } = event
    return mid === null ? [] : [{ type, t, mid, rateUpdatedAt: datedByUs(event), quotable }]
  }
  if (type === 'bestQuote') return [competitionRow(event, null)]
  if (type === 'balances') return [{ type, t, amounts: event.amounts, source: event.source }]
  // A feed that repeats the venue's rate is not a fair value for a backtest.
  if (type !== 'reference' || event.origin === 'venue') return []
  return [{ type, t, source: event.source, mid: event.mid }]
}

/** Clocks that differ by less count as equal: the venue's date is then kept, equal in every row. */
const SAME_CLOCK_MS = MINUTE_MS

/** Returns when the mid was published, on our clock; rounded to the minute if the venue's clock differs. */
function datedByUs({ t, rateUpdatedAt, venueTime }: RateEvent): Ms | null {
  const ahead = venueTime === null ? 0 : venueTime - t
  if (rateUpdatedAt === null || Math.abs(ahead) < SAME_CLOCK_MS) return datable(rateUpdatedAt)
  return datable(Math.round((rateUpdatedAt - ahead) / MINUTE_MS) * MINUTE_MS)
}

/** Returns null for a time outside the range of a tape, which is an error of the venue. */
function datable(at: Ms | null): Ms | null {
  return at !== null && at >= 0 && at <= LATEST_TIME ? at : null
}

/** A backtest has one pair, from which quotes are derived; probes of other pairs are omitted. */
function competitionRows(event: BestQuoteEvent, state: EngineState): TapeRow[] {
  return stableOf(event) === quoteStableOf(state.config)
    ? [competitionRow({ ...event, bestBps: bestShown(event, state.config) }, isOwn(event, state))]
    : []
}

/** Returns the row of a probe, which covers one side. `own` null = unknown. */
function competitionRow(event: BestQuoteEvent, own: boolean | null): TapeRow {
  const { t, side, probe, bestBps } = event
  const stable = stableOf(event)
  const [from, to] = side === 'ask' ? ([stable, 'NTZS'] as const) : (['NTZS', stable] as const)
  const [bidBps, askBps] = side === 'ask' ? [null, bestBps] : [bestBps, null]
  const amount = toBook(probe, from)
  return { type: 'competition', t, from, to, amount, bidBps, askBps, ...(own !== null && { own }) }
}

/** After this time a probe that was sent before our quote was confirmed has been answered or has failed. */
const ANSWER_MS = 10_000

/**
 * Returns whether a probe shows our own quote; the venue does not name the provider. A different spread belongs to a rival; equal
 * spreads on both sides count as ours. Null = unknown: our quote is not settled, or the answer has only one side, on which a rival
 * may quote the same spread.
 */
function isOwn({ t, side, bestBps, picked }: BestQuoteEvent, state: EngineState): boolean | null {
  const { confirmed, confirmedAt, status, inFlight } = state.quoting
  if (bestBps === null || confirmed === null || confirmedAt === null || t - confirmedAt < ANSWER_MS)
    return null
  if (status !== 'confirmed' || inFlight !== null || state.activation.isActive !== true) return null
  const { bidBps, askBps, quoteBid, quoteAsk } = confirmed
  const isOn = { bid: quoteBid, ask: quoteAsk }
  if (!isOn[side] || bestBps !== { bid: bidBps, ask: askBps }[side]) return false
  if (picked === undefined) return null
  if (picked.bidBps === bidBps && picked.askBps === askBps) return true
  // It is unknown what the venue shows of a side that we have off.
  return quoteBid && quoteAsk ? false : null
}

/** A Date header has whole seconds and arrives late, so a smaller difference of the clocks is ignored. */
const CLOCK_ERROR_MS = 2_000

/**
 * Returns the row of a fill. `aheadMs`: how far the venue's clock, which dates fills, was ahead of ours at the last rate. The clock of a
 * demo runs faster and is further ahead by now, but a new fill came after the answer before (`notBefore`).
 */
export function fillRowOf(
  fill: FillsEvent['fills'][number],
  seenAt: Ms,
  aheadMs: Ms,
  notBefore: Ms = -Infinity,
): TapeFill {
  const { id, inAsset, outAsset, amountIn, amountOut, fee, earnedText, txHash, createdAt, taker } = fill
  const offsetMs = Math.abs(aheadMs) < CLOCK_ERROR_MS ? 0 : aheadMs
  const byRate = createdAt === null ? null : createdAt - offsetMs
  const dated =
    byRate === null ? null : datable(Math.abs(aheadMs) < SAME_CLOCK_MS ? byRate : Math.max(byRate, notBefore))
  return {
    type: 'fill',
    t: Math.min(seenAt, dated ?? seenAt),
    id,
    from: inAsset,
    to: outAsset,
    amountIn,
    amountOut,
    protocolFee: fee,
    feesEarned: earnedText,
    txHash,
    seenAt,
    ...(taker === undefined ? {} : { taker }),
  }
}

function pollBefore(t: Ms, { reconciliation: { polls } }: EngineState): Ms | undefined {
  return polls.findLast((poll) => poll.t < t)?.t
}

/**
 * Returns how far the venue's clock is ahead of ours, by the last dated rate. All times of a tape are on our clock; otherwise a
 * fill could precede its own quote.
 */
function clockOffset({ market: { rateUpdatedAt, ageWhenSeen, seenAt } }: EngineState): Ms {
  if (rateUpdatedAt === null || ageWhenSeen === null || seenAt === null) return 0
  return rateUpdatedAt + ageWhenSeen - seenAt
}

/** Returns our quote as takers see it: both sides are off while the position is not in the market. */
function quoteRow(t: Ms, { config, quoting, activation }: EngineState): TapeRow[] {
  const standing = config.mode === 'dry-run' ? readBack(quoting) : quoting.confirmed
  if (standing === null) return []
  const { bidBps, askBps, quotePairs } = standing
  const off = { quoteBid: false, quoteAsk: false }
  if (activation.isActive === false) return [{ type: 'quote', t, bidBps, askBps, ...off, quotePairs }]
  // After a restart the confirmed quote is read back first.
  return quoting.status === 'unknown' ? [] : [{ type: 'quote', t, ...standing }]
}

/** Returns the quote that another process has set, which a dry run knows once both sides were read back. */
function readBack({ read: { bid, ask } }: EngineState['quoting']): Spread | null {
  if (bid === null || ask === null) return null
  return { bidBps: bid, askBps: ask, quoteBid: true, quoteAsk: true, quotePairs: null }
}

/** Returns the approved target with its reasons; no row without one, e.g. while the position leaves the market. */
function decisionRow(t: Ms, { decision, approvedTarget }: EngineState): TapeRow[] {
  if (decision === null || approvedTarget === null) return []
  const { because } = approvedTarget
  const { bidBps, askBps } = approvedTarget.kind === 'quote' ? approvedTarget : { bidBps: null, askBps: null }
  return [{ type: 'decision', t, state: decision.tradingState, bidBps, askBps, because }]
}
