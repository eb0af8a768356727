import { z } from 'zod'
import { problemOf } from '../../base/http/body.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Spread } from '../../core/engine/model/effect.ts'
import type { QuoteSetEvent } from '../../core/engine/model/event.ts'
import { type AnswerOf, type Endpoint, unknownFields, WRITE } from './endpoint.ts'
import { flag, whole } from '../fields.ts'

export type SpreadAnswer = AnswerOf<QuoteSetEvent>

/** PATCH /spread, whole: what is left out of it would mean the venue's defaults, not what it holds now. */
export const spread: Endpoint<[quote: Spread], SpreadAnswer> =
  ({ settings }) =>
  ({ bidBps, askBps, quoteBid, quoteAsk, quotePairs }) => ({
    ...WRITE,
    route: 'PATCH /spread',
    method: 'PATCH',
    path: `${settings.prefix}/spread`,
    body: { bidBps, askBps, quoteBid, quoteAsk, quotePairs },
    translate,
  })

/** Wider than the limits: what the venue says it holds is news even where it should not be. */
const spreadBody = z.looseObject({
  bidBps: whole(0, 10_000),
  askBps: whole(0, 10_000),
  quoteBid: flag,
  quoteAsk: flag,
  quotePairs: z
    .array(
      z
        .string()
        .max(100)
        .regex(/^[A-Za-z]/, 'not a symbol'),
    )
    .max(100)
    .nullish(),
  updatedAt: z.unknown().optional(),
})

/**
 * PATCH /spread: what the venue says it now holds; nothing is filled in from what was asked. Contract: all fields. Also seen: no
 * flags and no pairs, whatever was asked.
 */
function translate(body: unknown): Result<SpreadAnswer, string> {
  const parsed = spreadBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { bidBps, askBps, quoteBid = null, quoteAsk = null, quotePairs } = parsed.data
  return ok({
    type: 'quoteSet',
    spread: { bidBps, askBps, quoteBid, quoteAsk, quotePairs: quotePairs ?? null },
    ...(quotePairs === undefined ? {} : { namesPairs: true }),
    ...unknownFields(parsed.data, spreadBody),
  })
}
