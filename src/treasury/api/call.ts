import type { Ms } from '../../base/time.ts'
import type { HttpAnswer, HttpRequest } from '../../base/http/exchange.ts'
import type { Translate } from '../../base/http/reply.ts'

/** A request to the partner API as data, ready for the wire. */
type PartnerRequest = {
  /** Method and the contract's path: what logs and metrics call it. */
  readonly route: string
  readonly method: HttpRequest['method']
  /** As sent, with prefix and query. */
  readonly path: string
  /** Beyond those of every request; without the key of the partner. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact text; null = none. */
  readonly body: string | null
}

/** A request together with how its answer is read. */
export type PartnerCall<Answer> = PartnerRequest & {
  /** Value moves by it: sent once, never repeated by the client. */
  readonly isMoney: boolean
  /** It takes an Idempotency-Key. */
  readonly takesKey: boolean
  /** No key of the partner is sent. */
  readonly isPublic: boolean
  /** The answer is text/event-stream. */
  readonly isStream: boolean
  /** One deadline for everything, from the name's resolution to the last byte, repetitions included. */
  readonly timeoutMs: Ms
  readonly translate: Translate<Answer>
}

export type PartnerReply = HttpAnswer & { readonly receivedAt: Ms }
