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
 * What one event and what the core made of it leave on a tape: what the venue showed, our quote from the
 * moment it was confirmed, each fill once, and the decision where one was taken to move or the trading state
 * changed. `state` is the core's right after the event. Pure: the recorder and a replay agree.
 */
export function tapeRowsOf(event: Event, audit: Audit, state: EngineState | null): TapeRow[] {
  if (state === null) return shownRows(event)
  const rows = event.type === 'bestQuote' ? competitionRows(event, state) : shownRows(event)
  let [stands, decided] = [event.type === 'quoteRead' && state.config.mode === 'dry-run', false]
  for (const observation of audit.observations) {
    const { type } = observation
    if (type === 'fillPosted') rows.push(fillRowOf(observation.fill, event.t, clockOffset(state)))
    else if (type === 'quoteConfirmed' || type === 'activationChanged') stands = true
    else if (type === 'requote' || type === 'tradingStateChanged') decided = true
  }
  if (stands) rows.push(...quoteRow(event.t, state))
  if (decided) rows.push(...decisionRow(event.t, state))
  return rows
}

/** What an answer of the venue, or a source elsewhere, shows by itself. */
export function shownRows(event: Event): TapeRow[] {
  const { t, type } = event
  if (type === 'rate') {
    const { mid, quotable } = event
    return mid === null ? [] : [{ type, t, mid, rateUpdatedAt: datedByUs(event), quotable }]
  }
  if (type === 'bestQuote') return [competitionRow(event, null)]
  if (type === 'balances') return [{ type, t, amounts: event.amounts, source: event.source }]
  // What only repeats the venue is no fair value for a backtest.
  if (type !== 'reference' || event.origin === 'venue') return []
  return [{ type, t, source: event.source, mid: event.mid }]
}

/** Clocks that differ by less are taken for one: the date stays as the venue gave it, equal in every row. */
const SAME_CLOCK_MS = MINUTE_MS

/** When the mid was published, on our clock, to the minute where the venue's is plainly another one. */
function datedByUs({ t, rateUpdatedAt, venueTime }: RateEvent): Ms | null {
  const ahead = venueTime === null ? 0 : venueTime - t
  if (rateUpdatedAt === null || Math.abs(ahead) < SAME_CLOCK_MS) return datable(rateUpdatedAt)
  return datable(Math.round((rateUpdatedAt - ahead) / MINUTE_MS) * MINUTE_MS)
}

/** A year that no tape can hold is the venue's mistake, and no date. */
function datable(at: Ms | null): Ms | null {
  return at !== null && at >= 0 && at <= LATEST_TIME ? at : null
}

/** A backtest has one pair, the one that quotes are derived from: probes of others are left out. */
function competitionRows(event: BestQuoteEvent, state: EngineState): TapeRow[] {
  return stableOf(event) === quoteStableOf(state.config)
    ? [competitionRow({ ...event, bestBps: bestShown(event, state.config) }, isOwn(event, state))]
    : []
}

/** A probe is about one side; the other one was not asked for. `own` null = not known. */
function competitionRow(event: BestQuoteEvent, own: boolean | null): TapeRow {
  const { t, side, probe, bestBps } = event
  const stable = stableOf(event)
  const whose = own === null ? {} : { own }
  return side === 'ask'
    ? {
        type: 'competition',
        t,
        from: stable,
        to: 'NTZS',
        amount: toBook(probe, stable),
        bidBps: null,
        askBps: bestBps,
        ...whose,
      }
    : {
        type: 'competition',
        t,
        from: 'NTZS',
        to: stable,
        amount: toBook(probe, 'NTZS'),
        bidBps: bestBps,
        askBps: null,
        ...whose,
      }
}

/** A probe that was sent before our quote was confirmed is answered or failed after so long. */
const ANSWER_MS = 10_000

/**
 * Whether the provider that a probe shows is ourselves: the venue does not name it. Another spread than ours is
 * another's; ours on both sides is taken for our own. Null = not known: our quote is not settled, or the answer has one side
 * only, on which a rival may quote our number.
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
  // What the venue shows of a side that we have off is not known.
  return quoteBid && quoteAsk ? false : null
}

/** A Date header has whole seconds and comes late: less than this is no difference of clocks. */
const CLOCK_ERROR_MS = 2_000

/** `aheadMs`: how far the venue's clock, by which fills are dated, is ahead of ours. */
export function fillRowOf(fill: FillsEvent['fills'][number], seenAt: Ms, aheadMs: Ms): TapeFill {
  const { id, inAsset, outAsset, amountIn, amountOut, fee, earnedText, txHash, createdAt } = fill
  const offsetMs = Math.abs(aheadMs) < CLOCK_ERROR_MS ? 0 : aheadMs
  const dated = createdAt === null ? null : datable(createdAt - offsetMs)
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
  }
}

/**
 * The venue's clock against ours by the last dated rate: everything on a tape is on our clock, or a fill
 * could stand before the quote that it was made at.
 */
function clockOffset({ market: { rateUpdatedAt, ageWhenSeen, seenAt } }: EngineState): Ms {
  if (rateUpdatedAt === null || ageWhenSeen === null || seenAt === null) return 0
  return rateUpdatedAt + ageWhenSeen - seenAt
}

/** Our quote as takers meet it: both sides are off while the position is not in the market. */
function quoteRow(t: Ms, { config, quoting, activation }: EngineState): TapeRow[] {
  const standing = config.mode === 'dry-run' ? readBack(quoting) : quoting.confirmed
  if (standing === null) return []
  const { bidBps, askBps, quotePairs } = standing
  const off = { quoteBid: false, quoteAsk: false }
  if (activation.isActive === false) return [{ type: 'quote', t, bidBps, askBps, ...off, quotePairs }]
  // What was confirmed before a restart is read back first.
  return quoting.status === 'unknown' ? [] : [{ type: 'quote', t, ...standing }]
}

/** A dry run sets no quote; what another process has set is known once both sides were read back. */
function readBack({ read: { bid, ask } }: EngineState['quoting']): Spread | null {
  if (bid === null || ask === null) return null
  return { bidBps: bid, askBps: ask, quoteBid: true, quoteAsk: true, quotePairs: null }
}

/** What risk approved, with the trace; nothing stands approved while the position is taken out of the market. */
function decisionRow(t: Ms, { decision, approvedTarget }: EngineState): TapeRow[] {
  if (decision === null || approvedTarget === null) return []
  const { because } = approvedTarget
  const { bidBps, askBps } = approvedTarget.kind === 'quote' ? approvedTarget : { bidBps: null, askBps: null }
  return [{ type: 'decision', t, state: decision.tradingState, bidBps, askBps, because }]
}
