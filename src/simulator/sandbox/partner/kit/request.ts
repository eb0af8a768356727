import { isRecord } from '../../../../base/record.ts'
import type { Ms } from '../../../../base/time.ts'
import { answer, type Answer } from '../../api/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerCapability } from '../options.ts'
import { CODES, type PartnerCode } from '../model/codes.ts'

/** The fields of a JSON object from outside. */
export type RequestFields = Readonly<Record<string, unknown>>

/** One request of a partner, past the checks of its key. */
export type PartnerRequest = {
  /** The values of the route's `:names`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  /** Empty if the request had no JSON object. */
  readonly body: RequestFields
  readonly now: Ms
  /** The bearer key as sent; an agent's credential differs from the partner's own key. */
  readonly key: string
  readonly idempotencyKey: string | null
  /** The x-merchant-id header. */
  readonly merchantId: string | null
}

/** A refusal, not yet in the body shape of its route. Nothing has moved, unless the code is one to verify. */
type PartnerRefusal = {
  readonly code: PartnerCode
  readonly sentence: string
  readonly details: RequestFields | undefined
  /** Replaces the code's own status. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type PartnerRoute = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /v1 and /api/v1; `:name` matches one segment. */
  readonly path: string
  /** Directly below /api, without a version: the two routes that the contract describes in prose. */
  readonly isUnversioned?: boolean
  /** The capability that the key needs; null = none. */
  readonly capability: PartnerCapability | null
  /** Refused until the KYB is approved. */
  readonly needsKyb?: boolean
  /** Whether a replay of its Idempotency-Key returns the original outcome. */
  readonly isIdempotent: boolean
  /** No key is needed; `answer` gets the partner of the options. */
  readonly isPublic?: boolean
  /** Only a partner's bearer key reaches this route; the public route of the same path answers other callers. */
  readonly onlyPartners?: boolean
  /** The routes of identity carry their codes in `code`, all others in `error`. */
  readonly isIdentity?: boolean
  /** Throws a refusal before anything moves. Whole shillings of the body may be bigint. */
  readonly answer: (partner: Partner, request: PartnerRequest) => Answer
}

class RequestRefused extends Error {
  readonly refusal: PartnerRefusal | Answer

  constructor(refusal: PartnerRefusal | Answer) {
    super('sentence' in refusal ? refusal.sentence : `refused with ${refusal.status}`)
    this.refusal = refusal
  }
}

/** Ends the request with a code of the contract. */
export function refuse(
  code: PartnerCode,
  sentence: string,
  details?: RequestFields,
  over: Pick<PartnerRefusal, 'status' | 'headers'> = {},
): never {
  throw new RequestRefused({ code, sentence, details, ...over })
}

export function refuseRate(sentence: string, waitSeconds: number): never {
  return refuse('rate_limited', sentence, undefined, { headers: { 'retry-after': String(waitSeconds) } })
}

/** Ends the request with an answer without a code of the contract. */
export function refuseWith(status: number, body: RequestFields): never {
  throw new RequestRefused(answer(status, body))
}

/** Ends the request because the key has nothing under this id. The contract has a code only for users. */
export function notFound(what: string): never {
  return refuseWith(404, { error: 'not_found', message: `there is no such ${what}` })
}

/** Returns the answer of `run`, or its refusal in the body shape of the route. Whole shillings become JSON numbers. */
export function answerOf<A extends Answer>(
  route: Pick<PartnerRoute, 'isIdentity'>,
  run: () => A,
): A | Answer {
  try {
    const answered = run()
    return { ...answered, body: withNumbers(answered.body) }
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error
    const { refusal } = error
    return 'sentence' in refusal ? refusalAnswer(refusal, route.isIdentity === true) : refusal
  }
}

/** `{error: code, message}` or, for codes of identity, `{error: sentence, code}`. */
function refusalAnswer(
  { code, sentence, details, status, headers = {} }: PartnerRefusal,
  isIdentity: boolean,
): Answer {
  const [ownStatus, field] = CODES[code]
  const isInCode = field === 'either' ? isIdentity : field === 'code'
  const words = isInCode ? { error: sentence, code } : { error: code, message: sentence }
  const body = details === undefined ? words : { ...words, details: withNumbers(details) }
  return { status: status ?? ownStatus, body, headers }
}

/** The value with each bigint, a count of whole shillings, as a JSON number. */
export function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(withNumbers)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withNumbers(part)]))
}
