import { MINUTE_MS, type Ms } from '../base/time.ts'
import type { Audit } from '../engine/create-engine.ts'
import type { EngineState } from '../engine/engine-state.ts'
import type { Event, PublicRateEvent, RateEvent } from '../engine/event.ts'
import type { Observation } from '../engine/observation.ts'
import type { FillRow, TapeRow } from '../tape/tape-row.ts'

/**
 * What one event and what the core made of it leave on a tape: what the venue showed, our quote from the
 * moment it was confirmed, each fill once, and the decision where one was taken to move. `state` is the
 * core's after the event. Pure: the recorder and a replay agree.
 */
export function tapeRowsOf(event: Event, audit: Audit, state: EngineState | null): TapeRow[] {
  const rows = seen(event)
  for (const observation of audit.observations) {
    if (observation.type === 'fillPosted') rows.push(fillRow(observation, event.t, state))
    else if (observation.type === 'requote') rows.push(...decisionRow(observation, state))
  }
  return rows
}

function seen(event: Event): TapeRow[] {
  const { t } = event
  switch (event.type) {
    case 'rate': {
      const { mid, quotable } = event
      return mid === null ? [] : [{ type: 'rate', t, mid, rateUpdatedAt: datedByUs(event), quotable }]
    }
    case 'publicRate':
      return [competitionRow(event)]
    case 'balances':
      return [{ type: 'balances', t, amounts: event.amounts, source: event.source }]
    case 'spreadSet': {
      const { bidBps, askBps, quoteBid, quoteAsk, quotePairs } = event.spread
      return [{ type: 'quote', t, bidBps, askBps, quoteBid, quoteAsk, quotePairs }]
    }
    case 'reference':
      return [{ type: 'reference', t, source: event.source, mid: event.mid }]
    default:
      return []
  }
}

/** Clocks that differ by less are taken for one: the date stays as the venue gave it, equal in every row. */
const SAME_CLOCK_MS = MINUTE_MS

/** When the mid was published, on our clock, to the minute where the venue's is plainly another one. */
function datedByUs({ t, rateUpdatedAt, venueTime }: RateEvent): Ms | null {
  if (rateUpdatedAt === null || venueTime === null) return rateUpdatedAt
  const ahead = venueTime - t
  if (Math.abs(ahead) < SAME_CLOCK_MS) return rateUpdatedAt
  return Math.round((rateUpdatedAt - ahead) / MINUTE_MS) * MINUTE_MS
}

/** The probe tells of one side; the other was not asked. */
function competitionRow({ t, side, probe, bestBps }: PublicRateEvent): TapeRow {
  return side === 'ask'
    ? { type: 'competition', t, from: 'USDC', to: 'NTZS', amount: probe, bidBps: null, askBps: bestBps }
    : { type: 'competition', t, from: 'NTZS', to: 'USDC', amount: probe, bidBps: bestBps, askBps: null }
}

function fillRow(
  { fill }: Extract<Observation, { type: 'fillPosted' }>,
  seenAt: Ms,
  state: EngineState | null,
): FillRow {
  const { id, inAsset, outAsset, amountIn, amountOut, fee, earnedText, txHash, createdAt } = fill
  return {
    type: 'fill',
    t: createdAt === null ? seenAt : Math.min(seenAt, createdAt - clockOffset(state)),
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
 * How far the venue's clock is ahead of ours, by the last dated rate: everything on a tape is on our clock,
 * or a fill could stand before the quote that it was made at.
 */
function clockOffset(state: EngineState | null): Ms {
  if (state === null) return 0
  const { rateUpdatedAt, ageWhenSeen, seenAt } = state.market
  if (rateUpdatedAt === null || ageWhenSeen === null || seenAt === null) return 0
  return rateUpdatedAt + ageWhenSeen - seenAt
}

function decisionRow(
  { t, spread, because }: Extract<Observation, { type: 'requote' }>,
  state: EngineState | null,
): TapeRow[] {
  const tradingState = state?.decision?.tradingState
  if (tradingState === undefined) return []
  const bidBps = spread.quoteBid ? spread.bidBps : null
  const askBps = spread.quoteAsk ? spread.askBps : null
  return [{ type: 'decision', t, state: tradingState, bidBps, askBps, because }]
}
