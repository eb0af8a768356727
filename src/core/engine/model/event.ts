import type { StatedSpread } from '../../quoting/quote-state.ts'
import type { Overrides, ReloadedEvent, ReloadRefusedEvent } from './config-event.ts'
import type { PublicReading, RateReading } from '../../market/take-rate.ts'
import type { Ms } from '../../../base/time.ts'
import type { Fill, QuarantinedRow } from '../../ledger/fills/fill.ts'
import type { FeedProblem } from '../../market/market-state.ts'
import type { Amounts, Asset, RoutedStable, TokenAmount } from '../../../base/money/asset.ts'
import type { Rate } from '../../../base/money/rate.ts'
import type { Side } from '../../../base/money/side.ts'
import type { Difference } from '../../../base/money/difference.ts'
import type { Outflow } from '../../rfq/chain-reading.ts'
import type {
  AlsoSent,
  Answered,
  AnswerEvent,
  AnswerOf,
  FailedReturn,
  FillsAnswer,
  RfqInfoAnswer,
  TimedEvent,
  TokenForm,
  VenueFailure,
} from './venue-answer.ts'
import type { CoreConfig } from './config.ts'
import type { OrderEvent } from './order-event.ts'
import type { ProposalEvent } from './proposal-state.ts'
import type { GuardEvent } from './guard-state.ts'

/**
 * Every input of the core. `t` never goes backwards within a journal. Events are plain data: `encodeJson` writes them and
 * `decodeJson` reads them back equal.
 */
export type Event =
  | StartedEvent
  | TickEvent
  | ClockJumpedEvent
  | AccountEvent
  | RateEvent
  | BestQuoteEvent
  | ReferenceEvent
  | ReferenceFailedEvent
  | BalancesEvent
  | FillsEvent
  | QuoteReadEvent
  | QuoteSetEvent
  | ActivationEvent
  | WithdrawnEvent
  | OrderEvent
  | RequestFailedEvent
  | OperatorEvent
  | ReloadedEvent
  | ReloadRefusedEvent
  | RequestsElsewhereEvent
  | WalletTransfersEvent
  | ProposalEvent
  | GuardEvent

/** A process took over this position. Earlier requests in flight have an unknown outcome. */
export type StartedEvent = TimedEvent<'started'> & {
  readonly version: string
  readonly config: CoreConfig
  readonly overrides?: Overrides
  /**
   * This start polls at once, waits for an activation that may be in flight, and reads back a PATCH that may still take effect.
   * Absent in journals of versions that did not.
   */
  readonly isHandOver?: true
}

/** The time at which the core asked to be called has come. */
type TickEvent = TimedEvent<'tick'>

/** The machine's clock jumped and is now this far ahead of ours; 0 = they agree again. */
export type ClockJumpedEvent = TimedEvent<'clockJumped'> & { readonly aheadMs: Ms }

export type AccountEvent = AnswerEvent<'account'> &
  Answered & {
    readonly isActive: boolean
    readonly walletAddress: string | null
    /** True if the account was nested in another object; absent in older journals. No decision uses it. */
    readonly isWrapped?: boolean
  }

/** GET /rate. */
export type RateEvent = AnswerEvent<'rate'> &
  Answered &
  RateReading & {
    /** The field of a mid that is missing or inexact, and why; absent = exact, or invalid as a whole. */
    readonly unreadable?: string
  }

/** GET /swap/rate for a probe: the bps of the provider that the venue would pick. */
export type BestQuoteEvent = AnswerEvent<'bestQuote'> &
  Answered &
  PublicReading & {
    readonly probe: TokenAmount
    /** The stable of the pair; absent = USDC. */
    readonly stable?: RoutedStable
    /** Both spreads of the provider that would be picked; absent where the answer lacks one of them. */
    readonly picked?: { readonly bidBps: number; readonly askBps: number }
    readonly lowLiquidity: boolean
    /** The shilling symbol that the venue accepts; only in the first answer of a client. */
    readonly shilling?: 'NTZS' | 'TZS_TOKEN'
  }

