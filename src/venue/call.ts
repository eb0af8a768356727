import type { Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'

/** A request to the venue as data, ready for HTTP or for a venue model without it. */
export type VenueRequest = {
  /** Method and the contract's path, without the prefix: what logs and metrics call it. */
  readonly route: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** As sent, with the prefix, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Undefined = no body. */
  readonly body?: unknown
}

/** What a translation may look at beside the body. */
export type ReplyFacts = {
  readonly status: number
  /** By which the venue took the request. */
  readonly method: VenueRequest['method']
  /** The Date header; null where it is missing or no date. */
  readonly venueTime: Ms | null
  /** The body's text where it came as text; null where it came as an object. */
  readonly text: string | null
}

/** A request together with how its answer is read and what its silence would mean. */
export type VenueCall<Answer> = VenueRequest & {
  /** No key is sent. */
  readonly isPublic: boolean
  /** The venue may have done something even though no answer came. */
  readonly isWrite: boolean
  /** Sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean
  /** Waits for the chain. */
  readonly isSlow: boolean
  /** An answer without a body is a good one. */
  readonly mayBeEmpty: boolean
  /** The answer, or in a sentence why the body is none. Never throws. */
  readonly translate: (body: unknown, facts: ReplyFacts) => Result<Answer, string>
  /** An answer that is the same body as one translated before; null = not known. */
  readonly recall?: (body: unknown) => Answer | null
  /** A refusal that is an answer of its own; null = it is a refusal. */
  readonly answerOfRefusal?: (status: number, words: string) => Answer | null
  /** What a refusal without a code means on this route; null = what its status means on every route. */
  readonly codeOfRefusal?: (status: number, fields: Readonly<Record<string, unknown>>) => string | null
}

/** What came back. `body` is a string for text as received, anything else for parsed JSON. */
export type VenueReply = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
  /** Our clock; only a Retry-After date without a Date header needs it. */
  readonly receivedAt: Ms
}

type Method = VenueRequest['method']

/** The methods that change something; a read never becomes a write. */
const WRITES: readonly Method[] = ['PATCH', 'POST', 'PUT']
/** What is tried where the venue names no method at all. */
const UNNAMED: Readonly<Partial<Record<Method, readonly Method[]>>> = { POST: ['PATCH'], PATCH: ['POST'] }

/**
 * Whether another method may be tried: a 405 says that the request had no effect. Only for writes that may be repeated,
 * for an answer that lies must not make a withdrawal happen twice.
 */
export function mayTryAnotherMethod(
  call: VenueCall<unknown>,
  { status }: Pick<VenueReply, 'status'>,
): boolean {
  return status === 405 && call.isWrite && call.isRepeatable
}

/** The methods that an Allow header names, in capitals; null where there is no such header. */
export function allowedMethods({ headers }: Pick<VenueReply, 'headers'>): readonly string[] | null {
  const allow = headers['allow'] ?? []
  const names = (typeof allow === 'string' ? allow : allow.join(',')).split(',').map((name) => name.trim())
  const given = names.filter((name) => name !== '')
  return given.length === 0 ? null : given.map((name) => name.toUpperCase())
}

/** The write that stands in for the refused one: one of `allowed`, or the other of POST and PATCH where that is null. */
export function otherMethod(
  { method: refused }: Pick<VenueRequest, 'method'>,
  allowed: readonly string[] | null,
): Method | null {
  const names = allowed ?? UNNAMED[refused] ?? []
  return WRITES.find((method) => method !== refused && names.includes(method)) ?? null
}

/** Which method the venue takes by path, where it is another than the contract's. */
export type MethodMemory = {
  /** The call as the venue takes it, as far as is known. */
  readonly apply: <Answer>(call: VenueCall<Answer>) => VenueCall<Answer>
  /** From now on by this method. */
  readonly learn: (call: VenueCall<unknown>, method: Method) => void
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
    },
  }
}

/** The same call by another method, named so in logs and metrics. */
export function withMethod<Answer>(call: VenueCall<Answer>, method: Method): VenueCall<Answer> {
  if (method === call.method) return call
  return { ...call, method, route: call.route.replace(call.method, method) }
}
