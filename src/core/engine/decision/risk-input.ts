import type { Ms } from '../../../base/time.ts'
import { type Amounts, ASSETS } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import { position, settledPnl } from '../../ledger/book/book.ts'
import { isLossSurelyWithin } from '../../ledger/book/loss-filter.ts'
import type { Tzs36 } from '../../ledger/book/value.ts'
import { longestUnreadable } from '../../ledger/reconciliation/unreadable.ts'
import { fairValue, referenceDeviationBps } from '../../market/fair-value.ts'
import { apartPairs, refusedPair } from '../../market/pair-mids.ts'
import { quoteStableOf } from '../model/config.ts'
import { midAge, type PendingMid } from '../../market/market-state.ts'
import type { FeedsInput, MidInput, RiskInput } from '../../risk/risk-input.ts'
import { isWidenedToLeave } from '../activation/drain.ts'
import { guardObstacle } from '../model/guard-state.ts'
import { fillBreach } from '../safeguards/fill-price.ts'
import type { EngineState } from '../model/state.ts'
import { fillsLastMinute, volumeLastDay } from '../model/flow-state.ts'
import type { InventoryShare } from './inventory-share.ts'

/**
 * Failures in a row of the worst of the polls that trading rests on: while others are answered, one that
 * never is leaves us blind to our own fills, the books, the mid or the account.
 */
function blindFor({ pacing, config }: EngineState): number {
  const { fills, balances, rate, account } = pacing.polls
  const ofAccount = config.strictReadings === true ? account.failures : 0
  return Math.max(fills.failures, balances.failures, rate.failures, ofAccount)
}

/** A process that has not seen the books does not quote from them, however well they stood before it. */
function unseenSince({ received, reconciliation, processStartedAt }: EngineState): Ms | null {
  return received.fills && received.balances && reconciliation.opened ? null : processStartedAt
}

function feedsInputOf(market: EngineState['market']): FeedsInput | null {
  const { estimate } = market
  if (estimate == null) return null
  const { feeds, errorBps, rangeBps } = estimate
  return { live: feeds, deviationBps: referenceDeviationBps(market), errorBps, rangeBps }
}

function pendingInputOf(pending: PendingMid | null): MidInput['pending'] {
  if (pending === null) return null
  const { mid, stepBps: bps, kind, why = 'the mid stepped over risk.maxMidStepBps' } = pending
  return { rule: kind === 'move' ? 'mid-move' : 'mid-step', bps, mid, why }
}

function walletChange({ wallet }: EngineState): { readonly from: string; readonly to: string } | null {
  const named = wallet?.named ?? null
  return wallet === undefined || named === null ? null : { from: wallet.pinned, to: named }
}

/**
 * What the rules look at, read from the state when a rule asks for it: most rules of most decisions look at one value that
 * is null. One object serves every decision of a core; the share is null while there is no mid.
 */
export class RiskReading implements RiskInput {
  readonly mid: MidReading
  now: Ms = 0
  volumeLastDayUsd: Readonly<Record<Side, bigint>> = { bid: 0n, ask: 0n }
  readonly #of: EngineState
  #share: InventoryShare | null = null

  constructor(state: EngineState) {
    this.#of = state
    this.mid = new MidReading(state)
  }

