import type { Ms } from '../../base/time.ts'

/** A word of the venue that the contract does not have: shown, and neither an error nor a failure. */
export type Other = `other(${string})`

/** The outcome of a request. A client never throws, and no outcome holds a request, a header or a key. */
export type PartnerOutcome<Answer> = AnsweredOutcome<Answer> | RefusedOutcome | UnknownOutcome

type AnsweredOutcome<Answer> = {
  readonly kind: 'answered'
  readonly status: number
  readonly value: Answer
  /** The venue marks the answer as the replay of an earlier request. Absent = it does not. */
  readonly replayed?: true
}

/**
 * The venue refused the request. On a money route this proves that nothing moved only if `retry` is `never` or
 * `backoff` and the request was the first one with its key.
 */
export type RefusedOutcome = {
  readonly kind: 'refused'
  readonly status: number
  /** The contract's code, `other(text)` for an unknown one, `unauthorized` for a 401, which has no code. */
  readonly code: string
  /** One sentence for people. */
  readonly words: string
  /** `never`: the request is wrong. `backoff`: the same one later. `verify`: read the resource before anything else. */
  readonly retry: RetryClass
  /** The time after which the venue may be asked again; null = not stated. */
  readonly retryAfterMs: Ms | null
  /** `details` of the body, and the figures of a limit; null = none. */
  readonly details: Readonly<Record<string, unknown>> | null
}

export type RetryClass = 'never' | 'backoff' | 'verify'

/** The outcome is unknown. `sent` no = no byte reached a connection, so that nothing was done. */
export type UnknownOutcome = {
  readonly kind: 'unknown'
  /** `yes`: the venue gave an answer that decides nothing. */
  readonly sent: 'no' | 'maybe' | 'yes'
  readonly words: string
  readonly status: number | null
  /** The resource that the answer names, to be read. Absent = none. */
  readonly id?: string
}
