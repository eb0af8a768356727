import type { Ms } from '../../../base/time.ts'
import type { GuardWatch } from './guard-state.ts'

/** How the position stands with its guard has changed. A journal has none while no guard has ever answered. */
export type GuardEvent = {
  readonly type: 'guard'
  readonly t: Ms
  readonly watch: GuardWatch
  /** Why the lease is not held; empty where it is. */
  readonly why: string
  /** Lapsed in silence, for so long that a guard which lives has begun to act: the safe quote alone may be set. Absent = nothing may. */
  readonly maySetSafe?: true
  /** The position has just started and waits for its lease: no person is needed yet. Absent = a person is, where no lease is held. */
  readonly isStarting?: true
  /** The number of the lease; null = none exists. */
  readonly fence: number | null
  /** What the guard wrote with the key since its last grant, oldest first. */
  readonly writes: readonly GuardWrite[]
}

/** A write of the guard: a whole quote, or the deactivation of the position. */
type GuardWrite =
  | {
      readonly what: 'spread'
      readonly bidBps: number
      readonly askBps: number
      readonly quoteBid: boolean
      readonly quoteAsk: boolean
    }
  | { readonly what: 'deactivation' }
