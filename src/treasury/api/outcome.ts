import type { Ms } from '../../base/time.ts'

/** A venue word that the contract does not define: shown, but neither an error nor a failure. */
export type Other = `other(${string})`

/** The outcome of a request. A client never throws, and no outcome holds a request, a header or a key. */
export type PartnerOutcome<Answer> = AnsweredOutcome<Answer> | RefusedOutcome | UnknownOutcome

type AnsweredOutcome<Answer> = {
  readonly kind: 'answered'
  readonly status: number
  readonly value: Answer
  /** The venue marks the answer as a replay of an earlier request. Absent = not marked. */
  readonly replayed?: true
}

/**
 * The venue refused the request. On a money route this proves that nothing moved only if `retry` is `never` or
 * `backoff` and the request was the first with its key.
 */
export type RefusedOutcome = {
  readonly kind: 'refused'
  readonly status: number
  /** The contract's code, `other(text)` for an unknown one, or `unauthorized` for a 401, which has no code. */
  readonly code: string
  /** One sentence for the operator. */
  readonly words: string
  /** `never`: the request is wrong. `backoff`: retry it later. `verify`: read the resource before anything else. */
  readonly retry: RetryClass
  /** How long to wait before the next request; null = not stated. */
  readonly retryAfterMs: Ms | null
  /** The body's `details` and the figures of a limit; null = neither. */
  readonly details: Readonly<Record<string, unknown>> | null
}

export type RetryClass = 'never' | 'backoff' | 'verify'

/** The outcome is unknown. `sent` no = no byte reached a connection, so nothing was done. */
export type UnknownOutcome = {
  readonly kind: 'unknown'
  /** `yes`: the venue's answer decides nothing. */
  readonly sent: 'no' | 'maybe' | 'yes'
  readonly words: string
  readonly status: number | null
  /** The resource that the answer names, to be read. Absent = not named. */
  readonly id?: string
}
