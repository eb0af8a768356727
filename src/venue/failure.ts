import type { VenueFailure, VenueFailureKind } from '../core/engine/model/venue-answer.ts'
import { requestOutcomeOf, kindOfStatus } from '../base/http/answer.ts'
import type { RefusalForm } from '../base/http/body.ts'
import type { VenueCall } from './call.ts'

/** The codes that decide by themselves what a refusal is; every other code is judged by its HTTP status. */
const KIND_OF_CODE: Readonly<Record<string, VenueFailureKind>> = {
  UNAUTHORIZED: 'auth',
  FORBIDDEN: 'auth',
  RATE_LIMIT: 'rate-limit',
  INTERNAL_ERROR: 'server',
  CHAIN_UNAVAILABLE: 'server',
}
/** What a status says where the body has no code. Source: contract, errors. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMIT',
  500: 'INTERNAL_ERROR',
}
/** The venue looked and did nothing, although the status is a 5xx. */
const CLEAR_CODES = new Set(['CHAIN_UNAVAILABLE'])
/** 409 where waiting does not help: something else has to be done first. */
const LASTING_CONFLICTS = new Set([
  'pooled_capital_active',
  'NOT_SELF_CUSTODY',
  'ORDER_NOT_FILLABLE',
  'SELF_CUSTODY_ENABLED',
])

type Route = Pick<VenueCall<unknown>, 'route' | 'isWrite' | 'isRepeatable'>

/** An answer that is not a 2xx. `words` is a sentence for people; `code` is the body's own, or null. */
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
  // A request that timed out on their side, a server error, a redirect: none of them says "not done".
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
    // A 5xx is often written by what stands before the venue.
    ...(form === null || status >= 500 ? {} : { form }),
  }
}

/**
 * A 2xx that is not the contract's. On a write the venue did something, and we cannot tell what. `NOT_JSON`: no whole document
 * came (an empty body, a page, a text that is cut or too long); `MALFORMED`: a document with a field that cannot be read.
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

/** No answer, or not all of it. `wasSent` false = it certainly never reached the venue. */
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
