import { err, ok, type Result } from '../../base/result.ts'
import type { SpreadAnswer } from '../answer.ts'
import { spreadBody } from '../route/spread.ts'
import { problemOf } from './problem.ts'
import { unknownFields } from './unknown-fields.ts'

/** PATCH /spread: what the venue says it now holds, all of it; nothing is filled in from what was asked. */
export function translateSpread(body: unknown): Result<SpreadAnswer, string> {
  const parsed = spreadBody.safeParse(body)
  if (!parsed.success) return err(problemOf(parsed.error))
  const { bidBps, askBps, quoteBid, quoteAsk, quotePairs } = parsed.data
  return ok({
    type: 'spreadSet',
    spread: { bidBps, askBps, quoteBid, quoteAsk, quotePairs: quotePairs ?? null },
    ...(quotePairs === undefined ? {} : { namesPairs: true }),
    ...unknownFields(parsed.data, spreadBody),
  })
}
