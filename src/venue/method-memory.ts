import type { Ms } from '../base/time.ts'
import type { Result } from '../base/result.ts'
import type { VenueFailure } from '../core/engine/model/venue-answer.ts'
import { allowedMethods, otherMethod } from '../base/http/methods.ts'
import type { VenueCall, VenueReply, VenueRequest } from './call.ts'

type Method = VenueRequest['method']
type Answered<Answer> = Promise<Result<Answer, VenueFailure>>

/** Status codes by which the venue rejects the path or the method. */
const NOT_TAKEN: readonly number[] = [404, 405, 501]

/** The methods that the venue accepts, by path, if they differ from the contract. */
export type MethodMemory = {
  /** Returns the call with the known method. */
  readonly apply: <Answer>(call: VenueCall<Answer>) => VenueCall<Answer>
  /** Returns when requests left that no call asked for, since this was last called. */
  readonly takeAlsoSent: () => readonly Ms[]
  /** Sets a method that the venue accepted before this process. */
  readonly remember: (path: string, method: Method) => void
  /**
   * Retries a write once after a 405, which means that the request had no effect. The method comes from the Allow header of the
   * 405, else from the answer to OPTIONS; if neither names one, POST and PATCH replace each other. Returns null if no method
   * remains or the write is not repeatable: a false 405 must not cause a second withdrawal.
   */
  readonly tryAnother: <Answer>(
    call: VenueCall<Answer>,
    refusal: Pick<VenueReply, 'status' | 'headers'>,
    retry: MethodRetry,
  ) => Promise<Result<Answer, VenueFailure> | null>
}

/** How a refused write is sent again. */
export type MethodRetry = {
  readonly send: <Answer>(call: VenueCall<Answer>) => Answered<Answer>
  /** Returns the answer to OPTIONS at the path of a call, which changes nothing; null = no answer. */
  readonly options: (call: VenueCall<unknown>) => Promise<Pick<VenueReply, 'headers'> | null>
}

/** Calls `onMethod` once for each new method of a route. */
export function createMethodMemory(
  now: () => Ms,
  onMethod: ((route: string, method: string) => void) | undefined,
): MethodMemory {
  const alsoSent: Ms[] = []
  const methods = new Map<string, Method>()
  const reported = new Set<string>()

  function learn(call: VenueCall<unknown>, method: Method): void {
    methods.set(call.path, method)
    const news = `${method} ${call.path}`
    if (!reported.has(news)) onMethod?.(call.route, method)
    reported.add(news)
  }

  return {
    takeAlsoSent: () => alsoSent.splice(0),
    remember: (path, method) => void methods.set(path, method),
    apply: (call) => withMethod(call, methods.get(call.path) ?? call.method),
    async tryAnother(call, refusal, { send, options }) {
      if (refusal.status !== 405 || !call.isWrite || !call.isRepeatable) return null
      const named = allowedMethods(refusal)
      if (named === null) alsoSent.push(now())
      const answered = named === null ? await options(call) : null
      const method = otherMethod(call.method, named ?? (answered === null ? null : allowedMethods(answered)))
      if (method === null) return null
      alsoSent.push(now())
      const answer = await send(withMethod(call, method))
      const status = answer.ok ? 200 : answer.error.status
      if (status !== null && !NOT_TAKEN.includes(status)) learn(call, method)
      return answer
    },
  }
}

/** Returns the call with another method, also in its route for logs and metrics. */
function withMethod<Answer>(call: VenueCall<Answer>, method: Method): VenueCall<Answer> {
  if (method === call.method) return call
  return { ...call, method, route: call.route.replace(call.method, method) }
}
