import type { Ms } from '../../base/time.ts'
import type { Holding } from './holding.ts'

/** The renewals of one holding. */
export type Renewing = {
  /** Called once, also for a late subscriber: no renewal was confirmed in time, or another daemon was granted. */
  readonly onLost: (listener: (error: unknown) => void) => void
  readonly stop: () => void
}

/** The loop counts every 200 ms, or later if its journal waits for a slow PostgreSQL. */
const LOOKS_AGAIN_MS: Ms = 100

/**
 * Renews at once, because the answer to the grant may have been slow and its age counts from before the request; then
 * every `renewMs`. A slow renewal is retried, and the one that fell due meanwhile follows at once: an interval later no
 * time would remain for the safe quote. For the same reason a renewal that a silent loop blocked is sent as soon as the
 * loop counts. The first failure is final.
 */
export function renewEvery(renewMs: Ms, { renew, timing }: Pick<Holding, 'renew' | 'timing'>): Renewing {
  const lost = Promise.withResolvers<unknown>()
  let isRenewing = false
  let isDue = true
  let isStopped = false
  let stopLooking = (): void => undefined
  const cancel = timing.every(renewMs, () => {
    isDue = true
    if (!isRenewing) next()
  })

  function next(): void {
    if (!isDue || isStopped) return
    isDue = false
    isRenewing = true
    stopLooking()
    renew().then(
      (isSent) => {
        isRenewing = false
        if (!isSent && !isStopped) stopLooking = timing.after(LOOKS_AGAIN_MS, lookAgain)
        else next()
      },
      (error: unknown) => {
        // If renewing was stopped, the caller releases the position, so its loss does not matter.
        if (isStopped) return
        stop()
        lost.resolve(error)
      },
    )
  }

  function lookAgain(): void {
    isDue = true
    next()
  }

  function stop(): void {
    isStopped = true
    cancel()
    stopLooking()
  }

  next()
  return { onLost: (listener) => void lost.promise.then(listener), stop }
}
