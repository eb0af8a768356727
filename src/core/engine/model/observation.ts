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

/**
 * What the core noticed while it processed one event: plain data for the log, the metrics and the
 * tables. No one decides anything from an observation; what matters to decisions is in the core's state.
 */
export type Observation =
  | {
      readonly type: 'fillPosted'
      readonly t: Ms
      readonly fill: Fill
      readonly fee: bigint
      readonly feeSource: 'row' | 'computed'
      readonly midAtFill: Rate | null
      /** Which pricing formula explains the payout; 'order' is a signed one's own; 'unexplained' is an alarm. */
      readonly formula: 'divide' | 'multiply' | 'ask' | 'slippage-floor' | 'order' | 'unexplained'
      /** |dollars|, at 18 decimals. */
      readonly volumeUsd: bigint
      /** Every explanation where there is more than one; the first of them was taken. */
      readonly alternatives?: readonly string[]
    }
  | { readonly type: 'entryPosted'; readonly entry: LedgerEntry }
  | { readonly type: 'rowQuarantined'; readonly t: Ms; readonly row: QuarantinedRow }
  | {
      readonly type: 'midChanged'
      readonly t: Ms
      readonly mid: Rate
      readonly rateUpdatedAt: Ms | null
      readonly source: 'key' | 'public'
    }
  | { readonly type: 'midRefused'; readonly t: Ms; readonly reason: string }
  | {
      readonly type: 'quoteConfirmed'
      readonly t: Ms
      readonly spread: Spread
      /** `dry-run`: decided, and not sent. Journals of 0.2.0 have `patch` for it. */
      readonly by: 'patch' | 'read-back' | 'dry-run'
    }
  | {
      readonly type: 'quoteStatusChanged'
      readonly t: Ms
      readonly status: QuotingState['status']
      readonly why: string
    }
  | {
      readonly type: 'requote'
      readonly t: Ms
      readonly reason: string
      readonly spread: Spread
      readonly because: readonly string[]
    }
  | {
      readonly type: 'clamped'
      readonly t: Ms
      readonly side: Side
      readonly wanted: number
      readonly sent: number
    }
  | {
      readonly type: 'refusal'
      readonly t: Ms
      readonly rule: string
      readonly limit: string
      readonly actual: string
      readonly message: string
    }
  | {
      readonly type: 'tradingStateChanged'
      readonly t: Ms
      readonly from: TradingState
      readonly to: TradingState
      readonly why: string
    }
  | {
      readonly type: 'reconciliationChanged'
      readonly t: Ms
      readonly state: ReconciliationStatus
      readonly why: string
      /** Venue minus ledger, where they differ. */
      readonly unreconciled: Partial<Amounts>
    }
  | {
      readonly type: 'feeModelChanged'
      readonly t: Ms
      readonly model: 'from-position' | 'none'
      readonly why: string
    }
  | { readonly type: 'strategySuspended'; readonly t: Ms; readonly why: string }
  /** What stands in for what the strategy would use; null = nothing does any longer. */
  | { readonly type: 'strategyFellBack'; readonly t: Ms; readonly why: string | null }
  | {
      readonly type: 'strategyLoaded'
      readonly t: Ms
      readonly use: string
      readonly params: unknown
      readonly sourceHash: string
    }
  | {
      readonly type: 'activationChanged'
      readonly t: Ms
      readonly isActive: boolean
      readonly partial: boolean
    }
  | { readonly type: 'withdrawn'; readonly t: Ms; readonly text: string; readonly txHash: string | null }
  /** A withdrawal came to another stage; null = not known here, or it has none. */
  | {
      readonly type: 'withdrawalMoved'
      readonly t: Ms
      readonly key: string | null
      readonly asset: Asset
      readonly amount: bigint
      readonly toAddress: string | null
      readonly who: string | null
      /** When it leaves, once it is approved. */
      readonly sendAt: Ms | null
      readonly stage: WithdrawalRequest['stage']
    }
  | OrderObservation
  | {
      readonly type: 'requestFailed'
      readonly t: Ms
      readonly request: number
      readonly failure: VenueFailure
      /** What it means for the quote, where it was about the quote; absent otherwise. */
      readonly meaning?: string
    }
  | {
      readonly type: 'operator'
      readonly t: Ms
      readonly who: string
      readonly why: string
      readonly command: string
      /** False when risk or the state of things refuses; `answer` says why and what to do. */
      readonly accepted: boolean
      readonly answer: string
    }
  | {
      readonly type: 'alert'
      readonly t: Ms
      readonly severity: Severity
      readonly code: string
      readonly message: string
    }
  /** How things stood at the first event of a minute; null = not known then, or that side is off. */
  | {
      readonly type: 'sample'
      readonly t: Ms
      readonly mid: Rate | null
      readonly fairValue: Rate | null
      /** As the venue confirmed them. */
      readonly bidBps: number | null
      readonly askBps: number | null
      /** The best of the others. */
      readonly bestBidBps: number | null
      readonly bestAskBps: number | null
      readonly balances: Amounts | null
      readonly pnl: PnlSample | null
    }

/** PnL since the start by component: TZS at 36 decimals, the total in dollars at 54. */
export type PnlSample = {
  readonly tzs: Readonly<Record<PnlTerm, bigint>>
  readonly totalUsd: bigint
}

/** What became of a signed order, from the decision to its end. `salt` names it. */
export type OrderObservation =
  | {
      readonly type: 'orderReserved'
      readonly t: Ms
      readonly salt: bigint
      readonly side: Side
      readonly stable: StableAsset
      /** Dollars, at 18 decimals. */
      readonly usd: bigint
      readonly priceTzs: Rate
      readonly expiry: Ms
    }
  /** It was not signed, for what came after the decision. */
  | { readonly type: 'orderWithheld'; readonly t: Ms; readonly salt: bigint; readonly why: string }
  | { readonly type: 'orderPlaced'; readonly t: Ms; readonly salt: bigint; readonly hash: Hex }
  | {
      readonly type: 'orderRejected'
      readonly t: Ms
      readonly salt: bigint
      readonly stage: 'sign' | 'submit'
      readonly code: string
      /** True where certainly no signature exists; otherwise the order stays outstanding. */
      readonly isVoid: boolean
      readonly message: string
    }
  | {
      readonly type: 'orderFilled'
      readonly t: Ms
      /** Null = of an order that we do not know. */
      readonly salt: bigint | null
      readonly fill: ChainFill
      readonly isWhole: boolean
    }
  /** A reorganisation of the chain took the fill away. */
  | { readonly type: 'orderFillUndone'; readonly t: Ms; readonly fill: ChainFill }
  /** It is outstanding no more. */
  | {
      readonly type: 'orderResolved'
      readonly t: Ms
      readonly salt: bigint
      readonly how: 'filled' | 'cancelled' | 'expired' | 'void'
    }
  | {
      readonly type: 'cancelSent'
      readonly t: Ms
      readonly salts: readonly bigint[]
      readonly how: 'each' | 'pair'
      readonly txHash: string | null
      readonly why: string
    }
