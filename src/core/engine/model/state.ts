import type { ProposalState } from './proposal-state.ts'
import type { Ms } from '../../../base/time.ts'
import type { RuleBreach } from '../../risk/rule-breach.ts'
import type { TradingState } from './observation.ts'
import type { FlowState } from './flow-state.ts'
import type { LearnedCapabilities } from './capabilities.ts'
import type { GuardState } from './guard-state.ts'
import type { InFlight } from './in-flight.ts'
import type { WithdrawalState } from './withdrawal-state.ts'
import type { OrderState } from './order-state.ts'
import type { ActivationState } from './activation-state.ts'
import type { BookState } from '../../ledger/book/book.ts'
import type { ReconciliationState } from '../../ledger/reconciliation/state.ts'
import type { MarketState } from '../../market/market-state.ts'
import type { GapState } from '../../models/fair-value/gap-filter.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { RfqState } from '../../rfq/state.ts'
import type { PacingState } from '../../pacing/state.ts'
import type { QuotingState } from '../../quoting/quote-state.ts'
import type { PriceMemory } from '../../risk/fill-price.ts'
import type { Latch, Review } from '../../risk/latch.ts'
import type { Target } from '../../risk/approval.ts'
import type { Cause } from '../../strategy/context.ts'
import type { StrategyQuote } from '../../strategy/define-strategy.ts'
import type { StrategyMemory } from '../../strategy/memory.ts'
import type { CoreConfig } from './config.ts'
import type { Approved } from '../../risk/approved.ts'
import type { Side } from '../../../base/money/side.ts'

/** The whole state of the core: plain data, saved in snapshots and rebuilt by replay. */
export type EngineState = {
  now: Ms
  /** When the position was first run, and when this process took it over. */
  startedAt: Ms
  processStartedAt: Ms
  version: string
  config: CoreConfig
  /** Values set over HTTP on top of the file, by path. */
  overrides: Readonly<Record<string, unknown>>
  market: MarketState
  /** The estimate of the true rate; absent until a strategy reads it. */
  fairShift?: GapState
  book: BookState
  reconciliation: ReconciliationState
  /** When the status of the reconciliation last changed, and since when there is a break; null = no break. */
  reconciliationSince: Ms
  breakSince: Ms | null
  quoting: QuotingState
  pacing: PacingState
  latch: Latch
  strategy: { memory: StrategyMemory | null; suspended: string | null; wanted: StrategyQuote | null }
  activation: ActivationState
  flow: FlowState
  withdrawals: WithdrawalState
  /** Signed orders: the outstanding ones, and the requests about them. */
  rfq: RfqState
  orders: OrderState
  /** The mids and own spreads a recent fill may have been priced from, the latest first. */
  history: { mids: Rate[]; spreads: { bidBps: number; askBps: number }[] }
  /** Prices that fills may have had; absent in an older snapshot until the next fill or quote. */
  prices?: PriceMemory
  /** The executions since the last review; absent before the first fill that counts. */
  review?: Review
  /** Open proposals and the latest settled ones. */
  proposals: ProposalState
  /** Writes of this key's journal within the last hour. */
  ownWrites: OwnWrites
  /** The wallet that the account named first, and a different one that it names now; null = not named yet. */
  wallet: { readonly pinned: string; readonly named: string | null } | null
  requests: Record<string, InFlight>
  nextRequest: number
  /** Requests that failed in a row. */
  errorCycles: number
  failedRequests: number
  authFailure: string | null
  /** When operators were last notified that another program uses the key; null = never. */
  sharedKeyToldAt: Ms | null
  /** When the key was first refused, by type of request, until that request succeeds; `any`: until any request does. */
  authRefusals: Record<string, Ms>
  /** The last write of quote or activation that the venue did not confirm; null = the last one was confirmed. */
  refusedWrite: RefusedWrite | null
  /** Resumes and activations executed under a key, oldest first. */
  usedKeys: UsedKey[]
  /** The capabilities that the venue's answers have shown. */
  capabilities: LearnedCapabilities
  /** The state of the lease at the guard; absent = no guard has ever answered. */
  guard?: GuardState
  /** The process is about to end, and the position is left as `quote.onExit` requires. */
  exiting: boolean
  /** The answers that this process has received; the first decision waits for them. */
  received: { account: boolean; rate: boolean; balances: boolean; fills: boolean }
  activeRules: string[]
  decision: Decision | null
  /** The target that risk approved last, in force until the next decision. */
  approvedTarget: Approved<Target> | null
  dirty: Cause | null
  decideAt: Ms
}

/** A write without a confirmation; `status` null = no answer came. */
export type RefusedWrite = {
  readonly status: number | null
  readonly message: string
  readonly at: Ms
  /** Absent in an older snapshot. */
  readonly what?: 'patch' | 'activate'
}

/** A start that was executed; it is not executed again under the same key. */
export type UsedKey = { readonly key: string; readonly command: string; readonly answer: string }

/** The latest approved decision and why. */
type Decision = {
  at: Ms
  tradingState: TradingState
  findings: readonly RuleBreach[]
}

/**
 * Writes sent with this key by this process, by the previous one, or by a command without a daemon. A request without an answer
 * may take effect late, so it counts for an hour.
 */
type OwnWrites = {
  /** When each spread was last sent, by side and bps. */
  spreads: Record<Side, Record<string, Ms>>
  /** Deactivations without a clear answer yet, by request. */
  deactivations: Record<string, Ms>
}
