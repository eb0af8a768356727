import type { PnlTerm } from '../../ledger/book/pnl.ts'
import type { Severity } from '../../alerts/entry.ts'
import type { Ms } from '../../../base/time.ts'
import type { LedgerEntry } from '../../ledger/book/book.ts'
import type { ReconciliationStatus } from '../../ledger/reconciliation/actions.ts'
import type { Fill, QuarantinedRow } from '../../ledger/fills/fill.ts'
import type { Amounts, Asset, StableAsset } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { QuotingState } from '../../quoting/quote-state.ts'
import type { ChainFill } from '../../rfq/chain-reading.ts'
import type { Hex } from '../../rfq/rfq-order.ts'
import type { Spread } from './effect.ts'
import type { VenueFailure } from './venue-answer.ts'
import type { WithdrawalRequest } from './withdrawal-state.ts'

export type TradingState = 'ACTIVE' | 'REDUCING' | 'HALTED'

/** One variant per entry of `Fields`: its key is the `type`, and `t` is the time of the event. */
type Variants<Fields> = {
  [Type in keyof Fields]: { readonly type: Type; readonly t: Ms } & Readonly<Fields[Type]>
}[keyof Fields]

/**
 * The core's report on one event: plain data for the log, the metrics and the tables. No decision reads an observation; the
 * inputs of decisions are in the core's state.
 */
export type Observation =
  | Variants<ObservationFields>
  | OrderObservation
  | { readonly type: 'entryPosted'; readonly entry: LedgerEntry }

type ObservationFields = {
  fillPosted: {
    fill: Fill
    fee: bigint
    feeSource: 'row' | 'computed'
    midAtFill: Rate | null
    /** The pricing formula that explains the payout; `order` = a signed order, `unexplained` raises an alert. */
    formula: 'divide' | 'multiply' | 'ask' | 'slippage-floor' | 'order' | 'unexplained'
    /** |dollars|, at 18 decimals. */
    volumeUsd: bigint
    /** Every explanation if there are several; the first one is used. */
    alternatives?: readonly string[]
  }
  rowQuarantined: { row: QuarantinedRow }
  midChanged: { mid: Rate; rateUpdatedAt: Ms | null; source: 'key' | 'public' }
  midRefused: { reason: string }
  /** `dry-run`: decided but not sent; journals of 0.2.0 call it `patch`. */
  quoteConfirmed: { spread: Spread; by: 'patch' | 'read-back' | 'dry-run' }
  quoteStatusChanged: { status: QuotingState['status']; why: string }
  requote: { reason: string; spread: Spread; because: readonly string[] }
  clamped: { side: Side; wanted: number; sent: number }
  refusal: { rule: string; limit: string; actual: string; message: string }
  tradingStateChanged: { from: TradingState; to: TradingState; why: string }
  reconciliationChanged: {
    state: ReconciliationStatus
    why: string
    /** Venue minus ledger, for the assets that differ. */
    unreconciled: Partial<Amounts>
  }
  feeModelChanged: { model: 'from-position' | 'none'; why: string }
  strategySuspended: { why: string }
  /** The replacement of an input that the strategy lacks; null = the input is available again. */
  strategyFellBack: { why: string | null }
  strategyLoaded: { use: string; params: unknown; sourceHash: string }
  activationChanged: { isActive: boolean; partial: boolean }
  withdrawn: { text: string; txHash: string | null }
  /** A withdrawal entered another stage; null = unknown or not set. */
  withdrawalMoved: {
    key: string | null
    asset: Asset
    amount: bigint
    toAddress: string | null
    who: string | null
    /** When it is sent, once it is approved. */
    sendAt: Ms | null
    stage: WithdrawalRequest['stage']
  }
  requestFailed: {
    request: number
    failure: VenueFailure
    /** The effect of the failure on the live quote; absent = the request did not concern the quote. */
    meaning?: string
  }
  /** `accepted` false = refused; `answer` gives the reason and the remedy. */
  operator: { who: string; why: string; command: string; accepted: boolean; answer: string }
  alert: { severity: Severity; code: string; message: string }
  /** The position at the first event of a minute; null = unknown, or that side is off. */
  sample: {
    mid: Rate | null
    fairValue: Rate | null
    /** Our spreads as confirmed by the venue. */
    bidBps: number | null
    askBps: number | null
    /** The best spreads of the other providers. */
    bestBidBps: number | null
    bestAskBps: number | null
    balances: Amounts | null
    pnl: PnlSample | null
  }
}

/** PnL since the start by component: TZS at 36 decimals, the total in dollars at 54. */
export type PnlSample = {
  readonly tzs: Readonly<Record<PnlTerm, bigint>>
  readonly totalUsd: bigint
}

/** The stages of a signed order from the decision to its end, identified by its `salt`. */
export type OrderObservation = Variants<{
  orderReserved: {
    salt: bigint
    side: Side
    stable: StableAsset
    /** Dollars, at 18 decimals. */
    usd: bigint
    priceTzs: Rate
    expiry: Ms
  }
  /** An event after the decision prevented its signature. */
  orderWithheld: { salt: bigint; why: string }
  orderPlaced: { salt: bigint; hash: Hex }
  orderRejected: {
    salt: bigint
    stage: 'sign' | 'submit'
    code: string
    /** True = certainly no signature exists; otherwise the order stays outstanding. */
    isVoid: boolean
    message: string
  }
  /** `salt` null = the order is unknown. */
  orderFilled: { salt: bigint | null; fill: ChainFill; isWhole: boolean }
  /** A reorganisation of the chain removed the fill. */
  orderFillUndone: { fill: ChainFill }
  /** The order is no longer outstanding. */
  orderResolved: { salt: bigint; how: 'filled' | 'cancelled' | 'expired' | 'void' }
  cancelSent: { salts: readonly bigint[]; how: 'each' | 'pair'; txHash: string | null; why: string }
}>
