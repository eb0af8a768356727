import { backoffMs } from '../../../base/backoff.ts'
import { HOUR_MS, MINUTE_MS, type Ms, SECOND_MS } from '../../../base/time.ts'
import type { Delivery } from '../message/message.ts'
import { messageTime } from '../message/message-text.ts'

export type BackoffSettings = { readonly firstMs: Ms; readonly longestMs: Ms; readonly refusedMs: Ms }

export const BACKOFF: BackoffSettings = {
  firstMs: SECOND_MS,
  longestMs: 2 * MINUTE_MS,
  refusedMs: 5 * MINUTE_MS,
}

const LONGEST_REFUSED_MS = 60 * MINUTE_MS

/**
 * Returns the pause after this many consecutive failures: doubled each time, drawn from the upper half so that many daemons do not return
 * together, and never shorter than the channel requests. A channel that refuses permanently is retried even less often: an operator has to
 * fix it.
 */
export function backoff(
  delivery: Exclude<Delivery, { outcome: 'sent' }>,
  failures: number,
  random: () => number,
  { firstMs, longestMs, refusedMs }: BackoffSettings,
): Ms {
  const spread = (ms: Ms) => ms * (0.5 + random() / 2)
  if (delivery.outcome === 'retry')
    return Math.max(delivery.afterMs ?? 0, spread(backoffMs(failures, firstMs, longestMs)))
  if (delivery.isContent) return spread(firstMs)
  return spread(backoffMs(failures, refusedMs, LONGEST_REFUSED_MS))
}

/** Limits the messages in any hour. A fifth is reserved for urgent ones. */
export type HourlyLimit = {
  readonly allows: (now: Ms, isUrgent: boolean) => boolean
  readonly note: (now: Ms) => void
}

const KEPT_SHARE = 0.2

export function hourlyLimit(maxPerHour: number): HourlyLimit {
  const sent: Ms[] = []
  const ordinary = maxPerHour - Math.floor(maxPerHour * KEPT_SHARE)

  /** Also drops times in the future, left by a clock that was set back. */
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

/** From one minute of the day to another, possibly on the next day; equal ones mean no quiet hours. */
export type QuietHours = { readonly fromMinute: number; readonly toMinute: number }

/** Whether the local time in the zone is within those hours. */
export function isQuietAt({ fromMinute, toMinute }: QuietHours, t: Ms, timezone: string): boolean {
  const { minuteOfDay } = messageTime(t, timezone)
  return fromMinute <= toMinute
    ? minuteOfDay >= fromMinute && minuteOfDay < toMinute
    : minuteOfDay >= fromMinute || minuteOfDay < toMinute
}
