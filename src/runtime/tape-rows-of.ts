import type { Audit } from '../engine/create-engine.ts'
import type { EngineState } from '../engine/engine-state.ts'
import type { Event, PublicRateEvent } from '../engine/event.ts'
import type { Observation } from '../engine/observation.ts'
import type { FillRow, TapeRow } from '../tape/tape-row.ts'

/**
 * What one event and what the core made of it leave on a tape: what the venue showed, our quote from the
 * moment it was confirmed, each fill once, and the decision where one was taken to move. `state` is the
 * core's after the event; without it decisions are left out. Pure: the recorder and a replay agree.
 */
export function tapeRowsOf(event: Event, audit: Audit, state: EngineState | null = null): TapeRow[] {
  const rows = seen(event)
  for (const observation of audit.observations) {
    if (observation.type === 'fillPosted') rows.push(fillRow(observation, event.t))
    else if (observation.type === 'requote') rows.push(...decisionRow(observation, state))
  }
  return rows
}

function seen(event: Event): TapeRow[] {
  const { t } = event
  switch (event.type) {
    case 'rate': {
      const { mid, rateUpdatedAt, quotable } = event
      return mid === null ? [] : [{ type: 'rate', t, mid, rateUpdatedAt, quotable }]
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

/** The probe tells of one side; the other was not asked. */
function competitionRow({ t, side, probe, bestBps }: PublicRateEvent): TapeRow {
  return side === 'ask'
    ? { type: 'competition', t, from: 'USDC', to: 'NTZS', amount: probe, bidBps: null, askBps: bestBps }
    : { type: 'competition', t, from: 'NTZS', to: 'USDC', amount: probe, bidBps: bestBps, askBps: null }
}

function fillRow({ fill }: Extract<Observation, { type: 'fillPosted' }>, seenAt: number): FillRow {
  const { id, inAsset, outAsset, amountIn, amountOut, fee, earnedText, txHash, createdAt } = fill
  return {
    type: 'fill',
    t: createdAt ?? seenAt,
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
