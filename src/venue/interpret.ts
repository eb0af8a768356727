import { err, ok, type Result } from '../base/result.ts'
import type { VenueFailure } from '../core/engine/model/venue-answer.ts'
import { dateOf, headerOf, retryAfterOf } from '../base/http/answer.ts'
import { describeBody, oneLine, readRefusal } from '../base/http/body.ts'
import { readReply } from '../base/http/reply.ts'
import type { VenueCall, VenueReply } from './call.ts'
import { malformedFailure, refusalFailure } from './failure.ts'

/**
 * Returns what an answer means: pure, and the same with or without HTTP, with the body as text or as an object. Any
 * input gives a value; an answer that is not the contract's is a failure with its route and status.
 */
export function interpret<Answer>(call: VenueCall<Answer>, reply: VenueReply): Result<Answer, VenueFailure> {
  const { status, body, headers, receivedAt } = reply
  if (status < 200 || status > 299) return refused(call, reply)
  const recalled = call.recall?.(body) ?? null
  if (recalled !== null) return ok(recalled)
  const text = typeof body === 'string' ? body : null
  const isEmpty = body === undefined || body === null || body === ''
  const facts = { status, method: call.method, venueTime: dateOf(headers), receivedAt, text }
  const answer = readReply(call, isEmpty && call.mayBeEmpty ? {} : body, facts, call.numbers)
  if (answer.ok) return answer
  const { what, words } = answer.error
  if (what === 'body') return err(malformedFailure(call, status, describeBody(words, text ?? ''), 'NOT_JSON'))
  return err(malformedFailure(call, status, what === 'repeated' ? oneLine(`${words}: stated twice`) : words))
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

/** Returns the target of a redirect for people, who compare it with the configuration. Redirects are not followed. */
function locationOf({ headers }: VenueReply): string {
  return oneLine(headerOf(headers, 'location') ?? 'no address')
}
