import type { Ms } from '../../base/time.ts'
import type { Holding } from './holding.ts'

/** The signs of life of one holding. */
export type Renewing = {
  /** Called once, at once where it is too late: no sign of life was confirmed for too long, or somebody else was granted. */
  readonly onLost: (listener: (error: unknown) => void) => void
  readonly stop: () => void
}

/** A sign of life that is slow is sent again by itself, so that the next one waits for it. The first failure is final. */
export function renewEvery(renewMs: Ms, { renew, timing }: Pick<Holding, 'renew' | 'timing'>): Renewing {
  const lost = Promise.withResolvers<unknown>()
  let isRenewing = false
  const stop = timing.every(renewMs, () => {
    if (isRenewing) return
    isRenewing = true
    renew().then(
      () => (isRenewing = false),
      (error: unknown) => {
        stop()
        lost.resolve(error)
      },
    )
  })
  return { onLost: (listener) => void lost.promise.then(listener), stop }
}
