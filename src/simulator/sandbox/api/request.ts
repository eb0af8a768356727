import type { Ms } from '../../../base/time.ts'
import type { SimulatedApi } from '../options.ts'
import type { VenueState } from '../state.ts'
import type { OrderOnChain } from './signed-order.ts'

/** One request as the model sees it: already parsed, no socket, no JSON text. */
export type SimulatedRequest = {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  /** Parsed JSON; undefined if there was no body or it was not JSON. */
  readonly body: unknown
  /** The Authorization header as sent, or null. */
  readonly authorization: string | null
  /** Virtual time of arrival. */
  readonly now: Ms
  /** The clock of the 60 requests per minute; absent = `now`. The server passes its wall clock. */
  readonly limiterNow?: Ms
  /** Source address, for the public limit; absent = one caller. */
  readonly source?: string
  readonly idempotencyKey?: string | null
  /** The x-merchant-id header of the partner API. */
  readonly merchantId?: string | null
  /** The signer of the order in the body. Recovery is asynchronous in viem, so the HTTP edge does it (`recoverOrderSigner`). */
  readonly signer?: string | null
  /** The state of the order in the body on chain; absent if the venue has no chain. The HTTP edge looks it up. */
  readonly onChain?: OrderOnChain
}

/** One event of a taker's stream, `afterMs` after the head of the answer. */
export type StreamEvent = { readonly afterMs: Ms; readonly data: Readonly<Record<string, unknown>> }

export type VenueResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body, sent as JSON. Equal answers may share one object, so do not change it. */
  readonly body: unknown
  /** Virtual ms between the request and the answer. */
  readonly delayMs: Ms
  /** No answer is sent: `before` = the request was not executed, `after` = it was. */
  readonly drop: null | 'before' | 'after'
  /** With `drop`: leave the caller waiting, or cut the connection. */
  readonly dropHow?: 'hang' | 'reset'
  /** Sent unchanged instead of `body`. */
  readonly rawBody?: string
  /** Announces the length of the whole `rawBody` and cuts the connection half-way. */
  readonly truncate?: boolean
  readonly stream?: readonly StreamEvent[]
}

/** The answer of a route's handler, before faults and headers. */
export type Answer = {
  readonly status: number
  readonly body: unknown
  /** Sent unchanged instead of `body`. */
  readonly rawBody?: string
  readonly delayMs?: Ms
  readonly headers?: Readonly<Record<string, string>>
  readonly stream?: readonly StreamEvent[]
  readonly drop?: 'before' | 'after'
}

export function answer(status: number, body: unknown, delayMs = 0): Answer {
  return { status, body, delayMs }
}

/** The HTTP status of every code of the LP contract, and of refusals for which the contract has no code. */
const STATUS = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INSUFFICIENT_BALANCE: 400,
  INSUFFICIENT_LIQUIDITY: 400,
  INVALID_AMOUNT: 400,
  INVALID_ADDRESS: 400,
  SPREAD_OUT_OF_RANGE: 400,
  POSITION_INACTIVE: 400,
  RATE_LIMIT: 429,
  INTERNAL_ERROR: 500,
  pooled_capital_active: 409,
  NOT_SELF_CUSTODY: 409,
  BAD_ORDER: 400,
  BAD_SIGNATURE: 400,
  UNSUPPORTED_CHAIN: 400,
  UNKNOWN_TOKEN: 400,
  SAME_TOKEN: 400,
  NOT_TZS_TOKEN_PAIR: 400,
  WRONG_MAKER: 400,
  WRONG_TAKER: 400,
  WRONG_TX_ORIGIN: 400,
  EXPIRES_TOO_SOON: 400,
  EXPIRES_TOO_LATE: 400,
  ORDER_NOT_FILLABLE: 409,
  CHAIN_UNAVAILABLE: 503,
  // Not in the contract's table, which describes the refusal without a code.
  INVALID_REQUEST: 400,
  ACTIVATION_IN_PROGRESS: 409,
  SELF_CUSTODY_ENABLED: 409,
} as const

type VenueErrorCode = keyof typeof STATUS

/** A refusal of the LP API, not yet in the form of a venue. */
export type SimulatedRefusal = {
  readonly code: VenueErrorCode
  readonly sentence: string
  readonly extra?: Readonly<Record<string, unknown>>
}

export function refusal(
  code: VenueErrorCode,
  sentence: string,
  extra?: Record<string, unknown>,
): SimulatedRefusal {
  return extra === undefined ? { code, sentence } : { code, sentence, extra }
}

/** Returns the refusal as an answer. The contract's has the code, the measured venue's only a sentence. */
export function refuseRequest(venue: SimulatedApi, { code, sentence, extra }: SimulatedRefusal): Answer {
  const status = STATUS[code]
  if (venue === 'contract') return { status, body: { code, error: sentence, ...extra } }
  return status === 500 ? EMPTY_500 : { status, body: { error: sentence, ...extra } }
}

/** The measured venue's answer to an unexpected error. */
export const EMPTY_500: Answer = { status: 500, body: null, rawBody: '' }

/** Returns a refusal of the partner API's swap routes: the machine-readable code is in `error`, the sentence in `message`. */
export function refusePublic(status: number, code: string, message: string): Answer {
  return { status, body: { error: code, message } }
}

/** Executes one request that has passed the checks of key, limit and permission. */
export type Handler = (venue: VenueState, request: SimulatedRequest) => Answer | SimulatedRefusal
