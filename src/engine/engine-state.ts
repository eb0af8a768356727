import type { Ms } from '../base/time.ts'
import type { BookState } from '../ledger/book.ts'
import type { CompletenessState } from '../ledger/completeness.ts'
import type { Fill } from '../ledger/fill.ts'
import type { MarketState } from '../market/market-state.ts'
import type { Asset } from '../money/asset.ts'
import type { Rate } from '../money/rate.ts'
import type { Side } from '../money/side.ts'
import type { Hex } from '../rfq/rfq-order.ts'
import type { RfqState } from '../rfq/rfq-state.ts'
import type { PacingState } from '../pacing/pacing-state.ts'
import type { PollKind } from '../pacing/poll-kind.ts'
import type { QuotedSpread, QuotingState } from '../quoting/quoting-state.ts'
import type { PriceMemory } from '../risk/fill-price.ts'
import type { Finding } from '../risk/finding.ts'
import type { Review } from '../risk/review.ts'
import type { Latch } from '../risk/latch.ts'
import type { Stance } from '../risk/stance.ts'
import type { Cause, RecentFill } from '../strategy/context.ts'
import type { StrategyQuote } from '../strategy/define-strategy.ts'
import type { StrategyMemory } from '../strategy/strategy-memory.ts'
import type { CoreConfig } from './core-config.ts'
import type { OwnWrites } from './own-writes.ts'
import type { TradingState } from './observation.ts'

/** A request that went out and has no answer yet. */
export type InFlight =
  | { readonly what: PollKind; readonly sentAt: Ms }
  | { readonly what: 'patch'; readonly sentAt: Ms; readonly spread: QuotedSpread }
  | { readonly what: 'activate'; readonly sentAt: Ms; readonly isActive: boolean }
  | {
      readonly what: 'withdraw'
      readonly sentAt: Ms
      readonly asset: Asset
      readonly amount: bigint
      readonly key?: string
    }
  | { readonly what: 'rfqInfo'; readonly sentAt: Ms }
  | { readonly what: 'chainRead'; readonly sentAt: Ms }
  | { readonly what: 'reserveOrder'; readonly sentAt: Ms; readonly salt: bigint }
  | { readonly what: 'placeOrder' | 'withholdOrder'; readonly sentAt: Ms; readonly salt: bigint }
  | { readonly what: 'cancelOrders'; readonly sentAt: Ms; readonly salts: readonly bigint[] }

export type ActivationState = {
  /** What the venue last said in this process; null before it said anything, or when nobody knows. */
  isActive: boolean | null
  /** Where the ledger holds the position: moved when a change of isActive is learned. */
  held: 'pool' | 'wallet' | null
  /** An operator's explicit wish; null = as the configuration and risk have it. */
  wanted: boolean | null
  /** An operator wants an active position activated once more, which sweeps the wallet; absent = nobody does. */
  again?: boolean
  /** After a call without a clear yes: when the account is read again, the how-manieth time; null or absent = not. */
  look?: { readonly at: Ms; readonly count: number } | null
  /** Since when it is wanted in the market and is not, and whether people were told; null or absent = all is well. */
  missing?: { readonly since: Ms; readonly isTold: boolean } | null
  /** Why the last call did not bring what it asked for; null or absent = it did. */
  problem?: string | null
  /** This process has seen it active: what happens to it from then on happened under its eyes. */
  seenActive?: boolean
  inFlight: number | null
  failures: number
  notBefore: Ms
  /** When the last call was answered: an account asked for before that may show the state before it. */
  answeredAt: Ms
}

/** A fill as it will be shown; its amounts are made text only when somebody looks. */
export type ShownFill = Pick<Fill, 'id' | 'side' | 'inAsset' | 'amountIn' | 'outAsset' | 'amountOut'> & {
  readonly at: Ms | null
  readonly seenAt: Ms
}

export type FlowState = {
  /** Most recent first: the last hundred, and all of the last minute. */
  recent: RecentFill[]
  /** For people, most recent first, at most 20. */
  last: ShownFill[]
  count: Record<Side, number>
  volumeUsd: Record<Side, bigint>
  /** Dollars at 18 decimals by five-minute bucket, oldest first, a day's worth. */
  buckets: { at: Ms; bid: bigint; ask: bigint }[]
  /** The sum of the buckets. */
  day: Record<Side, bigint>
}

export type WithdrawalState = {
  /** Sent within the last day, whatever came of them: an unknown outcome counts as spent. */
  sent: { at: Ms; asset: Asset; amount: bigint }[]
  /** Without a clear answer: the balances will tell; those that they did not tell of in a day are dropped. */
  unknown: { at: Ms; asset: Asset; amount: bigint }[]
  /** By their keys, oldest first. */
  requests: WithdrawalRequest[]
  /** Since when each destination is listed, in lower case; 0 = since the first configuration. */
  destinations: Record<string, Ms>
}

