import type { Answer } from './venue-request.ts'

/** The HTTP status of every code of the LP contract, and of the few the contract leaves without a code. */
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
  // Not in the contract's table: it describes the refusal and names no code.
  INVALID_REQUEST: 400,
  ACTIVATION_IN_PROGRESS: 409,
  SELF_CUSTODY_ENABLED: 409,
} as const

export type VenueErrorCode = keyof typeof STATUS

/** A refusal of the LP API before it is put in a dialect's words. */
export type Refusal = {
  readonly code: VenueErrorCode
  readonly sentence: string
  readonly extra?: Readonly<Record<string, unknown>>
}

export function refusal(code: VenueErrorCode, sentence: string, extra?: Record<string, unknown>): Refusal {
  return extra === undefined ? { code, sentence } : { code, sentence, extra }
}

/**
 * The refusal as an answer. The contract's dialect carries the code; the observed one a sentence only, and
 * for a bad key not even JSON.
 */
export function refuse(dialect: 'contract' | 'observed', { code, sentence, extra }: Refusal): Answer {
  const status = STATUS[code]
  if (dialect === 'contract') return { status, body: { code, error: sentence, ...extra } }
  return { status, body: status === 401 ? sentence : { error: sentence, ...extra } }
}

/** A refusal of the partner API's swap routes: the machine code is in `error`, the sentence in `message`. */
export function refusePublic(status: number, code: string, message: string): Answer {
  return { status, body: { error: code, message } }
}
