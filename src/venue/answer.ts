import type {
  AccountEvent,
  ActivationEvent,
  BalancesEvent,
  Event,
  PublicRateEvent,
  QuoteReadEvent,
  RateEvent,
  SpreadSetEvent,
  WithdrawnEvent,
} from '../engine/model/event.ts'
import type { Fill, QuarantinedRow } from '../ledger/fills/fill.ts'

/** An event without what only the runtime knows: when it was and which effect it answers. */
type AnswerOf<Kind extends Event, More extends string = never> = Omit<Kind, 't' | 'request' | More>

/** What the venue said, in the domain's words. */
export type Answer =
  | AccountAnswer
  | RateAnswer
  | PublicRateAnswer
  | BalancesAnswer
  | FillsAnswer
  | QuoteAnswer
  | SpreadAnswer
  | ActivationAnswer
  | WithdrawnAnswer
  | CustodyAnswer
  | RfqInfoAnswer
  | RfqOrderAnswer

export type AccountAnswer = AnswerOf<AccountEvent>
export type RateAnswer = AnswerOf<RateEvent>
export type PublicRateAnswer = AnswerOf<PublicRateEvent>
export type BalancesAnswer = AnswerOf<BalancesEvent, 'sentAt'>
export type SpreadAnswer = AnswerOf<SpreadSetEvent>
export type ActivationAnswer = AnswerOf<ActivationEvent>
export type WithdrawnAnswer = AnswerOf<WithdrawnEvent>

/** A quote, and whether any known formula gives its expectedOutput (`formula` is about the bid only). */
export type QuoteAnswer = AnswerOf<QuoteReadEvent> & { readonly isExplained: boolean }

/** One row of GET /fills, understood or not. `raw` tells equal rows apart from changed ones. */
export type TranslatedRow =
  | { readonly raw: string; readonly id: string; readonly fill: Fill }
  | { readonly raw: string; readonly id: string | null; readonly quarantined: QuarantinedRow }

/** The whole window, newest first, as received. The same object for the same body. */
export type FillsAnswer = { readonly type: 'fills'; readonly rows: readonly TranslatedRow[] }

/** Null where the venue does not say what it now holds. */
export type CustodyAnswer = { readonly type: 'custody'; readonly isEnabled: boolean | null }

/** Null = the venue does not say; then the configuration must. */
export type RfqInfoAnswer = {
  readonly type: 'rfqInfo'
  readonly solverWallet: string | null
  readonly chainId: number | null
  readonly exchange: string | null
}

export type RfqOrderAnswer = {
  readonly type: 'rfqOrder'
  readonly orderHash: string | null
  readonly orderStatus: string | null
}