/** A fair value from outside the venue: a reading of the feed `source`, or a reference of a tape. */
export type ReferenceEvent = TimedEvent<'reference'> & {
  readonly source: string
  readonly mid: Rate
  /** When the source dated it, on its clock; null or absent: it has no date. */
  readonly datedAt?: Ms | null
  /** `venue`: the source repeats the venue's own figure. Absent = an independent figure. */
  readonly origin?: 'independent' | 'venue'
}

/** A reading of a feed failed, or its figure is implausible. Repeated failures give no further event. */
export type ReferenceFailedEvent = TimedEvent<'referenceFailed'> & {
  readonly source: string
  readonly kind: FeedProblem['kind']
  readonly problem: string
}

/** GET /balances. Assets the venue does not mention are absent: unknown, not zero. */
export type BalancesEvent = AnswerEvent<'balances'> &
  Answered & {
    /** When the request was sent: everything the answer shows happened before `t` and may be as old as this. */
    readonly sentAt: Ms
    readonly amounts: Partial<Amounts>
    /** The source that the venue states for the figures; null = not stated, and `isActive` decides. */
    readonly source: 'pool' | 'wallet' | null
  }

/** GET /fills, reduced to rows that are new since the previous poll of this process. */
export type FillsEvent = AnswerEvent<'fills'> &
  AlsoSent & {
    readonly sentAt: Ms
    /** Rows not in the previous poll, or changed since, oldest first. */
    readonly fills: readonly Fill[]
    readonly quarantined: readonly QuarantinedRow[]
    /** Rows of this answer that the previous poll had too. */
    readonly repeated: number
    /** True when the answer had as many rows as the venue's window (100), so that older ones may be hidden. */
    readonly windowFull: boolean
    /** How the venue names the tokens of the last fill; absent = no new fill, or the client does not state it. */
    readonly tokenForm?: TokenForm
  }

/** GET /quote for one side: our quote as the venue shows it to a taker. */
export type QuoteReadEvent = AnswerEvent<'quoteRead'> &
  Answered & {
    readonly side: Side
    readonly spreadBps: number
    readonly mid: Rate | null
    readonly protocolFeeBps: number | null
    /** The formula that explains expectedOutput; null if neither does. */
    readonly formula: 'divide' | 'multiply' | null
  }

/** PATCH /spread was accepted; `spread` is the quote that the venue now holds, with null for a flag that it does not state. */
export type QuoteSetEvent = AnswerEvent<'quoteSet'> &
  Answered & {
    readonly spread: StatedSpread
    /** The pairs named in the answer: a list, or null for all. Absent (also in older journals) = the answer names no pairs. */
    readonly namesPairs?: boolean
  }

/** POST /activate was answered with 200, or 207 when only part of the tokens came back. */
export type ActivationEvent = AnswerEvent<'activation'> &
  Answered & {
    /** The HTTP method that the venue accepted; absent in older journals and without a venue. */
    readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT'
    readonly isActive: boolean
    readonly partial: boolean
    /** The assets that the answer lists as returned to the wallet; may be empty. */
    readonly returned: readonly Asset[]
    /** Returned or swept amounts in the answer; absent (also in older journals) = the answer states no amounts. */
    readonly amounts?: Readonly<Partial<Record<Asset, TokenAmount>>>
    /** With `partial`: the tokens that were not returned; absent = not stated. */
    readonly failed?: readonly FailedReturn[]
  }

export type WithdrawnEvent = AnswerEvent<'withdrawn'> &
  Answered & {
    readonly asset: Asset
    readonly amount: TokenAmount
    readonly txHash: string | null
  }

export type RequestFailedEvent = AnswerEvent<'requestFailed'> &
  AlsoSent & {
    readonly failure: VenueFailure
  }

/**
 * What a venue answers to an effect, in the core's terms: the event without its time and number. The client of each venue
 * translates to these. `isExplained`: a known formula gives the venue's figure; it is not journalled.
 */
