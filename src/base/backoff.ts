import type { Ms } from './time.ts'

/** The pause after the n-th failure in a row, n = 1 for the first: `firstMs`, then twice as long each time up to `longestMs`. */
export function backoffMs(failures: number, firstMs: Ms, longestMs: Ms): Ms {
  // 2^40 times a millisecond is beyond any limit; a larger power would end as Infinity.
  return Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 40))
}