/** A withdrawal that somebody asked for, and how far it is. */
export type WithdrawalRequest = {
  readonly key: string
  readonly asset: Asset
  readonly amount: bigint
  readonly toAddress: string
  readonly who: string
  /** The token that requested it; null = none, so that nobody can approve it. */
  readonly by: string | null
  readonly requestedAt: Ms
  stage: 'waiting' | 'approved' | 'sent' | 'done' | 'failed' | 'unknown' | 'cancelled' | 'expired'
  approvedBy: string | null
  /** When it leaves, once it is approved. */
  sendAt: Ms | null
}

/** What this process knows of those whom orders need, and when it asks them again. */
export type OrderDesk = {
  /** As the venue names it, once it does not contradict the configuration. */
  solver: Hex | null
  /** Why the venue's word cannot be followed. */
  solverProblem: string | null
  /** The venue names another solver than the pinned one; null = it does not. */
  solverChanged: string | null
  /** 0 = never in this process. */
  infoAskedAt: Ms
  readAskedAt: Ms
  /** The venue says that the position is not in self-custody: nothing is signed until a restart or `resume`; null = it does not. */
  notInCustody: string | null
  /** No order is placed before, and why. */
  notBefore: Ms
  notBeforeWhy: string
  /** A cancellation that failed is not tried again before. */
  cancelNotBefore: Ms
  /** How far the venue's clock is ahead of ours; null = it does not say its time. */
  venueOffsetMs: Ms | null
  /** Operators want these gone. */
  doomed: bigint[]
  /** Why no order is placed; null = orders are placed. Kept so that a change is said once. */
  blocked: string | null
  isOverPromised: boolean
  /** Rows of GET /fills that may be fills of orders, waiting for the chain to tell. */
  heldRows: { readonly fill: Fill; readonly seenAt: Ms }[]
  /** Orders of which the last reading told another filled amount than its fills add up to. */
  mismatched: readonly bigint[]
  /** Transfers out of the wallet that were told of as none of ours; absent = none. */
  toldOutflows?: string[]
}

/** The whole memory of the core: plain data, saved as a snapshot and rebuilt by replay. */
export type EngineState = {
  now: Ms
  /** When the position was first run, and when this process took it over. */
  startedAt: Ms
  processStartedAt: Ms
  version: string
  config: CoreConfig
  market: MarketState
  book: BookState
  completeness: CompletenessState
  /** When completeness became what it is, and since when a gap has stood; null = no gap. */
  completenessSince: Ms
  gapSince: Ms | null
  quoting: QuotingState
  pacing: PacingState
  latch: Latch
  strategy: { memory: StrategyMemory | null; suspended: string | null; wanted: StrategyQuote | null }
  activation: ActivationState
  flow: FlowState
  withdrawals: WithdrawalState
  /** Signed orders: what is owed, and the talk about them. */
  rfq: RfqState
  orders: OrderDesk
  /** The mids and own spreads a recent fill may have been priced from, the latest first. */
  history: { mids: Rate[]; spreads: { bidBps: number; askBps: number }[] }
  /** What fills may have been priced from; absent in an older snapshot until the next fill or quote. */
  prices?: PriceMemory
  /** What was executed since a person last looked; absent before the first fill that counts. */
  review?: Review
  /** What this key's journal has sent within the hour; absent in an older snapshot. */
  ownWrites?: OwnWrites
  /** The wallet that the account named first, and another one that it names since; absent = none was named yet. */
  wallet?: { readonly pinned: string; readonly named: string | null }
  requests: Record<string, InFlight>
  nextRequest: number
  /** Requests that failed in a row. */
  errorCycles: number
  failedRequests: number
  authFailure: string | null
  /** When people were last told that somebody else uses the key. Absent = never. */
  sharedKeyToldAt?: Ms
  /** When the key was first refused, by what was asked, until that succeeds; `any`: until anything does. Absent = never. */
  authRefusals?: Record<string, Ms>
  /** The process is about to end and the position is being left as `quote.onExit` says. */
  exiting: boolean
  /** What this process has heard since it started; a quote is decided once it knows enough. */
  heard: { account: boolean; rate: boolean; balances: boolean; fills: boolean }
  activeRules: string[]
  decision: Decision | null
  /** What risk approved last, standing until the next decision. */
  stance: Stance | null
  dirty: Cause | null
  decideAt: Ms
}

/** The latest approved decision and why. */
export type Decision = {
  at: Ms
  tradingState: TradingState
  findings: readonly Finding[]
}
