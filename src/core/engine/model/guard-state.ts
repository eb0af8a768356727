import type { Ms } from '../../../base/time.ts'
import type { QuotedSpread } from '../../quoting/quote-state.ts'
import type { TimedEvent } from './venue-answer.ts'

/**
 * The state of the lease at the guard, as the shell sees it.
 * - `unwatched`: no guard has granted a lease, or it was drained: writes are sent as if there were no guard.
 * - `held`: the lease is held.
 * - `closing`: the guard is silent. Only the safe quote may still be written.
 * - `lapsed`: the lease may have ended; `waiting`: the guard refuses it. No write is sent, except the safe quote after a longer
 *   silence (`maySetSafe`).
 */
type GuardWatch = 'unwatched' | 'held' | 'closing' | 'lapsed' | 'waiting'

export type GuardState = {
  watch: GuardWatch
  /** Why the lease is not held; empty while it is held. */
  why: string
  since: Ms
  /** True after a silence so long that a live guard has started to act: only the safe quote may be set. Absent = no write may. */
  maySetSafe?: true
  /** True if the position has just started and waits for its lease. No action is needed yet. */
  isStarting?: true
  /** The number of the latest lease; null = never granted. */
  fence: number | null
  /** A guard has answered and was neither drained nor abandoned, so its silence matters, even after a restart. */
  hadGrant: boolean
  /** Whether the position was active when the lease was lost; null = unknown. */
  wasActive: boolean | null
}

/** The part of the core's state that these functions read. */
type Guarded = { readonly guard?: GuardState }

/** Returns whether writes are barred because another process may be writing. */
export function areWritesBarred({ guard }: Guarded): boolean {
  return guard !== undefined && (guard.watch === 'lapsed' || guard.watch === 'waiting')
}

/** Returns whether this quote may not be set. After a long silence of the guard the safe quote may be set. */
export function isQuoteBarred(state: Guarded, isSafety: boolean): boolean {
  return areWritesBarred(state) && !(isSafety && state.guard?.maySetSafe === true)
}

/** Returns whether a renewal is unlikely to arrive in time, so the last write must start within a fraction of a second. */
export function isLastMoment({ guard }: Guarded): boolean {
  return guard?.watch === 'closing' && guard.fence !== null
}

/** Returns whether the lease is missing, so the position may only set the safe quote. */
export function isGuardMissing({ guard }: Guarded): boolean {
  return guard !== undefined && guard.watch !== 'held' && guard.watch !== 'unwatched'
}

/** Returns the message of the rule; null = the lease is held, or no guard watches. */
export function guardObstacle(state: Guarded): string | null {
  const { guard } = state
  if (guard === undefined || !isGuardMissing(state)) return null
  if (guard.watch === 'waiting') return `the guard does not grant the lease: ${guard.why}`
  return `${guard.why}; lifts when the guard answers; \`mizani guard drain\` or guard.whenSilent: carry-on lets the daemon quote without a guard`
}

/** A change of the lease state. A journal has no such event until a guard has answered. */
export type GuardEvent = TimedEvent<'guard'> &
  Readonly<Pick<GuardState, 'watch' | 'why' | 'maySetSafe' | 'isStarting' | 'fence'>> & {
    /** The guard's own writes with the key since its last grant, oldest first. */
    readonly writes: readonly GuardWrite[]
  }

/** A write of the guard: a whole quote, or the deactivation of the position. */
type GuardWrite =
  | ({ readonly what: 'spread' } & Omit<QuotedSpread, 'quotePairs'>)
  | { readonly what: 'deactivation' }
