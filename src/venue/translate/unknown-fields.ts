import type { z } from 'zod'
import type { Answered } from '../../engine/model/venue-answer.ts'

/** An answer is a few hundred bytes; more than this of unknown fields is not worth keeping for ever. */
const MAX_LENGTH = 2_000

/** The fields of a body that its schema does not name, as JSON text for the journal; nothing where there are none. */
export function unknownFields(body: Readonly<Record<string, unknown>>, schema: z.ZodObject): Answered {
  let found: Record<string, unknown> | null = null
  for (const name in body) {
    if (Object.hasOwn(schema.shape, name)) continue
    found ??= Object.create(null) as Record<string, unknown>
    found[name] = body[name]
  }
  return found === null ? {} : { unknownFields: JSON.stringify(found).slice(0, MAX_LENGTH) }
}
