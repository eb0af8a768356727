import type { Ms } from '../../../base/time.ts'
import { ASSETS } from '../../../base/money/asset.ts'
import { position, settledPnl } from '../../ledger/book/book.ts'
import { longestUnreadable } from '../../ledger/reconciliation/unreadable.ts'
import { fairValue, referenceDeviationBps } from '../../market/fair-value.ts'
import { apartPairs, refusedPair } from '../../market/pair-mids.ts'
import { quoteStableOf } from '../model/config.ts'
import { midAge, type PendingMid } from '../../market/market-state.ts'
import type { FeedsInput, MidInput, RiskInput } from '../../risk/risk-input.ts'
import { isWidenedToLeave } from '../activation/drain.ts'
import { guardObstacle } from '../model/guard-state.ts'
import { fillBreach } from '../safeguards/check-fill-price.ts'
import { foreignWriteOf } from '../../risk/latch.ts'
import type { EngineState } from '../model/state.ts'
import { fillsLastMinute, volumeLastDay } from '../model/flow-state.ts'
import type { InventoryShare } from './inventory-share.ts'

/** Returns the inputs of the risk rules at `now`, with the position `held`. `share` null = there is no mid. */
export function buildRiskInput(
  state: EngineState,
  now: Ms,
  share: InventoryShare | null,
  held = position(state.book),
): RiskInput {
  const { config, flow, reconciliation, latch, quoting } = state
  const { pnlTzs, drawdownTzs } = lossInput(state)
  return {
    now,
    mid: midInput(state, now),
    feeds: feedsInput(state),
    position: held,
    pnlTzs,
    drawdownTzs,
    hasPosition: ASSETS.some((asset) => held[asset] !== 0n),
    inventoryImbalance: share?.imbalance ?? 0,
    fillsLastMinute: fillsLastMinute(flow, now),
    volumeLastDayUsd: volumeLastDay(flow, now),
    errorCycles: Math.max(state.errorCycles, failuresInARow(state)),
    breakSince: state.breakSince ?? unseenSince(state),
    breakReason:
      state.breakSince === null ? 'fills and balances were not seen since the start' : reconciliation.why,
    unreconciledTooLong: reconciliation.isOverdue,
    unreconciled: reconciliation.unreconciled,
    foreign: reconciliation.foreign,
    unreadable: longestUnreadable(reconciliation, now),
    strategySuspended: state.strategy.suspended,
    paused: latch.paused?.why ?? null,
    guardObstacle: guardObstacle(state),
    shuttingDown: state.exiting && config.quote.onExit !== 'keep',
    deactivating: isWidenedToLeave(state),
    authFailure: state.authFailure,
    fillBreach: fillBreach(state, now),
    reviewDue: state.review?.due ?? null,
    unaskedPairs: config.quote.pairs === null ? null : (quoting.unaskedPairs ?? null),
    foreignWrite: foreignWriteOf(latch),
    walletChanged: walletChange(state),
    mismatches: quoting.mismatches,
    solverChanged: state.orders.solverChanged,
  }
}

const UNVALUED = { pnlTzs: null, drawdownTzs: null }

/** The PnL, which settles the marks only if a limit needs it. */
function lossInput({ book, config: { risk } }: EngineState): Pick<RiskInput, 'pnlTzs' | 'drawdownTzs'> {
  const isLimited = risk.maxLossTzs !== null || risk.maxDrawdownTzs !== null
  if (!isLimited || book.pnl.mark === null) return UNVALUED
  const { totalTzs, peakTzs } = settledPnl(book)
  return { pnlTzs: totalTzs, drawdownTzs: peakTzs - totalTzs }
}

/**
 * The most failures in a row of a poll that trading depends on. If one poll fails while others are answered, the core does
 * not see its own fills, the balances, the mid or the account.
 */
function failuresInARow({ pacing, config }: EngineState): number {
  const { fills, balances, rate, account } = pacing.polls
  const ofAccount = config.strictReadings ? account.failures : 0
  return Math.max(fills.failures, balances.failures, rate.failures, ofAccount)
}

/** A new process does not quote before it has read the books, even if they were reconciled before. */
function unseenSince({ received, reconciliation, processStartedAt }: EngineState): Ms | null {
  return received.fills && received.balances && reconciliation.opened ? null : processStartedAt
}

function feedsInput({ market }: EngineState): FeedsInput | null {
  const { estimate } = market
  if (estimate === null) return null
  const { feeds, errorBps, rangeBps } = estimate
  return { live: feeds, deviationBps: referenceDeviationBps(market), errorBps, rangeBps }
}

function walletChange({ wallet }: EngineState): RiskInput['walletChanged'] {
  return wallet === null || wallet.named === null ? null : { from: wallet.pinned, to: wallet.named }
}

function midInput({ market, received, config }: EngineState, now: Ms): MidInput {
  return {
    // A mid from before the start may be out of date.
    present: market.mid !== null && received.rate,
    ageMs: midAge(market, now),
    quotable: market.quotable,
    problem: market.problem,
    pending: pendingInput(market.pending),
    refusal: market.refusal,
    inForce: market.mid,
    fair: fairValue(market),
    apart: apartPairs(market, quoteStableOf(config)),
    refusedPair: refusedPair(market),
  }
}

function pendingInput(pending: PendingMid | null): MidInput['pending'] {
  if (pending === null) return null
  const { mid, stepBps: bps, kind, why = 'the mid stepped over risk.maxMidStepBps' } = pending
  return { rule: kind === 'move' ? 'mid-move' : 'mid-step', bps, mid, why }
}
