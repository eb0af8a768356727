import type { Ms } from '../base/time.ts'

/** Where the shell's time comes from. It never goes backwards and never stands still. */
export type Clock = { readonly now: () => Ms }

export type SystemClock = Clock & {
  /** From now on it is this late at least: what a journal has seen is past. */
  readonly notBefore: (t: Ms) => void
}

/** How fast time passes while we are ahead of the machine's clock, so that the two meet again. */
const PACE_AHEAD = 0.5

/**
 * The machine's clock, also when somebody sets it back: then time goes on from where it was, at half the pace
 * until the machine's clock has caught up. A clock that stood still instead would let no poll become due.
 */
export function systemClock(
  wallMs: () => Ms = Date.now,
  passedMs: () => number = () => performance.now(),
): SystemClock {
  let time: number = wallMs()
  let seen = passedMs()
  return {
    now() {
      const passed = passedMs()
      time = Math.max(wallMs(), time + (passed - seen) * PACE_AHEAD)
      seen = passed
      return Math.floor(time)
    },
    notBefore(t) {
      time = Math.max(time, t)
    },
  }
}
