import { z } from 'zod'
import { read } from '../../base/http/reply.ts'
import { ok, type Result } from '../../base/result.ts'
import type { Spread } from '../../core/engine/model/effect.ts'
import type { QuoteSetEvent } from '../../core/engine/model/event.ts'
import type { AnswerOf } from '../../core/engine/model/venue-answer.ts'
import { endpoint, unknownFields } from './endpoint.ts'
import { flag, whole } from '../fields.ts'

export type SpreadAnswer = AnswerOf<QuoteSetEvent>

/** PATCH /spread with every field: the venue would set a missing field to its default, not keep its value. */
export const spread = endpoint('PATCH /spread', () => (quote: Spread) => {
  const { bidBps, askBps, quoteBid, quoteAsk, quotePairs } = quote
  return { paysOut: false, sets: quote, body: { bidBps, askBps, quoteBid, quoteAsk, quotePairs }, translate }
})

/** Wider than the limits: a spread that the venue reports to hold counts even if it should not hold it. */
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
 * The spread that the venue reports to hold; nothing is filled in from the request. Contract: all fields. Also seen: no
 * flags and no pairs, whatever was requested.
 */
const translate = read(spreadBody, (body): Result<SpreadAnswer, string> => {
  const { bidBps, askBps, quoteBid = null, quoteAsk = null, quotePairs } = body
  return ok({
    type: 'quoteSet',
    spread: { bidBps, askBps, quoteBid, quoteAsk, quotePairs: quotePairs ?? null },
    ...(quotePairs === undefined ? {} : { namesPairs: true }),
    ...unknownFields(body, spreadBody),
  })
})
