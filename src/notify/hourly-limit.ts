import { HOUR_MS, type Ms } from '../base/time.ts'

/** So many messages in any hour. A fifth of them is kept for what is urgent. */
export type HourlyLimit = {
  readonly allows: (now: Ms, isUrgent: boolean) => boolean
  readonly note: (now: Ms) => void
}

const KEPT_SHARE = 0.2

export function hourlyLimit(maxPerHour: number): HourlyLimit {
  const sent: Ms[] = []
  const ordinary = maxPerHour - Math.floor(maxPerHour * KEPT_SHARE)

  /** A clock that was set back leaves times ahead of it: they are forgotten as well. */
  function forget(now: Ms): void {
    const kept = sent.filter((t) => t > now - HOUR_MS && t <= now)
    sent.splice(0, sent.length, ...kept)
  }

  return {
    allows(now, isUrgent) {
      forget(now)
      return sent.length < (isUrgent ? maxPerHour : ordinary)
    },
    note: (now) => void sent.push(now),
  }
}
