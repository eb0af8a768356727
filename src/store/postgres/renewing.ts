import type { Ms } from '../../base/time.ts'
import type { Holding } from './holding.ts'

/** The signs of life of one holding. */
export type Renewing = {
  /** Called once, at once where it is too late: no sign of life was confirmed for too long, or someone else was granted. */
  readonly onLost: (listener: (error: unknown) => void) => void
  readonly stop: () => void
}

/** The loop counts every 200 ms, and later where its journal waits for a slow PostgreSQL. */
const LOOKS_AGAIN_MS: Ms = 100

/**
 * A sign of life at once, because the answer to the grant may have been slow and its age counts from before it was asked for; then one each
 * `renewMs`. One that is slow is sent again by itself; the next one, which was due meanwhile, follows it at once:
 * a whole interval later there would be no time left to send the safe quote. For the same reason one that a silent loop did not
 * allow leaves as soon as the loop counts. The first failure is final.
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
        // If the renewing was stopped, the caller is releasing the position, so its loss does not matter.
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
