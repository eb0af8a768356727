import type { VenueCall, VenueReply, VenueRequest } from './venue-call.ts'

type Method = VenueRequest['method']

/** The methods that change something; a read never becomes a write. */
const WRITES: readonly Method[] = ['PATCH', 'POST', 'PUT']

/**
 * The method that the venue takes instead: its 405 says that the request had no effect, and names what it allows.
 * Only for writes that may be repeated, for an answer that lies must not make a withdrawal happen twice. Null =
 * there is none to take.
 */
export function allowedMethod(
  call: VenueCall<unknown>,
  { status, headers }: Pick<VenueReply, 'status' | 'headers'>,
): Method | null {
  if (status !== 405 || !call.isWrite || !call.isRepeatable) return null
  const allow = headers['allow']
  const names = (typeof allow === 'string' ? allow : (allow ?? []).join(','))
    .split(',')
    .map((name) => name.trim().toUpperCase())
  return WRITES.find((method) => method !== call.method && names.includes(method)) ?? null
}

/** The same call by another method, named so in logs and metrics. */
export function withMethod<Answer>(call: VenueCall<Answer>, method: Method): VenueCall<Answer> {
  if (method === call.method) return call
  return { ...call, method, route: call.route.replace(call.method, method) }
}
