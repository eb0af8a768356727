import type { z } from 'zod'
import { err, ok, type Result } from '../result.ts'
import type { Ms } from '../time.ts'
import { oneLine, parseBody, problemOf, repeatedField } from './body.ts'

/** What a translation may read besides the body. */
export type ReplyFacts = {
  readonly status: number
  /** On our clock. */
  readonly receivedAt: Ms
  /** The Date header; null = it is missing or not a date. */
  readonly venueTime: Ms | null
}

/** Returns the translated answer, or a sentence about why the body is invalid. Never throws. */
export type Translate<Answer, Facts = ReplyFacts> = (body: unknown, facts: Facts) => Result<Answer, string>

/** Returns a translation that parses an answer by its schema and passes the result to `finish`. */
export function read<Body>(schema: z.ZodType<Body>): Translate<Body>
export function read<Body, Answer, Facts = ReplyFacts>(
  schema: z.ZodType<Body>,
  finish: (body: Body, facts: Facts) => Result<Answer, string>,
): Translate<Answer, Facts>
export function read<Body, Facts>(
  schema: z.ZodType<Body>,
  finish: (body: Body, facts: Facts) => Result<unknown, string> = ok,
): Translate<unknown, Facts> {
  return (body, facts) => {
    const parsed = schema.safeParse(body)
    return parsed.success ? finish(parsed.data, facts) : err(problemOf(parsed.error))
  }
}

/** Why an answer with a good status cannot be used; `words` on one line. */
type ReplyProblem = {
  /** `body`: not a complete JSON document; `repeated`: a field occurs twice; `value`: the translation rejects it. */
  readonly what: 'body' | 'repeated' | 'value'
  /** What the body is instead, the name of the field, or why it was rejected. */
  readonly words: string
  /** The parsed body; null = it is not JSON, or has a repeated field. */
  readonly body: unknown
}

/**
 * Reads and translates the body of an answer with a good status, for every API: text as received, or an object.
 * `numbers`: how numbers in a text are parsed; `text` = the translation receives the text itself.
 */
export function readReply<Answer, Facts>(
  { translate }: { readonly translate: Translate<Answer, Facts> },
  body: unknown,
  facts: Facts,
  numbers: 'exact' | 'double' | 'text' = 'exact',
): Result<Answer, ReplyProblem> {
  const parsed = numbers === 'text' ? ok(body) : parseBody(body, numbers)
  if (!parsed.ok) return err({ what: 'body', words: parsed.error, body: null })
  const repeated = numbers !== 'text' && typeof body === 'string' ? repeatedField(body) : null
  if (repeated !== null) return err({ what: 'repeated', words: oneLine(repeated), body: null })
  const answer = translated(() => translate(parsed.value, facts))
  return answer.ok ? answer : err({ what: 'value', words: oneLine(answer.error), body: parsed.value })
}

/** zod reads the `length` of any value, which throws for an object that cannot be converted. */
function translated<Answer>(translate: () => Result<Answer, string>): Result<Answer, string> {
  try {
    return translate()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return err('a value that cannot be read')
  }
}
