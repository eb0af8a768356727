import { MINUTE_MS, SECOND_MS, type Ms } from '../base/time.ts'

/** How long to wait after so many activations in a row without a clear yes: 2 s, doubling to a minute. */
export function activationPause(failures: number): Ms {
  return Math.min(MINUTE_MS, 2 * SECOND_MS * 2 ** Math.min(Math.max(0, failures - 1), 5))
}
