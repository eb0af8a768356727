/**
 * The fixed label values of the metrics. An outside value would create a new series for every spelling, so values
 * outside the vocabulary are counted as 'other'.
 */
export type Vocabulary = readonly string[]

export const REQUOTE_REASONS = ['first', 'repair', 'safety', 'side', 'threshold', 'pairs'] as const

export const TRADING_STATES = ['ACTIVE', 'REDUCING', 'HALTED'] as const

export const REQUEST_OUTCOMES = [
  'ok',
  'partial',
  'auth',
  'rate-limit',
  'refused',
  'server',
  'timeout',
  'network',
  'malformed',
  'unknown',
] as const

const OTHER = 'other'

/** Returns the value if the vocabulary has it, otherwise 'other'. */
export function wordOf(vocabulary: Vocabulary, value: string): string {
  return vocabulary.includes(value) ? value : OTHER
}

/** Refusal codes of orders, from the venue's contract and the signer. */
export const ORDER_CODES = [
  'pooled_capital_active',
  'NOT_SELF_CUSTODY',
  'BAD_ORDER',
  'BAD_SIGNATURE',
  'UNSUPPORTED_CHAIN',
  'UNKNOWN_TOKEN',
  'SAME_TOKEN',
  'NOT_TZS_TOKEN_PAIR',
  'WRONG_MAKER',
  'WRONG_TAKER',
  'WRONG_TX_ORIGIN',
  'EXPIRES_TOO_SOON',
  'EXPIRES_TOO_LATE',
  'ORDER_NOT_FILLABLE',
  'CHAIN_UNAVAILABLE',
  'RATE_LIMIT',
  'INTERNAL_ERROR',
  'TIMEOUT',
  'NETWORK',
  'MALFORMED',
  'NOT_JSON',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'HASH_MISMATCH',
  'SIGN_BAD_AMOUNT',
  'SIGN_CHAIN_UNSEEN',
  'SIGN_CLOCK',
  'SIGN_DAILY_LIMIT',
  'SIGN_DUPLICATE',
  'SIGN_EXPIRED',
  'SIGN_EXPIRES_TOO_LATE',
  'SIGN_FAILED',
  'SIGN_HOURLY_LIMIT',
  'SIGN_MALFORMED',
  'SIGN_NOT_HELD',
  'SIGN_NO_CORRIDOR',
  'SIGN_NO_SOLVER',
  'SIGN_ORDER_TOO_LARGE',
  'SIGN_OUTSIDE_CORRIDOR',
  'SIGN_OUTSTANDING_LIMIT',
  'SIGN_REMOTE_FAILED',
  'SIGN_REMOTE_GARBAGE',
  'SIGN_REMOTE_REFUSED',
  'SIGN_REMOTE_TIMEOUT',
  'SIGN_REMOTE_UNREACHABLE',
  'SIGN_REMOTE_WRONG_KEY',
  'SIGN_SALT_REUSED',
  'SIGN_STATE_FAILED',
  'SIGN_STOPPED',
  'SIGN_TOO_MANY',
  'SIGN_WRONG_DOMAIN',
  'SIGN_WRONG_MAKER',
  'SIGN_WRONG_SOLVER',
  'SIGN_WRONG_TOKEN',
] as const
