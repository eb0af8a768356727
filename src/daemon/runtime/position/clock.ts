import { MINUTE_MS, type Ms } from '../../../base/time.ts'

/** The source of the shell's time. It never goes backwards and never stops. */
export type Clock = { readonly now: () => Ms }

export type SystemClock = Clock & {
  /** Sets the earliest time from now on: the events in the journal are past. */
  readonly notBefore: (t: Ms) => void
  /** Continues from an earlier time than the machine's clock shows. */
  readonly setBack: (t: Ms) => void
  /** The machine's clock as it is, right or wrong. */
  readonly wall: () => Ms
  /**
   * Called once when the machine's clock has jumped away from the time that passed, with how much it is ahead of
   * ours, and once with 0 when it is back. One listener; null removes it.
   */
  readonly onJump: (listener: ((aheadMs: Ms) => void) | null) => void
}

/** How fast time passes while we are ahead of the machine's clock, so that the two meet again. */
const PACE_AHEAD = 0.5
/** And while we are behind it. */
const PACE_BEHIND = 1.5
/** Rounding and the slewing of a time service explain a difference up to here. */
const AT_ONCE_MS = 1_000
/** A difference up to here is made up for. A larger one is a clock that was set, and is not followed. */
const JUMP_MS = MINUTE_MS

/**
 * The time since the start by the monotonic clock, held to the machine's clock while the two differ by less than a
 * minute: behind it time passes half as fast again, ahead of it at half the pace. A machine's clock that jumps
 * further is reported and not followed, forward or backward: orders, windows and ages go on as they were, and when
 * it comes back nothing has to wait for it. A restart begins as `beginClock` describes.
 */
export function systemClock(
  wallMs: () => Ms = Date.now,
  passedMs: () => number = () => performance.now(),
): SystemClock {
  let time: number = wallMs()
  let seen = passedMs()
  let isApart = false
  let jumpListener: ((aheadMs: Ms) => void) | null = null

  function note(aheadMs: Ms): void {
    const apart = Math.abs(aheadMs) > JUMP_MS
    if (apart === isApart || jumpListener === null) return
    isApart = apart
    const [listener, jumpMs] = [jumpListener, apart ? Math.round(aheadMs) : 0]
    // The caller asked for the time in the middle of its work.
    queueMicrotask(() => listener(jumpMs))
  }

  return {
    now() {
      const passed = passedMs()
      const step = passed - seen
      seen = passed
      const wall = wallMs()
      const ahead = wall - (time + step)
      if (Math.abs(ahead) > JUMP_MS) time += step
      else if (ahead < 0) time = Math.max(wall, time + step * PACE_AHEAD)
      else if (ahead <= AT_ONCE_MS) time = wall
      else time = Math.min(wall, time + step * PACE_BEHIND)
      note(wall - time)
      return Math.floor(time)
    },
    notBefore(t) {
      time = Math.max(time, t)
    },
    setBack(t) {
      time = t
    },
    wall: wallMs,
    onJump(listener) {
      jumpListener = listener
    },
  }
}

/**
 * Begins where the journal ends, `lastMs`, or with the machine's clock if that is later. A clock that is ahead would let waiting
 * times pass, so where it is later by more than a minute it does not outrun the venue's. Null = no time of the venue is known.
 */
export async function beginClock(clock: SystemClock, lastMs: Ms, venueTime: () => Promise<Ms | null>) {
  const shown = clock.now() - lastMs > JUMP_MS ? await venueTime() : null
  if (shown !== null && clock.now() - shown > JUMP_MS) clock.setBack(shown)
  clock.notBefore(lastMs)
}
