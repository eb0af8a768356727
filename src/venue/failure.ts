import type { VenueFailure, VenueFailureKind } from '../core/engine/model/venue-answer.ts'
import { requestOutcomeOf, kindOfStatus } from '../base/http/answer.ts'
import type { RefusalForm } from '../base/http/body.ts'
import type { VenueCall } from './call.ts'

/** Codes that decide the kind of a refusal; for every other code the HTTP status decides. */
const KIND_OF_CODE: Readonly<Record<string, VenueFailureKind>> = {
  UNAUTHORIZED: 'auth',
  FORBIDDEN: 'auth',
  RATE_LIMIT: 'rate-limit',
  INTERNAL_ERROR: 'server',
  CHAIN_UNAVAILABLE: 'server',
}
/** The code of a status, for a body without one. Source: contract, errors. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMIT',
  500: 'INTERNAL_ERROR',
}
/** Codes of a 5xx with which the venue certainly did nothing. */
const CLEAR_CODES = new Set(['CHAIN_UNAVAILABLE'])
/** Codes of a 409 that waiting does not resolve. */
const LASTING_CONFLICTS = new Set([
  'pooled_capital_active',
  'NOT_SELF_CUSTODY',
  'ORDER_NOT_FILLABLE',
  'SELF_CUSTODY_ENABLED',
])

type Route = Pick<VenueCall<unknown>, 'route' | 'isWrite' | 'isRepeatable'>

/** Returns the failure of an answer that is no 2xx. `words` is for people; `code` is that of the body, or null. */
export function refusalFailure(
  call: Route,
  refusal: {
    status: number
    code: string | null
    words: string
    retryAfterMs: number | null
    form?: RefusalForm
  },
): VenueFailure {
  const { status, words, retryAfterMs, form = null } = refusal
  const kind = kindOf(status, refusal.code)
  const code = refusal.code ?? CODE_OF_STATUS[status] ?? upper(kind)
  // A timeout on their side, a server error or a redirect does not exclude that the request was performed.
  const isUnclear =
    !CLEAR_CODES.has(code) &&
    (kind === 'server' || kind === 'timeout' || kind === 'malformed' || status >= 500)
  const canHelp =
    kind === 'rate-limit' ||
    kind === 'server' ||
    kind === 'timeout' ||
    (status === 409 && !LASTING_CONFLICTS.has(code))
  return {
    kind,
    code,
    status,
    route: call.route,
    message: `${call.route}: ${status} ${code}${words === '' ? '' : `, ${words}`}`,
    ...requestOutcomeOf(call, { isUnclear, canHelp }),
    retryAfterMs,
    // A 5xx often comes from a proxy in front of the venue.
    ...(form === null || status >= 500 ? {} : { form }),
  }
}

/**
 * Returns the failure of a 2xx that is not the contract's; on a write the venue did something unknown. `NOT_JSON`: no
 * whole document came (an empty body, a page, a text that is cut or too long); `MALFORMED`: a document with an
 * unreadable field.
 */
export function malformedFailure(
  call: Route,
  status: number,
  words: string,
  code: 'MALFORMED' | 'NOT_JSON' = 'MALFORMED',
): VenueFailure {
  return {
    kind: 'malformed',
    code,
    status,
    route: call.route,
    message: `${call.route}: ${status}, but the answer is not the contract's: ${words}`,
    ...requestOutcomeOf(call, { isUnclear: true, canHelp: true }),
    retryAfterMs: null,
  }
}

/** Returns the failure of a request that was not sent, because the configuration turns it off or the venue has none. */
export function notSentFailure(call: Route, code: string, words: string): VenueFailure {
  const refusal = { status: 404, code, words: '', retryAfterMs: null }
  return { ...refusalFailure(call, refusal), status: null, message: `${call.route}: ${words}` }
}

/** Returns the failure of an incomplete answer. `wasSent` false = the request certainly never left. */
export function silenceFailure(
  call: Route,
  silence: { kind: 'timeout' | 'network'; words: string; wasSent: boolean; status: number | null },
): VenueFailure {
  return {
    kind: silence.kind,
    code: upper(silence.kind),
    status: silence.status,
    route: call.route,
    message: `${call.route}: ${silence.words}`,
    ...requestOutcomeOf(call, { isUnclear: silence.wasSent, canHelp: true }),
    retryAfterMs: null,
  }
}

function kindOf(status: number, code: string | null): VenueFailureKind {
  const byCode = code === null ? undefined : KIND_OF_CODE[code]
  if (byCode !== undefined) return byCode
  return kindOfStatus(status)
}

function upper(kind: VenueFailureKind): string {
  return kind.toUpperCase().replace('-', '_')
}
