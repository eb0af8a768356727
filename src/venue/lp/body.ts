import type { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import type { Answered } from '../../engine/model/venue-answer.ts'

/** Why a body is not what its schema says, in one line: the first field that is wrong. */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues
  const at = issue?.path.map(String).join('.') ?? ''
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return `${at === '' ? 'the body' : at}: ${issue?.message ?? 'not as the contract says'}${more}`
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/

/**
 * A timestamp of the contract (ISO 8601 with its zone) or null. A date without a zone would be read on
 * this machine's clock and a bare number in a guessed unit, so neither is taken.
 */
export function momentOf(value: unknown): Ms | null {
  if (typeof value !== 'string' || value.length > 40 || !ISO_8601.test(value)) return null
  const at = Date.parse(value)
  return Number.isFinite(at) ? at : null
}

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
