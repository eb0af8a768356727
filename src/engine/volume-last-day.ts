import { MINUTE_MS, DAY_MS, type Ms } from '../base/time.ts'
import type { Side } from '../money/side.ts'
import type { FlowState } from './model/state.ts'
import { BUCKET_MS } from './count-fill.ts'

/** Fills seen in the last minute. */
export function fillsLastMinute(flow: FlowState, now: Ms): number {
  let count = 0
  for (const fill of flow.recent) {
    if (now - fill.at >= MINUTE_MS) break
    count += 1
  }
  return count
}

/** Dollars per side over a rolling day; the oldest five minutes count whole, which errs on the safe side. */
export function volumeLastDay(flow: FlowState, now: Ms): Readonly<Record<Side, bigint>> {
  const { buckets, day } = flow
  for (let oldest = buckets[0]; oldest !== undefined; oldest = buckets[0]) {
    if (oldest.at + BUCKET_MS + DAY_MS > now) break
    day.bid -= oldest.bid
    day.ask -= oldest.ask
    buckets.shift()
  }
  return day
}
