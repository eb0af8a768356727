import type { Asset, TokenAmount } from '../../../base/money/asset.ts'
import type { Ms } from '../../../base/time.ts'
import type { Fill, QuarantinedRow } from '../../ledger/fills/fill.ts'

/**
 * The failure of a request.
 * - `auth`: 401 or 403, the key is not (or no longer) valid for this request.
 * - `rate-limit`: 429; `retryAfterMs` is the pause.
 * - `refused`: the venue rejected the request (4xx with a code).
 * - `server`: 5xx.
 * - `timeout`, `network`: no answer.
 * - `malformed`: an answer that violates the contract.
 */
export type VenueFailureKind =
  | 'auth'
  | 'rate-limit'
  | 'refused'
  | 'server'
  | 'timeout'
  | 'network'
  | 'malformed'

export type VenueFailure = {
  readonly kind: VenueFailureKind
  /**
   * The contract's code where there is one (`code ?? error`), otherwise the kind in upper case. The core decides by some codes:
   * POSITION_INACTIVE, NOTHING_TO_SWEEP and SELF_CUSTODY_ENABLED of an activation, and those of `rejectionPolicy` of an order.
   * The client of another venue states the same codes for the same facts.
   */
  readonly code: string
  readonly status: number | null
  readonly route: string
  /** A sentence for people; never holds the key. */
  readonly message: string
  /** True if sending the same request again can succeed. */
  readonly retriable: boolean
  /** `unknown`: the write may have taken effect. Reads are never unknown; writes without a clear answer are. */
  readonly outcome: 'failed' | 'unknown'
  readonly retryAfterMs: Ms | null
  /** The form of a refusal (4xx); absent (also in older journals) if it was not a refusal or had no text of the venue. */
  readonly form?: 'code' | 'sentence' | 'text'
}

/** The code of an activation that the venue refuses because the wallet has nothing to sweep. */
export const NOTHING_TO_SWEEP = 'NOTHING_TO_SWEEP'

/** The fields of every event. `t` is the time on the shell's clock when the event was made. */
export type TimedEvent<Type extends string> = { readonly type: Type; readonly t: Ms }

/** The fields of every answer to an effect. `request` is the id of the effect. */
export type AnswerEvent<Type extends string> = TimedEvent<Type> & { readonly request: number }

/** Further requests that the client sent for the same answer. */
export type AlsoSent = {
  /** When they were sent, counted against the key's budget; absent = no further requests. */
  readonly alsoSentAt?: readonly Ms[]
}

/** Fields that any answer of the venue may add to the journal. */
export type Answered = AlsoSent & {
  /** Fields that the contract does not name, as JSON text, kept as evidence; absent = no such fields. */
  readonly unknownFields?: string
}

/** A token that a deactivation left in the pool, in the venue's words. */
export type FailedReturn = {
  /** The token as the venue names it. */
  readonly token: string
  /** Null = not one of our tokens. */
  readonly asset: Asset | null
  readonly amount: TokenAmount | null
  readonly reason: string
}

/** An event without its time and its request, which only the runtime knows. */
export type AnswerOf<Kind extends TimedEvent<string>, More extends string = never> = Omit<
  Kind,
  't' | 'request' | More
>

/** How the venue names a token in a row of the fills. */
export type TokenForm = 'symbol' | 'address'

/** One row of the fills, valid or quarantined. `raw` identifies its content. An absent token form is not learned. */
export type TranslatedRow =
  | { readonly raw: string; readonly id: string; readonly fill: Fill; readonly tokenForm?: TokenForm }
  | { readonly raw: string; readonly id: string | null; readonly quarantined: QuarantinedRow }

/** The whole window, newest first, as received. The same object for the same body. */
export type FillsAnswer = {
  readonly type: 'fills'
  readonly rows: readonly TranslatedRow[]
  /** The answer has as many rows as the venue shows, so that older ones may be hidden. */
  readonly windowFull: boolean
}

/** Null = the venue does not state it. */
export type CustodyAnswer = { readonly type: 'custody'; readonly isEnabled: boolean | null }

/** Null = the venue does not state it; then the configuration must. */
export type RfqInfoAnswer = {
  readonly type: 'solver'
  readonly solverWallet: string | null
  readonly chainId: number | null
  readonly exchange: string | null
}

/** The struct of the order and its signature, as signed. Source: rfq notes, 0x v4 RfqOrder. */
export type SignedRfqOrder = {
  readonly order: {
    readonly makerToken: string
    readonly takerToken: string
    readonly makerAmount: bigint
    readonly takerAmount: bigint
    readonly maker: string
    readonly taker: string
    readonly txOrigin: string
    readonly pool: string
    /** Seconds since the Unix epoch. */
    readonly expiry: bigint
    readonly salt: bigint
  }
  readonly signature: {
    readonly signatureType: number
    readonly v: number
    readonly r: string
    readonly s: string
  }
}

export type RfqOrderAnswer = {
  readonly type: 'rfqOrder'
  readonly orderHash: string | null
  readonly orderStatus: string | null
}
