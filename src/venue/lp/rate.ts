import { z } from 'zod'
import { momentOf } from '../../base/http/body.ts'
import { read } from '../../base/http/reply.ts'
import { ok, type Result } from '../../base/result.ts'
import type { RateEvent } from '../../core/engine/model/event.ts'
import type { AnswerOf } from '../../core/engine/model/venue-answer.ts'
import { parseRate } from '../../base/money/rate.ts'
import { digitsOf, flag } from '../fields.ts'
import { endpoint, unknownFields } from './endpoint.ts'

export type RateAnswer = AnswerOf<RateEvent>

/** GET /rate. */
export const rateEndpoint = endpoint('GET /rate', () => () => ({ translate }))

/** The translation checks the fields, because an invalid figure is news and not a failure. */
const rateBody = z.looseObject({
  midRateTZS: z.unknown().optional(),
  rateUpdatedAt: z.unknown().optional(),
  quotable: z.unknown().optional(),
})

/**
 * Contract: midRateTZS, rateUpdatedAt, quotable. Also seen: midRateTZS alone. A figure that is no rate is not a failed
 * request: the answer states why there is no mid. Missing fields are null.
 */
const translate = read(rateBody, (body, { venueTime }): Result<RateAnswer, string> => {
  const { midRateTZS, rateUpdatedAt, quotable } = body
  const stated = readMid(midRateTZS)
  const isQuotable = flag.safeParse(quotable)
  const problem = isQuotable.success ? stated.problem : 'quotable is neither true nor false'
  return ok({
    type: 'rate',
    mid: problem === null ? stated.mid : null,
    problem,
    rateUpdatedAt: momentOf(rateUpdatedAt),
    quotable: isQuotable.data ?? null,
    venueTime,
    ...(stated.isReadable && isQuotable.success ? {} : { unreadable: problem ?? '' }),
    ...unknownFields(body, rateBody),
  })
})

type ReadMid = {
  readonly mid: bigint | null
  readonly problem: string | null
  /** False = there is no exact figure; a readable one may still be implausible. */
  readonly isReadable: boolean
}

function readMid(value: unknown): ReadMid {
  const unreadable = (problem: string) => ({ mid: null, problem, isReadable: false })
  if (value === undefined || value === null) return unreadable('the answer has no midRateTZS')
  const digits = digitsOf(value)
  if (digits === null) return unreadable(`midRateTZS is a ${typeof value}, not a number`)
  const parsed = parseRate(digits)
  if (parsed.ok) return { mid: parsed.value, problem: null, isReadable: true }
  const { kind, message } = parsed.error
  return { mid: null, problem: `midRateTZS: ${message}`, isReadable: kind === 'implausible' }
}
