import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import { err, ok } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { momentOf, oneLine, problemOf } from '../../../base/http/body.ts'
import type { PartnerReplyFacts, Translate } from '../call.ts'
import type { Other } from '../outcome.ts'

/** An answer by its schema; `finish` adds what the reply's time decides. Any body gives a value, none throws. */
export function read<Body, Answer = Body>(
  schema: z.ZodType<Body>,
  finish?: (body: Body, facts: PartnerReplyFacts) => Answer,
): Translate<Answer> {
  return (body, facts) => {
    const parsed = schema.safeParse(body)
    if (!parsed.success) return err(problemOf(parsed.error))
    return ok(finish === undefined ? (parsed.data as unknown as Answer) : finish(parsed.data, facts))
  }
}

/** A body that the contract does not show, as it came; a list stands under `items`, no body at all is no field. */
export const readFields: Translate<Readonly<Record<string, unknown>>> = (body) => {
  if (isRecord(body)) return ok(body)
  return Array.isArray(body) ? ok({ items: body }) : err('the body: neither an object nor a list')
}

/** An id of the venue: shown and put into paths, so it is short and has no control characters. */
export const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'has control characters')

/**
 * A word of a list, or what it is called otherwise, or `other(word)`: a state that the contract does not have is shown and
 * ends nothing.
 */
export function oneOf<const Words extends readonly string[]>(
  words: Words,
  renamed: Readonly<Partial<Record<string, Words[number]>>> = {},
) {
  return z.string().transform((word): Words[number] | Other => {
    const known = Object.hasOwn(renamed, word) ? renamed[word] : undefined
    return known ?? (words.includes(word) ? word : `other(${oneLine(word)})`)
  })
}

/**
 * A field that an answer may lack: null where it is absent, null or unreadable. An answer to a request that moved money
 * stays an answer with its id, whatever else is wrong with it.
 */
export function maybe<Output, Input>(schema: z.ZodType<Output, Input>) {
  return schema
    .nullish()
    .catch(null)
    .transform((value): Output | null => value ?? null)
}

export const words = maybe(z.string().max(2_000))
export const moment = z.unknown().optional().transform(momentOf)

/**
 * When a quote ends, on our clock: what remained of it on the venue's clock when it answered, and never more than the
 * contract's validity. `statedAt` null = the contract's validity alone.
 */
export function expiryOf(
  statedAt: Ms | null,
  validityMs: Ms,
  { receivedAt, venueTime }: PartnerReplyFacts,
): Ms {
  if (statedAt === null) return receivedAt + validityMs
  // A Date header has whole seconds: the venue's clock may be up to one ahead of it.
  const remaining = statedAt - (venueTime === null ? receivedAt : venueTime + 1_000)
  return receivedAt + Math.min(Math.max(0, remaining), validityMs)
}
