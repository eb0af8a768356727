import { err, ok, type Result } from '../base/result.ts'
import type { VenueFailure } from '../core/engine/model/venue-answer.ts'
import { dateOf, headerOf, retryAfterOf } from '../base/http/answer.ts'
import {
  describeBody,
  oneLine,
  parseBody,
  readRefusal,
  repeatedField,
  translated,
} from '../base/http/body.ts'
import type { VenueCall, VenueReply } from './call.ts'
import { malformedFailure, refusalFailure } from './failure.ts'

/**
 * What an answer means: pure, and the same with or without HTTP, with the body as text or as an object.
 * Any input gives a value; whatever is not the contract's is a failure that names its route and status.
 */
export function interpret<Answer>(call: VenueCall<Answer>, reply: VenueReply): Result<Answer, VenueFailure> {
  const { status, body } = reply
  if (status < 200 || status > 299) return refused(call, reply)
  const recalled = call.recall?.(body) ?? null
  if (recalled !== null) return ok(recalled)
  const isEmpty = body === undefined || body === null || body === ''
  const parsed = isEmpty && call.mayBeEmpty ? ok({}) : parseBody(body, call.numbers ?? 'exact')
  if (!parsed.ok) {
    const words = describeBody(parsed.error, typeof body === 'string' ? body : '')
    return err(malformedFailure(call, status, words, 'NOT_JSON'))
  }
  const repeated = typeof body === 'string' ? repeatedField(body) : null
  if (repeated !== null) return err(malformedFailure(call, status, oneLine(`${repeated}: stated twice`)))
  const facts = {
    status,
    method: call.method,
    venueTime: dateOf(reply.headers),
    text: typeof body === 'string' ? body : null,
  }
  const answer = translated(() => call.translate(parsed.value, facts))
  return answer.ok ? answer : err(malformedFailure(call, status, oneLine(answer.error)))
}

function refused<Answer>(call: VenueCall<Answer>, reply: VenueReply): Result<Answer, VenueFailure> {
  const { status } = reply
  const { code: named, words, fields, form } = readRefusal(reply.body)
  const code = named ?? call.codeOfRefusal?.(status, fields) ?? null
  const answer = call.answerOfRefusal?.(status, `${code ?? ''} ${words}`) ?? null
  if (answer !== null) return ok(answer)
  return err(
    refusalFailure(call, {
      status,
      code,
      words: isRedirect(status) ? `a redirect to ${locationOf(reply)}` : words,
      retryAfterMs: retryAfterOf(reply.headers, reply.receivedAt),
      form,
    }),
  )
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

/** Redirects are not followed: the target is for people, who compare it with the configuration. */
function locationOf({ headers }: VenueReply): string {
  return oneLine(headerOf(headers, 'location') ?? 'no address')
}
