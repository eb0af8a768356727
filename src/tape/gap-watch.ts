import { HOUR_MS, type Ms } from '../base/time.ts'
import type { RateColumns } from './tape-batch.ts'

/** Without a rate for longer than this, nobody knows what the venue did. */
const GAP_MS = HOUR_MS

export type Gap = { readonly from: Ms; readonly to: Ms }

/** Calls `onGap` where the rates of a tape pause for more than an hour. Batches come in order. */
export function createGapWatch(onGap: (gap: Gap) => void): (rates: RateColumns) => void {
  let last: Ms = Number.POSITIVE_INFINITY
  return ({ t }) => {
    // Not for-of: every rate of a tape passes here.
    for (let i = 0; i < t.length; i++) {
      const now = t[i] as number
      if (now - last > GAP_MS) onGap({ from: last, to: now })
      last = now
    }
  }
}
