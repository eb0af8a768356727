import type { Event } from '../../engine/model/event.ts'
import type { VenueCall } from '../call.ts'
import type { VenueSettings } from '../settings.ts'
import type { TokenRegistry } from './token-registry.ts'
import type { z } from 'zod'
import type { Ms } from '../../base/time.ts'
import type { Answered } from '../../engine/model/venue-answer.ts'

/** What the endpoints of one position share. */
export type EndpointContext = { readonly settings: VenueSettings; readonly assetOf: TokenRegistry }

/**
 * One endpoint of the LP API: its route, its schema, its translation and what silence means, with no I/O.
 * It is opened once for a position and then makes a call for each request.
 */
export type Endpoint<Parameters extends readonly unknown[], Answer> = (
  context: EndpointContext,
) => (...parameters: Parameters) => VenueCall<Answer>

/** A read by GET with the key: it may be repeated, and silence means that nothing happened. */
export const READ = {
  method: 'GET',
  query: {},
  isPublic: false,
  isWrite: false,
  isRepeatable: true,
  isSlow: false,
  mayBeEmpty: false,
} as const

/** A write: after silence the venue may or may not have done it; doing it twice is as good as once. */
export const WRITE = { ...READ, isWrite: true } as const

/** An event without what only the runtime knows: when it was and which effect it answers. */
export type AnswerOf<Kind extends Event, More extends string = never> = Omit<Kind, 't' | 'request' | More>

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
