import { z } from 'zod'
import { momentOf, problemOf } from '../../http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { RateEvent } from '../../engine/model/event.ts'
import { parseRate } from '../../money/rate.ts'
import { type AnswerOf, type Endpoint, READ, unknownFields } from './endpoint.ts'

export type RateAnswer = AnswerOf<RateEvent>

/** GET /rate. */
export const rate: Endpoint<[], RateAnswer> =
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
  const isSaid = quotable !== undefined && quotable !== null
  const problem =
    isSaid && typeof quotable !== 'boolean' ? 'quotable is neither true nor false' : read.problem
  return ok({
    type: 'rate',
    mid: problem === null ? read.mid : null,
    problem,
    rateUpdatedAt: momentOf(rateUpdatedAt),
    quotable: typeof quotable === 'boolean' ? quotable : null,
    venueTime,
    ...unknownFields(parsed.data, rateBody),
  })
}

function readMid(value: unknown): { readonly mid: bigint | null; readonly problem: string | null } {
  if (value === undefined || value === null) return { mid: null, problem: 'the answer has no midRateTZS' }
  if (typeof value !== 'number')
    return { mid: null, problem: `midRateTZS is a ${typeof value}, not a number` }
  const parsed = parseRate(value)
  return parsed.ok
    ? { mid: parsed.value, problem: null }
    : { mid: null, problem: `midRateTZS: ${parsed.error.message}` }
}
