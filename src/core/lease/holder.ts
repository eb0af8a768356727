import type { Ms } from '../../base/time.ts'
import type { LeaseTerms } from './terms.ts'

/** The same moment on both clocks of a machine. */
export type Moment = {
  /** Monotonic; does not advance while the machine is suspended. */
  readonly steadyMs: Ms
  /** The time of day, which advances during a suspension and may be set. */
  readonly wallMs: Ms
}

/** Returns the larger elapsed time of both clocks: one misses a suspension, and the other may be set back. */
export function elapsedMs(from: Moment, to: Moment): Ms {
  return Math.max(0, to.steadyMs - from.steadyMs, to.wallMs - from.wallMs)
}

/**
 * The writes that the holder may send, by the time since it sent its last successful renewal.
 * - `held`: any write.
 * - `closing`: a renewal is unlikely to arrive in time. The last write starts now, and it sets the safe quote.
 * - `lapsed`: no write. Every earlier one ends by the deadline.
 */
export type HoldState = 'held' | 'closing' | 'lapsed'

/** Returns whether a write that takes its whole time-out ends before the deadline. Call it just before sending the write. */
export function mayStartWrite(
  { writeTimeoutMs, deadlineMs }: Pick<LeaseTerms, 'writeTimeoutMs' | 'deadlineMs'>,
  sinceRenewalMs: Ms,
): boolean {
  return sinceRenewalMs + writeTimeoutMs <= deadlineMs
}

/** The share of the time between the latest answer to a renewal and the last start of a write that is left for a retry. */
const RETRY_SHARE = 0.2

/** Returns when the last write starts: after one slow renewal, with enough time for the write. */
export function closingFromMs({ renewMs, roundTripMs, writeTimeoutMs, deadlineMs }: LeaseTerms): Ms {
  const late = renewMs + roundTripMs
  return late + RETRY_SHARE * (deadlineMs - writeTimeoutMs - late)
}

export function standingOf(terms: LeaseTerms, sinceRenewalMs: Ms): HoldState {
  if (!mayStartWrite(terms, sinceRenewalMs)) return 'lapsed'
  return sinceRenewalMs < closingFromMs(terms) ? 'held' : 'closing'
}

/** A holder as a candidate sees it: its counter, and when that last changed on the candidate's own clock. */
export type Observed = {
  holder: string
  count: number
  changedAt: Ms
}

/** Starts to observe a holder whose counter this process has not seen: the wait begins now. */
export function observeLease(holder: string, now: Ms): Observed {
  return { holder, count: -Infinity, changedAt: now }
}

/**
 * Records a received counter. Only a larger one proves that the loop runs: a repeated or delayed renewal, or one from a process
 * whose loop hangs, does not extend the lease. Returns whether it was larger.
 */
export function sawCount(observed: Observed, count: number, now: Ms): boolean {
  if (!(count > observed.count)) return false
  observed.count = count
  observed.changedAt = now
  return true
}

/** Restarts the wait, after a time in which the candidate did not run and could not receive. */
export function waitAgain(observed: Observed, now: Ms): void {
  observed.changedAt = now
}

/** Returns whether every write of the holder has ended. */
export function mayAct({ waitMs }: Pick<LeaseTerms, 'waitMs'>, { changedAt }: Observed, now: Ms): boolean {
  return now - changedAt >= waitMs
}

/** Earliest time at which the candidate may act. */
export function actsFrom({ waitMs }: Pick<LeaseTerms, 'waitMs'>, { changedAt }: Observed): Ms {
  return changedAt + waitMs
}
