import type { Ms } from '../time.ts'
import { errorText } from '../result.ts'
import { momentNow } from './moment-now.ts'

/** The clock and timers of a shell; a simulation provides its own. */
export type Timing = {
  readonly moment: typeof momentNow
  /** Runs once after `ms`; the returned function cancels it. */
  readonly after: (ms: Ms, run: () => void) => () => void
  /** Runs every `ms` until the returned function is called. */
  readonly every: (ms: Ms, run: () => void) => () => void
}

/** Node's timers end at 2^31 - 1 ms; longer ones fire at once. */
const LONGEST_TIMER_MS: Ms = 2 ** 31 - 1

/** A timer that fails every time is reported this often. */
const REPORT_EVERY_MS: Ms = 60_000
const reported = { text: '', untilMs: 0 }
let take = (error: unknown): void => process.emitWarning(error instanceof Error ? error : String(error))

/** Reports faults of this thread's timers to `taker`; until it is called Node prints them as warnings. */
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
 * Like `setTimeout`, for any duration. Every timer of the daemon starts here or in `runEvery`: exceptions and
 * rejections of its callback are reported and do not end the thread.
 */
export function runAfter(run: () => unknown, ms: Ms): NodeJS.Timeout {
  // `refresh` repeats the same wait, so a long wait is divided into equal parts.
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

/** Runs the callback now; exceptions and rejections are reported like a timer's. */
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

/** Resolves after `ms`, or as soon as the signal aborts. */
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

/** Resolves once the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
