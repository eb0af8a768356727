import { backoffMs } from '../base/backoff.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'
import type { Delivery } from './message.ts'

export type BackoffSettings = { readonly firstMs: Ms; readonly longestMs: Ms; readonly refusedMs: Ms }

export const BACKOFF: BackoffSettings = {
  firstMs: SECOND_MS,
  longestMs: 2 * MINUTE_MS,
  refusedMs: 5 * MINUTE_MS,
}

const LONGEST_REFUSED_MS = 60 * MINUTE_MS

/**
 * How long to leave a channel alone after so many failures in a row: twice as long each time, drawn from the
 * upper half so that many daemons do not come back together, and never shorter than the channel asks for. A
 * channel that says no for good is asked less often still: a person has to mend it.
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
