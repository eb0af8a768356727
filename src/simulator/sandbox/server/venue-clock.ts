import type { Ms } from '../../../base/time.ts'

/** Virtual time on a wall clock: start + (wall - wallStart) * speed + what was advanced by hand. */
export type VenueClock = {
  now(): Ms
  /** Moves time forward at once and wakes anyone who waited for a moment that has now passed. */
  advance(ms: Ms): void
  /** Resolves at that moment of virtual time; false when the clock was stopped before. */
  until(at: Ms): Promise<boolean>
  /** Wakes all waiters with `false`; later calls cannot wait. */
  stop(): void
}

/** The longest delay of setTimeout; a longer wait is split. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** `wallNow` must never go back (performance.now, not the time of day). Speed 0 = only `advance` moves it. */
export function createVenueClock(start: Ms, speed: number, wallNow: () => Ms): VenueClock {
  const wallStart = wallNow()
  let advanced = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const waiting = new Set<{ readonly at: Ms; readonly wake: (reached: boolean) => void }>()
  const now = () => start + advanced + Math.floor((wallNow() - wallStart) * speed)
  const wakeDue = () => {
    const reached = now()
    let next = Number.POSITIVE_INFINITY
    for (const waiter of waiting) {
      if (waiter.at <= reached) {
        waiting.delete(waiter)
        waiter.wake(true)
      } else {
        next = Math.min(next, waiter.at)
      }
    }
    clearTimeout(timer)
    if (speed > 0 && Number.isFinite(next)) {
      timer = setTimeout(wakeDue, Math.min(MAX_TIMER_MS, Math.max(1, (next - reached) / speed)))
    }
  }
  return {
    now,
    advance(ms) {
      advanced += ms
      wakeDue()
    },
    until(at) {
      if (stopped) return Promise.resolve(false)
      return new Promise((resolve) => {
        waiting.add({ at, wake: resolve })
        wakeDue()
      })
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      for (const waiter of waiting) waiter.wake(false)
      waiting.clear()
    },
  }
}
