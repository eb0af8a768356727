import type { Result } from '../base/result.ts'
import type { Asset } from '../base/money/asset.ts'
import type { Rate } from '../base/money/rate.ts'
import type { Side } from '../base/money/side.ts'
import type { Ms } from '../base/time.ts'
import type { LearnedCapabilities } from '../core/engine/model/capabilities.ts'
import type { Spread, VenueEffect } from '../core/engine/model/effect.ts'
import type { AccountEvent, Event, QuoteSetEvent } from '../core/engine/model/event.ts'
import type {
  AnswerOf,
  CustodyAnswer,
  RfqInfoAnswer,
  RfqOrderAnswer,
  SignedRfqOrder,
  VenueFailure,
} from '../core/engine/model/venue-answer.ts'
import type { VenueCall } from './call.ts'
import type { CheckResult } from './check-result.ts'
import type { Relay, RelayedAnswer, RelayedRead } from './relay.ts'

/**
 * What daemon and commands need of a venue. `VenueClient` is the port of the LP API; a second venue is another client
 * with these members, and the suite in test/contract/venue runs against both. No member rejects, and no decimal text,
 * JSON number or key leaves it.
 */
export type VenuePort = {
  /** Reads the account before the loop runs: whether the venue accepts the key, and which wallet it belongs to. */
  account(): Answered<AnswerOf<AccountEvent>>
  /** Sets the quote without the journal: the safe quote once the store has failed. */
  spread(quote: Spread): Answered<AnswerOf<QuoteSetEvent>>
  /**
   * Performs one effect and returns the event that answers it, or `requestFailed` with what is known of the outcome: a
   * write without a clear answer is unknown. Fills are those that are new since the previous poll.
   */
  perform(effect: VenueEffect, now: () => Ms): Promise<Event>
  /** Checks everything that market making needs of the venue, and changes nothing. Yields one line per finding. */
  diagnose(options: DiagnoseOptions): AsyncGenerator<CheckResult, void, undefined>
  /** Reads what the venue quotes a taker on a side now, and the best public spread. */
  quotedSide(side: Side): Promise<QuotedSide | NotQuoted>
  /** Sends a read for a command, with this client's key; null = this API has no such read. */
  readFor(read: RelayedRead): Promise<RelayedAnswer | null>
  /** Sends requests as earlier processes have learned that the venue takes them; absent = it is always asked the same way. */
  useLearned?(learned: LearnedCapabilities): void
  /** Returns how the venue describes its simulation in its answers; null or absent = a real venue, or no answer yet. */
  simulation?(): string | null
  /** Sends the next request with another key of the same account. */
  exchangeKey(apiKey: string): void
  /** Aborts the requests in flight and closes every connection. */
  close(): Promise<void>
  /** Signed orders of a position in self-custody; null = the venue has none. */
  readonly selfCustody: CustodyPort | null
}

/** What self-custody needs of a venue in addition. */
export type CustodyPort = {
  /** Reads the addresses that orders must name. */
  readonly rfqInfo: () => Answered<RfqInfoAnswer>
  /** Submits a signed order. */
  readonly rfqOrder: (signed: SignedRfqOrder) => Answered<RfqOrderAnswer>
  /** Moves the position into self-custody, or back into the venue's pool. */
  readonly custody: (isEnabled: boolean) => Answered<CustodyAnswer>
}

type Answered<Answer> = Promise<Result<Answer, VenueFailure>>

export type DiagnoseOptions = {
  /** Our clock, ms since the epoch. */
  readonly now: () => Ms
  /** As in the risk settings; null = any age is accepted. */
  readonly maxMidAgeMs: Ms | null
  /** Method of /activate in an earlier answer; null or absent = unknown. */
  readonly learnedMethod?: string | null
  /** Receives the mid of the venue, and then the execution mid where the public rate names one. */
  readonly onMid?: (mid: Rate) => void
  /** Receives the balances that the venue states. */
  readonly onBalances?: (amounts: { readonly [asset in Asset]?: bigint }) => void
  /** `risk.maxReferenceDeviationBps`; null or absent = off. */
  readonly maxDeviationBps?: number | null
  /** Whether the venue simulates its time, so that the two clocks may differ. */
  readonly hasVirtualClock?: boolean
}

/** One side from the taker's point of view. Texts are exact decimals; null = not given by the venue. */
export type QuotedSide = {
  readonly side: Side
  readonly spreadBps: number
  readonly mid: string | null
  readonly protocolFeeBps: number | null
  readonly takerGives: string
  readonly takerGets: string | null
  /** Formula that gives the venue's own figure; null = none known gives it. */
  readonly formula: string | null
  /** Best public spread for the same size; null = no quote, or unknown. */
  readonly publicBestBps: number | null
}

export type NotQuoted = { readonly side: Side; readonly failure: VenueFailure }

/** Which writes a lease permits. */
export type WriteGate = {
  /**
   * Returns false if the lease is not held, or would end before the write. `sets`: the quote that the write would set;
   * absent = another write.
   */
  readonly mayStart: (sets?: Spread) => boolean
  /** Returns the timeout of a write that sets the quote under the lease; null = the usual one. */
  readonly spreadTimeoutMs: () => number | null
}

export type VenueParts = {
  /** Our clock, ms since the epoch. */
  readonly now?: () => number
  /** Called after every request; the outcome is `ok` or the failure's kind. */
  readonly onRequest?: (route: string, outcome: 'ok' | VenueFailure['kind'], seconds: number) => void
  /** Called once for each route whose method differs from the contract. */
  readonly onMethod?: (route: string, method: string) => void
  /** Carries reads to a daemon that has this key's budget. */
  readonly relay?: Relay
  /** Under a lease: asked just before the bytes of a write leave. Absent = all writes may leave. */
  readonly gate?: WriteGate
  /** Waits until the budget has room for a request without a relay. */
  readonly beforeSend?: (call: Pick<VenueCall<unknown>, 'isPublic'>) => Promise<void>
}
