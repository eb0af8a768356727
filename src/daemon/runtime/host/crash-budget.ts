import { backoffMs } from '../../../base/backoff.ts'
import type { Ms } from '../../../base/time.ts'

/** After more crashes than these in ten minutes the position is not restarted. */
const MAX_CRASHES = 8
const CRASH_WINDOW_MS: Ms = 600_000
const FIRST_PAUSE_MS: Ms = 250
const LONGEST_PAUSE_MS: Ms = 30_000

/** Returns a counter: each call counts one event and returns how many came within the last ten minutes. */
export function createRecentCount(now: () => number = Date.now): () => number {
  const times: number[] = []
  return () => {
    times.push(now())
    while (times[0] !== undefined && now() - times[0] > CRASH_WINDOW_MS) times.shift()
    return times.length
  }
}

/** Returns a function that returns the pause before the restart after a crash, in ms; null = give up. */
export function createCrashBudget(now: () => number = Date.now): () => Ms | null {
  const count = createRecentCount(now)
  return () => {
    const crashes = count()
    return crashes > MAX_CRASHES ? null : backoffMs(crashes, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
  }
}
