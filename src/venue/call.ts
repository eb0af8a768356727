import type { Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'

/** A request to the venue as data, ready for HTTP or for a venue model without it. */
export type VenueRequest = {
  /** Method and the contract's path, without the prefix: what logs and metrics call it. */
  readonly route: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** As sent, with the prefix, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Undefined = no body. */
  readonly body?: unknown
}

/** What a translation may look at beside the body. */
export type ReplyFacts = {
  readonly status: number
  /** By which the venue took the request. */
  readonly method: VenueRequest['method']
  /** The Date header; null where it is missing or no date. */
  readonly venueTime: Ms | null
  /** The body's text where it came as text; null where it came as an object. */
  readonly text: string | null
}

/** A request together with how its answer is read and what its silence would mean. */
export type VenueCall<Answer> = VenueRequest & {
  /** No key is sent. */
  readonly isPublic: boolean
  /** The venue may have done something even though no answer came. */
  readonly isWrite: boolean
  /** Sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean
  /** Waits for the chain. */
  readonly isSlow: boolean
  /** An answer without a body is a good one. */
  readonly mayBeEmpty: boolean
  /**
   * How the numbers of a text are read. Absent: a number that a double would change is given as the text that was sent.
   * `double`: the translation has the text, and looks its digits up itself.
   */
  readonly numbers?: 'double'
  /** The answer, or in a sentence why the body is invalid. Never throws. */
  readonly translate: (body: unknown, facts: ReplyFacts) => Result<Answer, string>
  /** An answer that is the same body as one translated before; null = not known. */
  readonly recall?: (body: unknown) => Answer | null
  /** A refusal that is an answer of its own; null = it is a refusal. */
  readonly answerOfRefusal?: (status: number, words: string) => Answer | null
  /** What a refusal without a code means on this route; null = what its status means on every route. */
  readonly codeOfRefusal?: (status: number, fields: Readonly<Record<string, unknown>>) => string | null
}

/** What came back. `body` is a string for text as received, anything else for parsed JSON. */
export type VenueReply = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
  /** Our clock; only a Retry-After date without a Date header needs it. */
  readonly receivedAt: Ms
}