export type VenueAnswer =
  | AnswerOf<AccountEvent>
  | AnswerOf<RateEvent>
  | AnswerOf<BestQuoteEvent>
  | AnswerOf<BalancesEvent, 'sentAt'>
  | FillsAnswer
  | (AnswerOf<QuoteReadEvent> & { readonly isExplained?: boolean })
  | AnswerOf<QuoteSetEvent>
  | AnswerOf<ActivationEvent>
  | AnswerOf<WithdrawnEvent>
  | RfqInfoAnswer

/** A command of an operator, journalled with its author and reason. Risk applies to it. */
export type OperatorEvent = TimedEvent<'operator'> & {
  readonly who: string
  readonly why: string
  readonly command: OperatorCommand
  /** Idempotency key of a resume or activation, which is executed once. Absent for other commands or without a key. */
  readonly key?: string
}

/** The commands that the core executes. The daemon has an entry for each in `daemon/console/commands/operator-commands.ts`. */
export type OperatorCommand =
  | StopCommand
  | {
      readonly name: 'resume'
      /** Books the unreconciled difference as this kind. */
      readonly book?: 'adjustment' | 'deposit' | 'withdrawal'
      /**
       * With `book`: the difference to book, which must equal the present one. Absent in older journals: the last confirmed one
       * is booked.
       */
      readonly expect?: Difference
      /** The pending mid to adopt, stated in full; absent = no mid is adopted. */
      readonly acceptMid?: Rate
      /** Postpones the next review of fills until then. */
      readonly reviewUntil?: Ms
    }
  /** Adopts the pending mid and lifts no halt; replaces an operator in a backtest. */
  | { readonly name: 'acceptMid'; readonly mid: Rate }
  | { readonly name: 'activate' }
  /** The process is about to end: leave the position as `quote.onExit` requires. */
  | { readonly name: 'shutdown' }
  | {
      readonly name: 'withdraw'
      readonly asset: Asset
      readonly amount: TokenAmount
      readonly toAddress: string
      /** Identifies this withdrawal permanently; absent in journals of versions without keys. */
      readonly key?: string
      /** The name of the requesting token; absent = requested on the command line, without a token. */
      readonly by?: string
      /** The tokens that approved the treasury's envelope for it; their approval and cool-off apply here. Needs a key. */
      readonly approvedBy?: readonly string[]
    }
  /** The treasury's transfer into the wallet arrived. The key identifies it, so it is booked once. */
  | { readonly name: 'topUp'; readonly asset: Asset; readonly amount: TokenAmount; readonly key: string }
  | { readonly name: 'approveWithdrawal'; readonly key: string; readonly by?: string }
  /** Acknowledges the alerts with these codes, which ends their reminders. */
  | { readonly name: 'ack'; readonly codes: readonly string[] }

/** The commands that stop something; each is executed every time it is sent. */
export type StopCommand =
  | { readonly name: 'pause' }
  | { readonly name: 'halt' }
  | {
      readonly name: 'deactivate'
      /** Sent regardless of the account and repeated until proven complete; absent in journals of versions that sent it once. */
      readonly insists?: true
      /** The wallet to pay to, if the account names a different one than before. */
      readonly wallet?: string
      /** Sent at once, without widening the quote first and without waiting for fills. */
      readonly now?: true
    }
  /** Cancel orders on chain at any cost; null = all live orders. */
  | { readonly name: 'cancelOrders'; readonly salts: readonly bigint[] | null }
  /** The signer signs no more orders. Its own file stops it; the journal records who did it. */
  | { readonly name: 'stopSigning' }
  /** Null = every withdrawal that has not left. */
  | { readonly name: 'cancelWithdrawal'; readonly key: string | null }

/** Requests that a command sent directly, with our key or to the public endpoint. */
export type RequestsElsewhereEvent = TimedEvent<'requestsElsewhere'> & {
  /** The request budget that they used, under its stored name. */
  readonly lane: 'key' | 'public'
  /** When each request was sent. */
  readonly times: readonly Ms[]
}

/** The chain shows transfers from the pooled position's wallet to addresses other than the venue's pools. */
export type WalletTransfersEvent = TimedEvent<'walletTransfers'> & {
  readonly outflows: readonly Outflow[]
  /** True if they happened before this process started watching. */
  readonly isFromBefore: boolean
}
