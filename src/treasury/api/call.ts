import type { Ms } from '../../base/time.ts'
import type { HttpAnswer, HttpRequest } from '../../base/http/exchange.ts'
import type { Translate } from '../../base/http/reply.ts'

/** A request to the partner API as data, ready for the wire. */
type PartnerRequest = {
  /** Method and the contract's path, as used in logs and metrics. */
  readonly route: string
  readonly method: HttpRequest['method']
  /** As sent, including prefix and query. */
  readonly path: string
  /** In addition to the common headers; without the partner's key. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact text; null = no body. */
  readonly body: string | null
}

/** A request together with the translation of its answer. */
export type PartnerCall<Answer> = PartnerRequest & {
  /** It moves value: the client sends it once and never retries. */
  readonly isMoney: boolean
  /** It takes an Idempotency-Key. */
  readonly takesKey: boolean
  /** It is sent without the partner's key. */
  readonly isPublic: boolean
  /** The answer is text/event-stream. */
  readonly isStream: boolean
  /** One deadline for everything, from the name look-up to the last byte, including retries. */
  readonly timeoutMs: Ms
  readonly translate: Translate<Answer>
}

export type PartnerReply = HttpAnswer & { readonly receivedAt: Ms }
