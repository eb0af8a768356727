import type { Ms } from '../../base/time.ts'
import type { LeaseTerms } from './terms.ts'

/** One moment on both clocks of a machine. */
export type Moment = {
  /** Counts up only, and stands still while the machine is suspended. */
  readonly steadyMs: Ms
  /** The time of day: it continues through a suspension, and may be set. */
  readonly wallMs: Ms
}

/** The larger of what both clocks have counted: one of them misses a suspension, the other one may be set back. */
export function elapsedMs(from: Moment, to: Moment): Ms {
  return Math.max(0, to.steadyMs - from.steadyMs, to.wallMs - from.wallMs)
}

/**
 * What the holder may do, by the time since the moment before its last successful renewal was sent.
 * - `held`: it writes as it wants.
 * - `closing`: a renewal can hardly come in time any longer. The last write starts now, and it is the safe one.
 * - `lapsed`: no write starts; every one that did has ended by the deadline.
 */
export type HoldState = 'held' | 'closing' | 'lapsed'

/** Whether a write that takes its whole time-out still ends before the deadline. To be asked just before its bytes. */
export function mayStartWrite(
  { writeTimeoutMs, deadlineMs }: Pick<LeaseTerms, 'writeTimeoutMs' | 'deadlineMs'>,
  sinceRenewalMs: Ms,
): boolean {
  return sinceRenewalMs + writeTimeoutMs <= deadlineMs
}

/** A fifth of the time between the latest answer to a renewal and the last start of a write is left for a retry. */
const RETRY_SHARE = 0.2

/** From then on the last write starts: after one slow renewal, and while there is time for the write itself. */
export function closingFromMs({ renewMs, roundTripMs, writeTimeoutMs, deadlineMs }: LeaseTerms): Ms {
  const late = renewMs + roundTripMs
  return late + RETRY_SHARE * (deadlineMs - writeTimeoutMs - late)
}

export function standingOf(terms: LeaseTerms, sinceRenewalMs: Ms): HoldState {
  if (!mayStartWrite(terms, sinceRenewalMs)) return 'lapsed'
  return sinceRenewalMs < closingFromMs(terms) ? 'held' : 'closing'
}
