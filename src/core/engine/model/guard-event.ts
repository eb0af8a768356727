import type { QuotedSpread } from '../../quoting/quote-state.ts'
import type { GuardState } from './guard-state.ts'
import type { TimedEvent } from './venue-answer.ts'

/** How the position stands with its guard has changed. A journal has none while no guard has ever answered. */
export type GuardEvent = TimedEvent<'guard'> &
  Readonly<Pick<GuardState, 'watch' | 'why' | 'maySetSafe' | 'isStarting' | 'fence'>> & {
    /** What the guard wrote with the key since its last grant, oldest first. */
    readonly writes: readonly GuardWrite[]
  }

/** A write of the guard: a whole quote, or the deactivation of the position. */
type GuardWrite =
  | ({ readonly what: 'spread' } & Omit<QuotedSpread, 'quotePairs'>)
  | { readonly what: 'deactivation' }
