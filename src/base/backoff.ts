import type { Ms } from './time.ts'

/** Returns the pause after the n-th failure in a row, from 1: `firstMs`, doubled each time up to `longestMs`. */
export function backoffMs(failures: number, firstMs: Ms, longestMs: Ms): Ms {
  // 2^40 milliseconds exceed any limit; a larger power could be Infinity.
  return Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 40))
}
