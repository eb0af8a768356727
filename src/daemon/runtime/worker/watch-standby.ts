import { type Ms, SECOND_MS } from '../../../base/time.ts'
import { liftedNotice, type Notice, raisedNotice } from '../../notify/notice.ts'
import type { Log } from '../../telemetry/log/log.ts'
import { runEvery } from '../../../base/threads/timing.ts'

type WatchStandbyParts = {
  /** Whether a daemon stands by for the position that runs here. */
  readonly isStoodBy: () => boolean | Promise<boolean>
  readonly notify: (notice: Notice) => void
  readonly log: Pick<Log, 'warn' | 'info'>
  /** For tests. */
  readonly now?: () => Ms
}

const POLL_MS: Ms = 5 * SECOND_MS
/** Longer than a version upgrade or the move of a pod takes. */
const GONE_MS: Ms = 60 * SECOND_MS
const CODE = 'standby-gone'

/**
 * Reports when a position loses its standby: if this machine died now, no daemon would manage the quote. A position that never had a
 * standby is not reported. Returns the function that stops the watch.
 */
export function watchStandby({ isStoodBy, notify, log, now = Date.now }: WatchStandbyParts): () => void {
  let seenAt: Ms | null = null
  let isReported = false

  async function look(): Promise<void> {
    const t = now()
    if (await isStoodBy()) {
      seenAt = t
      if (isReported) lift(t)
    } else if (seenAt !== null && !isReported && t - seenAt >= GONE_MS) raise(t, seenAt)
  }

  function raise(t: Ms, since: Ms): void {
    isReported = true
    const text =
      'no daemon stands by for this position any longer: if this daemon died now, no other would take over'
    log.warn({ event: 'alert', code: CODE }, text)
    notify(raisedNotice(t, CODE, text, since))
  }

  function lift(t: Ms): void {
    isReported = false
    const text = 'a daemon stands by for this position again'
    log.info({ event: 'alert', code: CODE }, text)
    notify(liftedNotice(t, CODE, text))
  }

  const timer = runEvery(() => look(), POLL_MS).unref()
  return () => clearInterval(timer)
}
