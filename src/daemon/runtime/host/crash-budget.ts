import { backoffMs } from '../../../base/backoff.ts'
import type { Ms } from '../../../base/time.ts'

/** With more crashes than these in ten minutes a restart is no recovery any longer. */
const MAX_CRASHES = 8
const CRASH_WINDOW_MS: Ms = 600_000
const FIRST_PAUSE_MS: Ms = 250
const LONGEST_PAUSE_MS: Ms = 30_000

/** How often something happened within the last ten minutes, this time included. */
export function createRecentCount(now: () => number = Date.now): () => number {
  const times: number[] = []
  return () => {
    times.push(now())
    while (times[0] !== undefined && now() - times[0] > CRASH_WINDOW_MS) times.shift()
    return times.length
  }
}

/** Returns the pause before the restart after a crash, or null when it is time to give up. */
export function createCrashBudget(now: () => number = Date.now): () => Ms | null {
  const count = createRecentCount(now)
  return () => {
    const crashes = count()
    return crashes > MAX_CRASHES ? null : backoffMs(crashes, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
  }
}
