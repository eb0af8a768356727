import type { Ms } from '../../base/time.ts'

/** A word that the contract does not have, as the venue sent it: shown, and neither an error nor a failure. */
export type Other = `other(${string})`

/**
 * How a request to the partner API ended. Nothing else exists: a client never throws, and no outcome holds a request,
 * a header or a key.
 */
export type PartnerOutcome<Answer> = AnsweredOutcome<Answer> | RefusedOutcome | UnknownOutcome

type AnsweredOutcome<Answer> = {
  readonly kind: 'answered'
  readonly status: number
  readonly value: Answer
  /** The venue marks it as the outcome of an earlier request with this key. Absent = it is not marked. */
  readonly replayed?: true
}

/**
 * The venue answered, and did not do it. On a money route this proves that nothing moved only where `retry` is `never`
 * or `backoff` and the refused request was the first one with its key.
 */
export type RefusedOutcome = {
  readonly kind: 'refused'
  readonly status: number
  /** The contract's code, `other(text)` for one that it does not have, `unauthorized` for a 401, which has no code. */
  readonly code: string
  /** One sentence for people. */
  readonly words: string
  /** `never`: the request is wrong. `backoff`: the same one later. `verify`: read the resource before anything else. */
  readonly retry: RetryClass
  /** How long the venue asks to be left alone; null = it does not state it. */
  readonly retryAfterMs: Ms | null
  /** `details` of the body, and the figures of a limit; null = none. */
  readonly details: Readonly<Record<string, unknown>> | null
}

export type RetryClass = 'never' | 'backoff' | 'verify'

/** No one knows whether it was done. `sent` no = no byte reached a connection, so that it certainly was not. */
export type UnknownOutcome = {
  readonly kind: 'unknown'
  /** `yes`: the venue answered something, though nothing that decides. */
  readonly sent: 'no' | 'maybe' | 'yes'
  readonly words: string
  readonly status: number | null
  /** The resource that the answer names though it decides nothing: read it. Absent = it names none. */
  readonly id?: string
}
