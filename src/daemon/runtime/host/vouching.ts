import type { Ms } from '../../../base/time.ts'

/** The state of a position's loop. */
export type Beat = {
  readonly position: string
  /** The number of its loop's last event on disk; null = the position does not answer. */
  readonly durableSeq: number | null
  /** Why it ended permanently; null = it has not. */
  readonly ended: string | null
}

/** Returns a sentence for each position that does not vouch; empty = all vouch. */
type Vouching = (beats: readonly Beat[], now: Ms) => readonly string[]

/**
 * A position vouches if the number of its last event on disk has grown within `silentMs`. A timer that still runs next to a hung loop or a
 * stuck journal proves nothing. `now` is a monotonic clock.
 */
export function createVouching(silentMs: Ms): Vouching {
  const seen = new Map<string, { readonly durableSeq: number; readonly since: Ms }>()

  function problemOf({ position, durableSeq, ended }: Beat, now: Ms): string | null {
    if (ended !== null) return `${position} has ended: ${ended}`
    if (durableSeq === null) return `${position} does not answer`
    const before = seen.get(position)
    if (before?.durableSeq !== durableSeq) {
      seen.set(position, { durableSeq, since: now })
      return null
    }
    const silent = now - before.since
    return silent < silentMs ? null : `${position} has journalled nothing for ${Math.round(silent / 1_000)} s`
  }

  return (beats, now) => {
    const names = new Set(beats.map(({ position }) => position))
    for (const name of seen.keys()) if (!names.has(name)) seen.delete(name)
    return beats.map((beat) => problemOf(beat, now)).filter((problem) => problem !== null)
  }
}
