import { z } from 'zod'
import { momentOf, problemOf } from '../../base/http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { RateEvent } from '../../core/engine/model/event.ts'
import { parseRate } from '../../base/money/rate.ts'
import { digitsOf, flag } from '../fields.ts'
import { type AnswerOf, type Endpoint, READ, unknownFields } from './endpoint.ts'

export type RateAnswer = AnswerOf<RateEvent>

/** GET /rate. */
export const rateEndpoint: Endpoint<[], RateAnswer> =
  ({ settings }) =>
  () => ({
    ...READ,
    route: 'GET /rate',
    path: `${settings.prefix}/rate`,
    translate: (body, { venueTime }) => translate(body, venueTime),
  })

/** What is wrong with a figure is news of its own, so the fields are judged by the translation. */
const rateBody = z.looseObject({
  midRateTZS: z.unknown().optional(),
  rateUpdatedAt: z.unknown().optional(),
  quotable: z.unknown().optional(),
})

/**
 * Contract: midRateTZS, rateUpdatedAt, quotable. Also seen: midRateTZS alone. A figure that is no rate is
 * news, not a failed request: the answer then says why there is no mid. What the venue leaves out is null.
 */
function translate(body: unknown, venueTime: Ms | null): Result<RateAnswer, string> {
  const parsed = rateBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { midRateTZS, rateUpdatedAt, quotable } = parsed.data
  const read = readMid(midRateTZS)
  const isQuotable = flag.safeParse(quotable)
  const problem = isQuotable.success ? read.problem : 'quotable is neither true nor false'
  return ok({
    type: 'rate',
    mid: problem === null ? read.mid : null,
    problem,
    rateUpdatedAt: momentOf(rateUpdatedAt),
    quotable: isQuotable.data ?? null,
    venueTime,
    ...(read.isReadable && isQuotable.success ? {} : { unreadable: problem ?? '' }),
    ...unknownFields(parsed.data, rateBody),
  })
}

type ReadMid = {
  readonly mid: bigint | null
  readonly problem: string | null
  /** False = no exact figure came; a readable one may still be no rate. */
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
