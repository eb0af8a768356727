import type { Effect } from '../../../core/engine/model/effect.ts'

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

/** Venue routes and chain requests, method first, without the installation's prefix. */
export const VENUE_ROUTES = [
  'GET /swap/rate',
  'GET /account',
  'GET /balances',
  'GET /rate',
  'GET /quote',
  'PATCH /spread',
  'POST /activate',
  'PATCH /activate',
  'PUT /activate',
  'GET /fills',
  'POST /withdraw',
  'PUT /custody',
  'GET /rfq/info',
  'POST /rfq/orders',
  'chain read',
  'chain cancel',
] as const

/** Reserving or withholding an order is only journalled, so it has no label. */
type RequestEffect = Exclude<Effect['type'], 'reserveOrder' | 'withholdOrder'>

/** The route of each request of the core. */
const ROUTE_OF_EFFECT: Readonly<Record<RequestEffect, (typeof VENUE_ROUTES)[number]>> = {
  readAccount: 'GET /account',
  readRate: 'GET /rate',
  readBalances: 'GET /balances',
  readFills: 'GET /fills',
  readQuote: 'GET /quote',
  readBestQuote: 'GET /swap/rate',
  setQuote: 'PATCH /spread',
  activate: 'POST /activate',
  withdraw: 'POST /withdraw',
  readSolver: 'GET /rfq/info',
  placeOrder: 'POST /rfq/orders',
  readChain: 'chain read',
  cancelOrders: 'chain cancel',
}

const OTHER = 'other'

/** Returns the value if the vocabulary has it, otherwise 'other'. */
export function wordOf(vocabulary: Vocabulary, value: string): string {
  return vocabulary.includes(value) ? value : OTHER
}

/** Returns the route's label for an effect's type, or for a method and a path with any prefix and query. */
export function routeWord(route: string): string {
  if (Object.hasOwn(ROUTE_OF_EFFECT, route)) return ROUTE_OF_EFFECT[route as RequestEffect]
  if (VENUE_ROUTES.some((known) => known === route)) return route
  const [method = '', path = ''] = route.trim().split(/\s+/)
  const known = VENUE_ROUTES.filter((candidate) => {
    const [knownMethod = '', knownPath = ''] = candidate.split(' ')
    return method.toUpperCase() === knownMethod && (path.split('?')[0] ?? '').endsWith(knownPath)
  })
  // `/swap/rate` ends with `/rate` too, so the longest match wins.
  return known.toSorted((a, b) => b.length - a.length)[0] ?? OTHER
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
