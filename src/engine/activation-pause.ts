import { backoffMs } from '../base/backoff.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'

/** How long to wait after so many activations in a row without a clear yes: 2 s, doubling to a minute. */
export function activationPause(failures: number): Ms {
  return backoffMs(failures, 2 * SECOND_MS, MINUTE_MS)
}
