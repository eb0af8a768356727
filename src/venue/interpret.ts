import { err, ok, type Result } from '../base/result.ts'
import type { VenueFailure } from '../engine/model/venue-answer.ts'
import { dateOf, retryAfterOf } from '../http/answer.ts'
import type { VenueCall, VenueReply } from './call.ts'
import { malformedFailure, refusalFailure } from './failure.ts'

const CODE = /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/
const MAX_CODE_LENGTH = 64
const MAX_WORDS_LENGTH = 200

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
  const parsed = isEmpty && call.mayBeEmpty ? ok({}) : parseBody(body)
  if (!parsed.ok) return err(malformedFailure(call, status, parsed.error))
  const facts = { status, venueTime: dateOf(reply.headers), text: typeof body === 'string' ? body : null }
  const answer = call.translate(parsed.value, facts)
  return answer.ok ? answer : err(malformedFailure(call, status, oneLine(answer.error)))
}

function refused<Answer>(call: VenueCall<Answer>, reply: VenueReply): Result<Answer, VenueFailure> {
  const { status } = reply
  const { code: named, words, fields } = readRefusal(reply.body)
  const code = named ?? call.codeOfRefusal?.(status, fields) ?? null
  const answer = call.answerOfRefusal?.(status, `${code ?? ''} ${words}`) ?? null
  if (answer !== null) return ok(answer)
  return err(
    refusalFailure(call, {
      status,
      code,
      words,
      retryAfterMs: retryAfterOf(reply.headers, reply.receivedAt),
    }),
  )
}

type Refusal = {
  readonly code: string | null
  readonly words: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** `{ code, error }`, `{ error: "<sentence>" }`, `{ error: code, message }`, a bare sentence, or no JSON at all. */
function readRefusal(body: unknown): Refusal {
  const parsed = parseBody(body)
  if (!parsed.ok) {
    const isText = typeof body === 'string' && body !== '' && !body.trimStart().startsWith('<')
    return { code: null, words: isText ? oneLine(body) : parsed.error, fields: {} }
  }
  if (typeof parsed.value === 'string') return { code: null, words: oneLine(parsed.value), fields: {} }
  const fields = fieldsOf(parsed.value)
  const nested = fieldsOf(fields['error'])
  const code = codeOf(fields['code']) ?? codeOf(nested['code']) ?? codeOf(fields['error'])
  const sentences = [fields['error'], fields['message'], nested['message'], fields['orderStatus']]
  const words = sentences.filter(
    (sentence): sentence is string => typeof sentence === 'string' && sentence !== code,
  )
  return { code, words: oneLine(words.join(', ')), fields }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function codeOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_CODE_LENGTH && CODE.test(value) ? value : null
}

/** Words of the outside on one line, without control characters, short. */
function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * MAX_WORDS_LENGTH)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > MAX_WORDS_LENGTH ? `${line.slice(0, MAX_WORDS_LENGTH)}...` : line
}

/** No answer of the contract nests deeper than 4; reading is recursive and must not run out of stack. */
const MAX_DEPTH = 64

/** The JSON of a body, or in a few words what it is instead. An object is JSON that was parsed already. */
function parseBody(body: unknown): Result<unknown, string> {
  if (typeof body !== 'string') return ok(body)
  const text = body.trimStart()
  if (text === '') return err('an empty body')
  if (text.startsWith('<')) return err('an HTML page')
  if (isTooDeep(text)) return err('JSON nested too deep')
  try {
    return ok(JSON.parse(text))
  } catch {
    // What the parser says would quote the body; that it is no JSON is all there is to know.
    return err('not JSON')
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === 92) index += 1
      else if (character === 34) inString = false
    } else if (character === 34) inString = true
    else if (character === 91 || character === 123) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (character === 93 || character === 125) depth -= 1
  }
  return false
}
