import { SECOND_MS, type Ms } from '../../../base/time.ts'
import type { HangWatch } from '../../../base/threads/pool.ts'
import { callUnderWay, WATCH_BYTES } from './watch-strategy.ts'

const LOOK_EVERY_MS = 200
/** Live, a second suffices; here other work may delay the thread for longer. */
const QUESTION_LIMIT_MS = 10 * SECOND_MS
/** Loading waits for files and compiles. */
const LOADING_LIMIT_MS = 60 * SECOND_MS

/** Reports a hanging call once and then stops watching. Returns the function that ends the watch. */
function watchForHang(buffer: SharedArrayBuffer, onHang: (why: string) => void, limitMs: Ms): () => void {
  let seen = { number: 0, since: 0 }
  const timer = setInterval(() => {
    const call = callUnderWay(buffer)
    const now = performance.now()
    if (call === null || call.number !== seen.number) {
      seen = { number: call?.number ?? 0, since: now }
      return
    }
    const limit = call.isLoading ? LOADING_LIMIT_MS : limitMs
    if (now - seen.since < limit) return
    clearInterval(timer)
    onHang(
      `the strategy did not come back within ${limit / SECOND_MS} s after ${call.what} (call ${call.number} of this run): it loops, or is too slow for the daemon, which suspends a position after 1 s`,
    )
  }, LOOK_EVERY_MS)
  return () => clearInterval(timer)
}

/** A hang is a strategy call that lasts longer than `limitMs`. */
export function hangWatch(limitMs: Ms): HangWatch {
  return { bytes: WATCH_BYTES, watch: (buffer, onHang) => watchForHang(buffer, onHang, limitMs) }
}

/** Watches every thread that runs a strategy for research. */
export const HANGS: HangWatch = hangWatch(QUESTION_LIMIT_MS)
