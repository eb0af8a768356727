import type { Ms } from '../base/time.ts'
import type { OrderOnChain } from './order-on-chain.ts'

/** One request as the model sees it: already parsed, no socket, no JSON text. */
export type VenueRequest = {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  /** Parsed JSON; undefined when there was none or it was not JSON. */
  readonly body: unknown
  /** The Authorization header as sent, or null. */
  readonly authorization: string | null
  /** Virtual time of arrival. */
  readonly now: Ms
  /** The clock the 60 a minute are counted on; absent = `now`. The server passes its wall clock. */
  readonly limiterNow?: Ms
  /** Source address, for the public limit; absent = one caller. */
  readonly source?: string
  readonly idempotencyKey?: string | null
  /** Who signed the order in the body. Recovery is asynchronous in viem, so the edge does it (`recoverOrderSigner`). */
  readonly signer?: string | null
  /** What the chain says of the order in the body; absent where the venue has no chain. The edge asks it. */
  readonly onChain?: OrderOnChain
}

/** One event of a taker's stream, `afterMs` after the head of the answer. */
export type StreamEvent = { readonly afterMs: Ms; readonly data: Readonly<Record<string, unknown>> }

export type VenueResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What to send as JSON. Equal answers may be the same object: do not change it. */
  readonly body: unknown
  /** Virtual ms between the request and the answer. */
  readonly delayMs: Ms
  /** No answer is sent: `before` = the request was not carried out, `after` = it was. */
  readonly drop: null | 'before' | 'after'
  /** With `drop`: leave the caller waiting, or cut the connection. */
  readonly dropHow?: 'hang' | 'reset'
  /** Sent as it is instead of `body`. */
  readonly rawBody?: string
  /** Announce the whole `rawBody` and cut the connection half-way. */
  readonly truncate?: boolean
  readonly stream?: readonly StreamEvent[]
}

/** What a route's handler answers, before faults and headers. */
export type Answer = {
  readonly status: number
  readonly body: unknown
  readonly delayMs?: Ms
  readonly headers?: Readonly<Record<string, string>>
  readonly stream?: readonly StreamEvent[]
  readonly drop?: 'before' | 'after'
}

export function answer(status: number, body: unknown, delayMs = 0): Answer {
  return { status, body, delayMs }
}
