import type { Asset, TokenAmount } from '../../../base/money/asset.ts'
import type { Ms } from '../../../base/time.ts'

/**
 * What went wrong with a request, as a value.
 * - `auth`: 401 or 403, the key is not (or no longer) good for this.
 * - `rate-limit`: 429; `retryAfterMs` says how long to stay silent.
 * - `refused`: the venue understood and said no (4xx with a code).
 * - `server`: 5xx. - `timeout`, `network`: no answer. - `malformed`: an answer that is not the contract's.
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
  /** The contract's code where there is one (`code ?? error`), otherwise the kind in upper case. */
  readonly code: string
  readonly status: number | null
  readonly route: string
  /** A sentence for people; never holds the key. */
  readonly message: string
  /** Whether sending the same request again can help. */
  readonly retriable: boolean
  /** `unknown`: the venue may or may not have done it. Reads never are; writes without a clear answer are. */
  readonly outcome: 'failed' | 'unknown'
  readonly retryAfterMs: Ms | null
  /** How a refusal (4xx) was written; absent (also in older journals) where it was none, or no words of the venue. */
  readonly form?: 'code' | 'sentence' | 'text'
}

/** The code of an activation that is refused because the wallet holds nothing that it could sweep. */
export const NOTHING_TO_SWEEP = 'NOTHING_TO_SWEEP'

/** What every event has. `t` is the time on the shell's clock when the event was made. */
export type TimedEvent<Type extends string> = { readonly type: Type; readonly t: Ms }

/** What every answer to an effect has. `request` is the id of the effect. */
export type AnswerEvent<Type extends string> = TimedEvent<Type> & { readonly request: number }

/** Requests that the client sent beside the one that is answered. */
export type AlsoSent = {
  /** When they left, of the key's budget; absent = none. */
  readonly alsoSentAt?: readonly Ms[]
}

/** What every answer of the venue may carry into the journal. */
export type Answered = AlsoSent & {
  /** Fields that the contract does not name, as JSON text, kept as evidence; absent when none exist. */
  readonly unknownFields?: string
}

/** A token that a deactivation left in the pool, in the venue's words. */
export type FailedReturn = {
  /** As the venue names it. */
  readonly token: string
  /** Null = none of ours. */
  readonly asset: Asset | null
  readonly amount: TokenAmount | null
  readonly reason: string
}
