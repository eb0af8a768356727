import type { ReplyFacts, Translate } from '../base/http/reply.ts'
import type { Ms } from '../base/time.ts'
import type { Spread } from '../core/engine/model/effect.ts'
import type { PreparedRequest } from './wire/guard.ts'

/** A request to the venue as data, for HTTP or for a model of the venue. */
export type VenueRequest = {
  /** Method and the contract's path without the prefix, as in logs and metrics. */
  readonly route: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** The sent path with the prefix and without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Undefined = no body. */
  readonly body?: unknown
}

/** The part of a request that is sent. OPTIONS asks for the methods of a path. */
export type SentPart = Pick<VenueRequest, 'path' | 'query' | 'body'> & {
  readonly method: VenueRequest['method'] | 'OPTIONS'
}

/** Returns a request with the path below the base URL and its query, and with the body as text. */
export function prepareRequest(baseUrl: string, { method, path, query, body }: SentPart): PreparedRequest {
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const text = new URLSearchParams(query).toString()
  return {
    method,
    path: `${basePath}${path}${text === '' ? '' : `?${text}`}`,
    body: body === undefined ? null : JSON.stringify(body),
  }
}

export type VenueReplyFacts = ReplyFacts & {
  /** The method by which the venue took the request. */
  readonly method: VenueRequest['method']
  /** The text of the body; null = it came as an object. */
  readonly text: string | null
}

/** A request with the translation of its answer and the meaning of silence. */
export type VenueCall<Answer> = VenueRequest & {
  /** No key is sent. */
  readonly isPublic: boolean
  /** The venue may have acted even if no answer came. */
  readonly isWrite: boolean
  /** It can send money to any address, so only `withdraw.enabled` turns it on. */
  readonly paysOut: boolean
  /** Sending it twice has the effect of sending it once. */
  readonly isRepeatable: boolean
  /** Waits for the chain. */
  readonly isSlow: boolean
  /** The quote that the venue would hold after this write. Absent = the request does not set the quote. */
  readonly sets?: Spread
  /** An answer without a body is valid. */
  readonly mayBeEmpty: boolean
  /**
   * How the numbers of a text are read. Absent: a number that a double would change becomes its text. `double`: the
   * translation looks up the digits in the text itself.
   */
  readonly numbers?: 'double'
  readonly translate: Translate<Answer, VenueReplyFacts>
  /** Returns the answer of an equal body that was translated before; null = not known. */
  readonly recall?: (body: unknown) => Answer | null
  /** Returns the answer that a refusal means; null = it is a refusal. */
  readonly answerOfRefusal?: (status: number, words: string) => Answer | null
  /** Returns the code of a refusal without one on this route; null = the usual code of its status. */
  readonly codeOfRefusal?: (status: number, fields: Readonly<Record<string, unknown>>) => string | null
}

/** The parts of a call that differ from the usual ones of its route. */
export type CallParts<Answer> = Partial<VenueCall<Answer>> & Pick<VenueCall<Answer>, 'translate'>
/** Method and path of the contract. */
export type Route = `${VenueRequest['method']} /${string}`

/**
 * Returns a call of a route. By default a GET is a read with the key, which may be repeated. Any other method is a
 * write: silence leaves its outcome unknown, and it counts as a payout unless `parts` sets `paysOut: false`. A payout
 * is not repeated, and any other write has no further effect if it is.
 */
export function callTo<Answer>(route: Route, path: string, parts: CallParts<Answer>): VenueCall<Answer> {
  const [method] = route.split(' ') as [VenueRequest['method']]
  const isWrite = method !== 'GET'
  const { paysOut = isWrite } = parts
  return {
    route,
    method,
    path,
    query: {},
    isPublic: false,
    isWrite,
    paysOut,
    isRepeatable: !paysOut,
    isSlow: false,
    mayBeEmpty: false,
    ...parts,
  }
}

/** A reply. `body` is the received text, or parsed JSON. */
export type VenueReply = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
  /** Our clock. */
  readonly receivedAt: Ms
}
