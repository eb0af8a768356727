import type { Ms } from '../time.ts'
import { errorText } from '../result.ts'
import { momentNow } from './moment-now.ts'

/** A shell's clock and timers. A simulation has its own. */
export type Timing = {
  readonly moment: typeof momentNow
  /** Runs once after so much time; the returned function prevents it. */
  readonly after: (ms: Ms, run: () => void) => () => void
  /** Runs again and again, until the returned function is called. */
  readonly every: (ms: Ms, run: () => void) => () => void
}

/** Node's timers end at 2^31 - 1 ms and fire at once beyond. */
const LONGEST_TIMER_MS: Ms = 2 ** 31 - 1

/** A timer that fails each time is reported this often. */
const REPORT_EVERY_MS: Ms = 60_000
const reported = { text: '', untilMs: 0 }
let take = (error: unknown): void => process.emitWarning(error instanceof Error ? error : String(error))

/** From here on faults of timers of this thread go to `taker`; without a call Node prints them as warnings. */
export function onTimerFault(taker: (error: unknown) => void): void {
  take = taker
}

function report(error: unknown): void {
  const [text, nowMs] = [errorText(error), performance.now()]
  if (text === reported.text && nowMs < reported.untilMs) return
  Object.assign(reported, { text, untilMs: nowMs + REPORT_EVERY_MS })
  take(error)
}

/**
 * Like `setTimeout`, for any duration. Every timer of the daemon starts here or in `runEvery`: what its callback throws, or
 * rejects with, is reported and ends no thread.
 */
export function runAfter(run: () => unknown, ms: Ms): NodeJS.Timeout {
  // `refresh` repeats the same wait, so that a long one is divided into equal parts.
  let parts = Math.max(1, Math.ceil(ms / LONGEST_TIMER_MS))
  const timer = setTimeout(() => {
    parts -= 1
    if (parts > 0) timer.refresh()
    else runCaught(run)
  }, ms / parts)
  return timer
}

/** Like `setInterval`; see `runAfter`. */
export function runEvery(run: () => unknown, ms: Ms): NodeJS.Timeout {
  const parts = Math.max(1, Math.ceil(ms / LONGEST_TIMER_MS))
  let passed = 0
  return setInterval(() => {
    passed += 1
    if (passed % parts === 0) runCaught(run)
  }, ms / parts)
}

/** Runs it now. Exceptions and rejections are reported like those of a timer. */
export function runCaught(run: () => unknown): void {
  try {
    const outcome = run()
    if (outcome instanceof Promise) outcome.catch((error: unknown) => report(error))
  } catch (error) {
    report(error)
  }
}

export const SYSTEM_TIMING: Timing = {
  moment: momentNow,
  after(ms, run) {
    const timer = runAfter(run, ms)
    return () => clearTimeout(timer)
  },
  every(ms, run) {
    const timer = runEvery(run, ms)
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

/** Resolves once the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
