import { HOUR_MS, type Ms } from '../base/time.ts'
import type { ProblemLog } from './problem-log.ts'
import type { RateColumns } from './tape-batch.ts'

/** Without a rate for longer than this, nobody knows what the venue did. */
const GAP_MS = HOUR_MS

/** Tells as a problem where the rates of `tape` pause for more than an hour. Batches come in order. */
export function createGapWatch(tape: string, log: ProblemLog): (rates: RateColumns) => void {
  let last: Ms = Number.POSITIVE_INFINITY
  return ({ t }) => {
    // Not for-of: every rate of a tape passes here.
    for (let i = 0; i < t.length; i++) {
      const now = t[i] as number
      if (now - last > GAP_MS) {
        const [from, to] = [new Date(last).toISOString(), new Date(now).toISOString()]
        const hours = ((now - last) / HOUR_MS).toFixed(1)
        log.add('gap', {
          file: tape,
          at: `${from} to ${to}`,
          message: `no rate for ${hours} h`,
          skipped: 0,
        })
      }
      last = now
    }
  }
}