  /** What is read from now on is as at this time. */
  show(now: Ms, share: InventoryShare | null): void {
    this.#share = share
    this.now = now
    this.mid.now = now
    // At every decision, whether a rule reads it or not: it drops what is older than a day.
    this.volumeLastDayUsd = volumeLastDay(this.#of.flow, now)
  }

  get feeds(): FeedsInput | null {
    return feedsInputOf(this.#of.market)
  }

  get position(): Amounts {
    return position(this.#of.book)
  }

  /** The ledger's running sums: the terms behind them are for people. Without a limit no rule reads them, and no mark is settled. */
  get pnlTzs(): bigint | null {
    const { book } = this.#of
    return book.pnl.mark === null ? null : settledPnl(book).totalTzs
  }

  get drawdownTzs(): bigint | null {
    const { book } = this.#of
    if (book.pnl.mark === null) return null
    const { totalTzs, peakTzs } = settledPnl(book)
    return peakTzs - totalTzs
  }

  isLossSurelyWithin(maxLossTzs: Tzs36 | null, maxDrawdownTzs: Tzs36 | null): boolean {
    return isLossSurelyWithin(this.#of.book, maxLossTzs, maxDrawdownTzs)
  }

  get hasPosition(): boolean {
    const held = this.position
    return ASSETS.some((asset) => held[asset] !== 0n)
  }

  get inventoryImbalance(): number {
    return this.#share?.imbalance ?? 0
  }

  get fillsLastMinute(): number {
    return fillsLastMinute(this.#of.flow, this.now)
  }

  get errorCycles(): number {
    return Math.max(this.#of.errorCycles, blindFor(this.#of))
  }

  get breakSince(): Ms | null {
    return this.#of.breakSince ?? unseenSince(this.#of)
  }

  get breakReason(): string {
    const { breakSince, reconciliation } = this.#of
    return breakSince === null ? 'fills and balances were not seen since the start' : reconciliation.why
  }

  get unreconciledTooLong(): boolean {
    return this.#of.reconciliation.isOverdue
  }

  get unreconciled(): Partial<Amounts> {
    return this.#of.reconciliation.unreconciled
  }

  get foreign(): RiskInput['foreign'] {
    return this.#of.reconciliation.foreign
  }

  get unreadable(): RiskInput['unreadable'] {
    return longestUnreadable(this.#of.reconciliation, this.now)
  }

  get strategySuspended(): string | null {
    return this.#of.strategy.suspended
  }

  get paused(): string | null {
    return this.#of.latch.paused?.why ?? null
  }

  get guardObstacle(): string | null {
    return guardObstacle(this.#of)
  }

  get leaving(): boolean {
    return this.#of.exiting && this.#of.config.quote.onExit !== 'keep'
  }

  get deactivating(): boolean {
    return isWidenedToLeave(this.#of)
  }

  get authFailure(): string | null {
    return this.#of.authFailure
  }

  get fillBreach(): RiskInput['fillBreach'] {
    return fillBreach(this.#of, this.now)
  }

  get reviewDue(): string | null {
    return this.#of.review?.due ?? null
  }

  get unaskedPairs(): string | null {
    return this.#of.config.quote.pairs === null ? null : (this.#of.quoting.unaskedPairs ?? null)
  }

  get foreignWrite(): RiskInput['foreignWrite'] {
    return this.#of.latch.foreign ?? null
  }

  get walletChanged(): RiskInput['walletChanged'] {
    return walletChange(this.#of)
  }

  get mismatches(): number {
    return this.#of.quoting.mismatches ?? 0
  }

  get solverChanged(): string | null {
    return this.#of.orders.solverChanged
  }
}

/** The mid as the rules look at it. */
class MidReading implements MidInput {
  now: Ms = 0
  readonly #of: EngineState

  constructor(state: EngineState) {
    this.#of = state
  }

  /** A mid from before the start is memory, not news. */
  get present(): boolean {
    return this.#of.market.mid !== null && this.#of.received.rate
  }

  get ageMs(): Ms | null {
    return midAge(this.#of.market, this.now)
  }

  get everDated(): boolean {
    return this.#of.market.everDated
  }

  get quotable(): boolean | null {
    return this.#of.market.quotable
  }

  get problem(): string | null {
    return this.#of.market.problem
  }

  get pending(): MidInput['pending'] {
    return pendingInputOf(this.#of.market.pending)
  }

  get refusal(): MidInput['refusal'] {
    return this.#of.market.refusal ?? null
  }

  get inForce(): Rate | null {
    return this.#of.market.mid
  }

  get fair(): Rate | null {
    return fairValue(this.#of.market)
  }

  get apart(): MidInput['apart'] {
    return apartPairs(this.#of.market, quoteStableOf(this.#of.config))
  }

  get refusedPair(): MidInput['refusedPair'] {
    return refusedPair(this.#of.market)
  }
}
