import type { Ms } from '../../../../base/time.ts'
import type { Answer } from '../../api/request.ts'
import type { Partner } from '../model/partner.ts'
import type { PartnerCapability } from '../options.ts'
import { CODES, type PartnerCode } from '../model/codes.ts'

/** One request of a partner, past the door. */
export type PartnerRequest = {
  readonly method: string
  /** The values of the route's `:names`. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  /** The body's fields; empty where there was no JSON object. */
  readonly body: Readonly<Record<string, unknown>>
  readonly now: Ms
  readonly source: string
  /** The bearer key as sent; an agent's credential differs from the partner's own key. */
  readonly key: string
  readonly idempotencyKey: string | null
  /** The x-merchant-id header. */
  readonly merchantId: string | null
}

/** A refusal before it is put in one of the body shapes. Nothing has moved, unless the code is one to verify. */
export type PartnerRefusal = {
  readonly code: PartnerCode
  readonly sentence: string
  readonly details?: Readonly<Record<string, unknown>>
  /** In place of the code's own status. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type PartnerAnswer = Answer | PartnerRefusal

export type PartnerRoute = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /v1 and /api/v1; `:name` stands for one segment. */
  readonly path: string
  /** Right below /api, without a version: the two routes that the contract has in prose. */
  readonly isUnversioned?: boolean
  /** What the key must be granted; null = nothing. */
  readonly capability: PartnerCapability | null
  /** Refused until the KYB is approved. */
  readonly needsKyb?: boolean
  /** Whether a replay of its Idempotency-Key returns the original outcome. */
  readonly isIdempotent: boolean
  /** No one's key is asked; `answer` gets the partner of the options. */
  readonly isPublic?: boolean
  /** Only a bearer key of a partner leads here; other callers of the path are answered by the public route. */
  readonly onlyPartners?: boolean
  /** The routes of identity carry their codes in `code`, all others in `error`. */
  readonly isIdentity?: boolean
  readonly answer: (partner: Partner, request: PartnerRequest) => PartnerAnswer
}

export function refuse(
  code: PartnerCode,
  sentence: string,
  details?: Readonly<Record<string, unknown>>,
): PartnerRefusal {
  return details === undefined ? { code, sentence } : { code, sentence, details }
}

export function isRefusal(value: object): value is PartnerRefusal {
  return 'sentence' in value
}

/** The refusal in the body shape of its code: `{error: code, message}` or, for identity, `{error: sentence, code}`. */
export function refusalAnswer(refusal: PartnerRefusal, isIdentity: boolean): Answer {
  const { code, sentence, details, headers } = refusal
  const [ownStatus, field] = CODES[code]
  const inCode = field === 'either' ? isIdentity : field === 'code'
  const words = inCode ? { error: sentence, code } : { error: code, message: sentence }
  return {
    status: refusal.status ?? ownStatus,
    body: details === undefined ? words : { ...words, details },
    ...(headers === undefined ? {} : { headers }),
  }
}

/** An id that the key has nothing under. The contract names no code for it beyond users. */
export function notFound(what: string): Answer {
  return { status: 404, body: { error: 'not_found', message: `there is no such ${what}` } }
}
