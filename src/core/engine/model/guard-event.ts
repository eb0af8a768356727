import type { QuotedSpread } from '../../quoting/quote-state.ts'
import type { GuardState } from './guard-state.ts'
import type { TimedEvent } from './venue-answer.ts'

/** A change of the position's standing with its guard. A journal has no such event until a guard has answered. */
export type GuardEvent = TimedEvent<'guard'> &
  Readonly<Pick<GuardState, 'watch' | 'why' | 'maySetSafe' | 'isStarting' | 'fence'>> & {
    /** The guard's own writes with the key since its last grant, oldest first. */
    readonly writes: readonly GuardWrite[]
  }

/** A write of the guard: a whole quote, or the deactivation of the position. */
type GuardWrite =
  | ({ readonly what: 'spread' } & Omit<QuotedSpread, 'quotePairs'>)
  | { readonly what: 'deactivation' }
