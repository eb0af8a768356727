import { errorText } from '../../base/result.ts'
import { HOUR_MS, MINUTE_MS, type Ms } from '../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Notice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import type { KeptFile } from './kept-file.ts'
import type { ReviewThreads } from './review-thread.ts'
import { runAfter } from '../../threads/timing.ts'

export type ReviewParts = {
  /** What runs now. */
  readonly config: () => LoadedConfig
  readonly now: () => Ms
  readonly threads: Pick<ReviewThreads, 'run'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly metrics: Pick<Metrics, 'alerts'>
  readonly notify: (notice: Notice) => void
  /** Only a test waits less. */
  readonly everyMs?: Ms
  readonly firstAfterMs?: Ms
}

/** A comparison of a position that is repeated while it runs. */
export type RunningReview<View> = {
  /** Null = nothing is compared, or nothing was yet. */
  readonly view: () => View | null
  readonly close: () => void
}

/** After a start the daemon has other things to do first. */
const FIRST_AFTER_MS = MINUTE_MS

/** Does the work once an hour, one at a time; after a restart not before an hour has passed since `lastAt`. */
export function repeatReview(
  work: () => Promise<void>,
  { now, everyMs = HOUR_MS, firstAfterMs = FIRST_AFTER_MS, log }: ReviewParts,
  lastAt: Ms | null,
): { readonly stop: () => void } {
  // A time of the future is of a clock that was set back.
  const isKnown = lastAt !== null && lastAt <= now()
  const first = isKnown ? Math.max(firstAfterMs, lastAt + everyMs - now()) : firstAfterMs
  let timer = runAfter(() => run(), first).unref()
  let isStopped = false
  async function run(): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn(
        { event: 'review', err: error },
        'a comparison broke; trading continues, and it is tried again',
      )
    }
    if (!isStopped) timer = runAfter(() => run(), everyMs).unref()
  }
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** What is not kept is compared again after a restart; an alert that stands would then be raised a second time. */
export async function keepReview<Kept>(
  file: KeptFile<Kept>,
  kept: Kept,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  try {
    await file.write(kept)
  } catch (error) {
    log.warn({ event: 'review' }, `a comparison cannot be kept: ${errorText(error)}`)
  }
}
