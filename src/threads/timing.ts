import type { Ms } from '../base/time.ts'
import { momentNow } from './moment-now.ts'

/** Time as a shell has it: what it measures with, and what it waits with. A simulation has one of its own. */
export type Timing = {
  readonly moment: typeof momentNow
  /** Runs once after so much time; the returned function prevents it. */
  readonly after: (ms: Ms, run: () => void) => () => void
  /** Runs again and again, until the returned function is called. */
  readonly every: (ms: Ms, run: () => void) => () => void
}

export const SYSTEM_TIMING: Timing = {
  moment: momentNow,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  every(ms, run) {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
}

/** Resolves after so much time, or as soon as the signal ends the wait. */
export function pauseFor({ after }: Pick<Timing, 'after'>, ms: Ms, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = after(ms, end)
    signal?.addEventListener('abort', end)
  })
}
