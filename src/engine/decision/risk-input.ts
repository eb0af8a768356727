import type { Ms } from '../../base/time.ts'
import { ASSETS } from '../../money/asset.ts'
import { position, settledPnl } from '../../ledger/book/book.ts'
import { fairValue, referenceDeviationBps } from '../../market/fair-value.ts'
import { midAge, type PendingMid } from '../../market/market-state.ts'
import type { FeedsInput, RiskInput } from '../../risk/risk-input.ts'
import { fillBreach } from '../safeguards/fill-price.ts'
import type { EngineState } from '../model/state.ts'
import { fillsLastMinute, volumeLastDay } from '../accounting/flow.ts'
import type { InventoryShare } from './inventory-share.ts'
import type { Transition } from '../transition.ts'

/**
 * Failures in a row of the worst of the polls that trading rests on: while others are answered, one that
 * never is leaves us blind to our own fills, the books or the mid.
 */
function blindFor({ pacing }: EngineState): number {
  const { fills, balances, rate } = pacing.polls
  return Math.max(fills.failures, balances.failures, rate.failures)
}

/** A process that has not seen the books does not quote from them, however well they stood before it. */
function unseenSince({ heard, reconciliation, processStartedAt }: EngineState): Ms | null {
  return heard.fills && heard.balances && reconciliation.opened ? null : processStartedAt
}

function feedsInputOf(market: EngineState['market']): FeedsInput | null {
  const { estimate } = market
  if (estimate == null) return null
  const { feeds, errorBps, rangeBps } = estimate
  return { live: feeds, deviationBps: referenceDeviationBps(market), errorBps, rangeBps }
}

function pendingInputOf(pending: PendingMid | null): RiskInput['mid']['pending'] {
  if (pending === null) return null
  const { mid, stepBps: bps, kind, why = 'the mid stepped over risk.maxMidStepBps' } = pending
  return { rule: kind === 'move' ? 'mid-move' : 'mid-step', bps, mid, why }
}

function walletChange({ wallet }: EngineState): { readonly from: string; readonly to: string } | null {
  const named = wallet?.named ?? null
  return wallet === undefined || named === null ? null : { from: wallet.pinned, to: named }
}

/**
 * The ledger's running sums, for the rules that limit them; the terms behind them are for people. Null = there is no mark,
 * or no limit: then no rule looks, and the marks need not be settled.
 */
function lossOf({ book, config: { risk } }: EngineState): Pick<RiskInput, 'pnlTzs' | 'drawdownTzs'> | null {
  if (book.pnl.mark === null || (risk.maxLossTzs === null && risk.maxDrawdownTzs === null)) return null
  const { totalTzs, peakTzs } = settledPnl(book)
  return { pnlTzs: totalTzs, drawdownTzs: peakTzs - totalTzs }
}

/** Gathers what the rules look at; `share` is null while there is no mid. */
export function riskInputOf({ state, now }: Transition, share: InventoryShare | null): RiskInput {
  const { market, config, reconciliation, latch } = state
  const held = position(state.book)
  const loss = lossOf(state)
  return {
    now,
    mid: {
      // A mid from before the start is memory, not news.
      present: market.mid !== null && state.heard.rate,
      ageMs: midAge(market, now),
      everDated: market.everDated,
      quotable: market.quotable,
      problem: market.problem,
      pending: pendingInputOf(market.pending),
      refusal: market.refusal ?? null,
      inForce: market.mid,
      fair: fairValue(market),
    },
    feeds: feedsInputOf(market),
    position: held,
    pnlTzs: loss?.pnlTzs ?? null,
    drawdownTzs: loss?.drawdownTzs ?? null,
    hasPosition: ASSETS.some((asset) => held[asset] !== 0n),
    inventoryImbalance: share?.deviation ?? 0,
    fillsLastMinute: fillsLastMinute(state.flow, now),
    volumeLastDayUsd: volumeLastDay(state.flow, now),
    errorCycles: Math.max(state.errorCycles, blindFor(state)),
    breakSince: state.breakSince ?? unseenSince(state),
    breakReason:
      state.breakSince === null ? 'fills and balances were not seen since the start' : reconciliation.why,
    unreconciledTooLong: reconciliation.isOverdue,
    unreconciled: reconciliation.unreconciled,
    foreign: reconciliation.foreign,
    strategySuspended: state.strategy.suspended,
    paused: latch.paused?.why ?? null,
    leaving: state.exiting && config.quote.onExit !== 'keep',
    authFailure: state.authFailure,
    fillBreach: fillBreach(state, now),
    reviewDue: state.review?.due ?? null,
    unaskedPairs: config.quote.pairs === null ? null : (state.quoting.unaskedPairs ?? null),
    foreignWrite: latch.foreign ?? null,
    walletChanged: walletChange(state),
    mismatches: state.quoting.mismatches ?? 0,
    solverChanged: state.orders.solverChanged,
  }
}
