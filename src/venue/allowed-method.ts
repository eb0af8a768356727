import type { VenueCall, VenueReply, VenueRequest } from './call.ts'

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

/** Which method the venue takes by path, where it is another than the contract's. */
export type MethodMemory = {
  /** The call as the venue takes it, as far as is known. */
  readonly apply: <Answer>(call: VenueCall<Answer>) => VenueCall<Answer>
  /** From now on by this method; the call by it. */
  readonly learn: <Answer>(call: VenueCall<Answer>, method: Method) => VenueCall<Answer>
}

/** `onMethod` is told once of each method of a route, however often a venue changes its mind. */
export function createMethodMemory(
  onMethod: ((route: string, method: string) => void) | undefined,
): MethodMemory {
  const methods = new Map<string, Method>()
  const told = new Set<string>()
  return {
    apply: (call) => withMethod(call, methods.get(call.path) ?? call.method),
    learn(call, method) {
      methods.set(call.path, method)
      const news = `${method} ${call.path}`
      if (!told.has(news)) onMethod?.(call.route, method)
      told.add(news)
      return withMethod(call, method)
    },
  }
}

/** The same call by another method, named so in logs and metrics. */
function withMethod<Answer>(call: VenueCall<Answer>, method: Method): VenueCall<Answer> {
  if (method === call.method) return call
  return { ...call, method, route: call.route.replace(call.method, method) }
}
