import { type CallParts, callTo, type Route, type VenueCall } from '../call.ts'
import type { VenueSettings } from '../settings.ts'
import type { TokenRegistry } from './token-registry.ts'
import type { z } from 'zod'
import type { Answered } from '../../core/engine/model/venue-answer.ts'

/** Settings that the endpoints of one position share. */
export type EndpointContext = { readonly settings: VenueSettings; readonly assetOf: TokenRegistry }

/**
 * One endpoint of the LP API: its route, schema, translation and the meaning of no answer, without I/O. It is opened once
 * per position and then builds a call for each request.
 */
export type Endpoint<Parameters extends readonly unknown[] = never, Answer = unknown> = {
  readonly route: Route
  /** Part of the public API, which takes no key. */
  readonly isPublic: boolean
  readonly open: (context: EndpointContext) => (...parameters: Parameters) => VenueCall<Answer>
}

/** Declares an endpoint; `open` returns what differs from the usual call of its route. */
export function endpoint<Parameters extends readonly unknown[], Answer>(
  route: Route,
  open: (context: EndpointContext) => (...parameters: Parameters) => CallParts<Answer>,
  isPublic = false,
): Endpoint<Parameters, Answer> {
  return {
    route,
    isPublic,
    open(context) {
      const partsOf = open(context)
      const path = pathOf({ route, isPublic }, context.settings)
      return (...parameters) => callTo(route, path, { isPublic, ...partsOf(...parameters) })
    },
  }
}

/** Of the public API. */
const PUBLIC_PREFIX = '/api/v1'

/** Returns the path that is sent, without the query. */
export function pathOf(
  { route, isPublic }: Pick<Endpoint, 'route' | 'isPublic'>,
  settings: VenueSettings,
): string {
  return `${isPublic ? PUBLIC_PREFIX : settings.prefix}${route.slice(route.indexOf('/'))}`
}

/** The most that is kept of unknown fields; an answer has a few hundred bytes. */
const MAX_LENGTH = 2_000
const LONGEST_NAME = 100
const LONGEST_VALUE = 300
const NO_FIELDS: readonly string[] = []

/**
 * Returns the fields of a body that are not in the contract as JSON text for the journal: fields that the schema lacks,
 * and those of `alsoSeen`, which only some implementations have. A long value is cut to a text, and beyond the maximum
 * length only the number of fields is kept, as `(more)`, so that the result is always whole JSON.
 */
export function unknownFields(
  body: Readonly<Record<string, unknown>>,
  schema: z.ZodObject,
  alsoSeen = NO_FIELDS,
): Answered {
  let found = ''
  let more = 0
  for (const name in body) {
    if (body[name] === undefined || (Object.hasOwn(schema.shape, name) && !alsoSeen.includes(name))) continue
    const field = `${JSON.stringify(name.slice(0, LONGEST_NAME))}:${valueText(body[name])}`
    if (found.length + field.length > MAX_LENGTH) more += 1
    else found += found === '' ? field : `,${field}`
  }
  if (more > 0) found += `${found === '' ? '' : ','}"(more)":${more}`
  return found === '' ? {} : { unknownFields: `{${found}}` }
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= LONGEST_VALUE ? text : JSON.stringify(`${text.slice(0, LONGEST_VALUE)}...`)
}
