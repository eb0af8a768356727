import { backoffMs } from '../base/backoff.ts'

/** After this many crashes in ten minutes restarting is no recovery any more. */
const MAX_CRASHES = 8
const CRASH_WINDOW_MS = 600_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000

/** Says how long to wait before the restart after a crash, or null when it is time to give up. */
export function createCrashBudget(now: () => number = Date.now): () => number | null {
  const crashes: number[] = []
  return () => {
    crashes.push(now())
    while (crashes[0] !== undefined && now() - crashes[0] > CRASH_WINDOW_MS) crashes.shift()
    if (crashes.length > MAX_CRASHES) return null
    return backoffMs(crashes.length, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
  }
}
