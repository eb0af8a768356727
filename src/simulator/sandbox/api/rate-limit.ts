import { MINUTE_MS, type Ms } from '../../../base/time.ts'

/** A sliding minute per caller. Refused requests do not count against the caller. */
export type RateLimit = {
  /** Returns 0 and counts the request if it is allowed; otherwise the whole seconds to wait. */
  take(caller: string, now: Ms): number
}

export function createRateLimit(perMinute: number): RateLimit {
  const taken = new Map<string, Ms[]>()
  const recent = (caller: string, now: Ms): Ms[] => {
    let times = taken.get(caller)
    if (times === undefined) {
      times = []
      taken.set(caller, times)
    }
    while (times.length > 0 && (times[0] as Ms) <= now - MINUTE_MS) times.shift()
    return times
  }
  return {
    take(caller, now) {
      const times = recent(caller, now)
      if (times.length < perMinute) {
        times.push(now)
        return 0
      }
      return Math.max(1, Math.ceil(((times[0] as Ms) + MINUTE_MS - now) / 1_000))
    },
  }
}
