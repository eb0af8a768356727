import { isRecord } from '../../base/record.ts'
import { dateOf, headerOf, retryAfterOf } from '../../base/http/answer.ts'
import { type BodyRefusal, readRefusal } from '../../base/http/body.ts'
import type { Silence } from '../../base/http/exchange.ts'
import { readReply } from '../../base/http/reply.ts'
import type { PartnerCall, PartnerReply } from './call.ts'
import type { PartnerOutcome, RefusedOutcome, RetryClass, UnknownOutcome } from './outcome.ts'
import { isPartnerCode, readCode } from './refusals.ts'

type Route = Pick<PartnerCall<unknown>, 'route' | 'isMoney'> & { readonly isStream?: boolean }

const UNREADABLE = {
  body: 'the answer is',
  repeated: 'the answer is JSON with two fields',
  value: 'the answer does not match the contract:',
} as const

/**
 * Returns the outcome of an answer. Pure and total over status and body. On a money route an answer outside the
 * contract has an unknown outcome and is never a failure.
 */
export function interpretPartner<Answer>(
  call: PartnerCall<Answer>,
  reply: PartnerReply,
): PartnerOutcome<Answer> {
  const { status, headers, text, receivedAt } = reply
  if (status < 200 || status > 299) return notDone(call, reply)
  // 204 has no body, which is valid if no field is expected.
  const body = status === 204 && text === '' ? '{}' : text
  const facts = { status, receivedAt, venueTime: dateOf(headers) }
  const answer = readReply(call, body, facts, call.isStream ? 'text' : 'exact')
  if (!answer.ok) {
    const { what, words, body: parsed } = answer.error
    return unknownOf(call, status, `${UNREADABLE[what]} ${words}`, parsed)
  }
  const isReplay = headerOf(headers, 'idempotent-replayed') === 'true'
  return { kind: 'answered', status, value: answer.value, ...(isReplay ? { replayed: true } : {}) }
}

/** Returns the outcome of a missing or partial answer. A refusing status is a refusal even if its body broke off. */
export function outcomeOfSilence(call: Route, silence: Silence): RefusedOutcome | UnknownOutcome {
  const { wasSent, status, words } = silence
  if (status !== null && status >= 400 && status <= 499) {
    const refusal = { code: null, words, fields: {}, form: null }
    return refused(call, { status, retryAfterMs: null, refusal, retry: 'verify' })
  }
  const sent = status === null ? (wasSent ? 'maybe' : 'no') : 'yes'
  return { kind: 'unknown', sent, status, words: `${call.route}: ${words}` }
}

function notDone(
  call: Route,
  { status, headers, text, receivedAt }: PartnerReply,
): RefusedOutcome | UnknownOutcome {
  const refusal = readRefusal(text)
  // Regardless of the status: whatever has an id exists. An existing resource does not belong to this request.
  const isNamed =
    call.isMoney && namedBy(refusal.fields) !== null && !ALREADY_THERE.includes(refusal.code ?? '')
  const retry = isNamed ? null : retryOf(call, status, refusal)
  if (retry === null) {
    const words = [refusal.code, refusal.words].filter(Boolean).join(', ')
    return unknownOf(call, status, words, refusal.fields)
  }
  return refused(call, { status, retryAfterMs: retryAfterOf(headers, receivedAt), refusal, retry })
}

/** Even on a first sending, these prove that the venue has seen this request before: something exists. */
const ALREADY_THERE: readonly string[] = ['duplicate_withdrawal', 'idempotency_key_used']
/**
 * Returns whether a 5xx leaves open if the money moved. Only 501 and 503 with a code of the contract state that nothing
 * moved; after any other, the service or a proxy failed, although the contract's table would retry some of them.
 */
function isOpenOnMoney(status: number, retry: RetryClass | null): boolean {
  return status >= 500 && retry !== 'verify' && (retry === null || (status !== 501 && status !== 503))
}

/** Returns what may be done after a refusal; null = not a refusal, because the outcome is unknown. */
function retryOf({ isMoney, isStream }: Route, status: number, refusal: BodyRefusal): RetryClass | null {
  const { code, fields, form } = refusal
  const known = code !== null && isPartnerCode(code) ? readCode(code) : null
  if (isMoney && isOpenOnMoney(status, known?.retry ?? null)) return null
  // A refused swap is a 400 with text instead of JSON, before any stream line. Source: venue-measured.md, section 5.
  const isTheirs =
    'error' in fields || 'code' in fields || (isStream === true && status === 400 && form === 'text')
  if (known === null) return retryOfStatus(isMoney, status, isTheirs)
  if (isMoney && !known.statuses.includes(status) && !isRefusal(status)) return null
  return isMoney && ALREADY_THERE.includes(code ?? '') ? 'verify' : known.retry
}

/**
 * Returns the retry class of a status without a contract code, by the contract's generic responses: 400, 401 and 403
 * are refusals, after 429 nothing moved. `isTheirs`: the body has the contract's form; a proxy's page proves nothing.
 */
function retryOfStatus(isMoney: boolean, status: number, isTheirs: boolean): RetryClass | null {
  if (status === 429) return 'backoff'
  if (!isRefusal(status)) return isMoney || status < 500 ? null : 'backoff'
  if (!isMoney) return 'never'
  return isTheirs && [400, 401, 403, 404, 410].includes(status) ? 'never' : 'verify'
}

function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499 && status !== 408
}

type Given = {
  readonly status: number
  readonly retryAfterMs: number | null
  readonly refusal: BodyRefusal
  readonly retry: RetryClass
}

function refused(call: Route, { status, retryAfterMs, refusal, retry }: Given): RefusedOutcome {
  const code = codeOf(status, refusal.code)
  const meaning = isPartnerCode(code) ? readCode(code).meaning : ''
  const words = `${call.route}: ${[`${status} ${code}`, refusal.words || meaning].filter(Boolean).join(', ')}`
  return { kind: 'refused', status, code, words, retry, retryAfterMs, details: detailsOf(refusal.fields) }
}

function codeOf(status: number, code: string | null): string {
  if (code !== null && isPartnerCode(code)) return code
  if (status === 401) return 'unauthorized'
  return `other(${code ?? status})`
}

/** If there is no contract code, the figures of a limit are next to the error. */
const LIMIT_FIELDS = [
  'limit',
  'requested',
  'usedInPeriod',
  'allowanceTzs',
  'usedTzs',
  'available',
  'shortfall',
]

function detailsOf(fields: BodyRefusal['fields']): RefusedOutcome['details'] {
  const details = isRecord(fields['details']) ? fields['details'] : {}
  const beside = LIMIT_FIELDS.flatMap((name) => (name in fields ? [[name, fields[name]] as const] : []))
  const all = { ...Object.fromEntries(beside), ...details }
  return Object.keys(all).length === 0 ? null : all
}

function unknownOf({ route, isMoney }: Route, status: number, words: string, body: unknown): UnknownOutcome {
  const text = `${route}: ${status}${words === '' ? '' : `, ${words}`}`
  const id = isMoney && isRecord(body) ? namedBy(body) : null
  return { kind: 'unknown', sent: 'yes', status, words: text, ...(id === null ? {} : { id }) }
}

/** An id that can stand in a path, as the measured venue names what a payment became. Source: venue-measured.md, section 5. */
function namedBy({ settlementId, transferId, id }: Readonly<Record<string, unknown>>): string | null {
  const named = [settlementId, transferId, id].find((one) => typeof one === 'string')
  return typeof named === 'string' && /^[\w-]{1,200}$/.test(named) ? named : null
}
