import { MINUTE_MS, type Ms } from '../../../base/time.ts'

/** The source of the shell's time. It never goes backwards and never stops. */
export type Clock = { readonly now: () => Ms }

export type SystemClock = Clock & {
  /** Sets the earliest time from now on: the events in the journal are past. */
  readonly notBefore: (t: Ms) => void
  /** Continues from an earlier time than the machine's clock shows. */
  readonly setBack: (t: Ms) => void
  /** The machine's clock, right or wrong. */
  readonly wall: () => Ms
  /**
   * Called once when the machine's clock jumps, with how far it is ahead of ours, and once with 0 when it is back. One listener; null
   * removes it.
   */
  readonly onJump: (listener: ((aheadMs: Ms) => void) | null) => void
}

/** The pace of our time while we are ahead of the machine's clock, so that the two converge. */
const PACE_AHEAD = 0.5
/** The pace while we are behind it. */
const PACE_BEHIND = 1.5
/** Rounding and the slewing of a time service explain a difference up to here. */
const AT_ONCE_MS = 1_000
/** A difference up to here is corrected. A larger one means that the clock was set; it is not followed. */
const JUMP_MS = MINUTE_MS

/**
 * The monotonic time since the start, slewed to the machine's clock while the two differ by less than a minute: time runs at 1.5 times the
 * pace when behind, at half when ahead. A larger jump of the machine's clock is reported but not followed in either direction: orders,
 * windows and ages are unaffected, and nothing has to wait when the clock returns. `beginClock` describes a restart.
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
    // Notify later: the caller is in the middle of its work.
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
 * Starts the clock at the later of the journal's end, `lastMs`, and the machine's clock. A clock that is ahead would let waiting times
 * pass, so if it is more than a minute later, it is limited by the venue's clock. `venueTime` resolves with null if that is unknown.
 */
export async function beginClock(clock: SystemClock, lastMs: Ms, venueTime: () => Promise<Ms | null>) {
  const shown = clock.now() - lastMs > JUMP_MS ? await venueTime() : null
  if (shown !== null && clock.now() - shown > JUMP_MS) clock.setBack(shown)
  clock.notBefore(lastMs)
}
