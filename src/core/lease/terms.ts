import { SECOND_MS, type Ms } from '../../base/time.ts'

/**
 * The timing of a lease. A holder writes to the venue while it holds the lease; a candidate takes over when the holder is
 * silent. No two clocks are compared: each side measures intervals on its own clock, so only clock drift matters.
 */
export type LeaseTerms = {
  /** p: the holder renews this often. */
  readonly renewMs: Ms
  /** d: a renewal without an answer by then has failed. A renewal counts from the moment before it was sent. */
  readonly roundTripMs: Ms
  /** T: a write without an answer by then is aborted and its connection reset. */
  readonly writeTimeoutMs: Ms
  /** R: every write of the holder has ended by then, on the holder's clock. */
  readonly deadlineMs: Ms
  /** D: the candidate acts no sooner, on its own clock, since it saw the holder's counter change. */
  readonly waitMs: Ms
}

export const DEFAULT_TERMS: LeaseTerms = {
  renewMs: SECOND_MS,
  roundTripMs: 500,
  writeTimeoutMs: SECOND_MS,
  deadlineMs: 3 * SECOND_MS,
  waitMs: 4_500,
}

/** Clocks whose rates differ from real time by less than this never let holder and candidate write at once. */
export const LEAST_TOLERANCE = 0.2

/** The shortest time between the moment when the safe quote is due and the last start of a write: a holder checks its lease twice in it. */
const LEAST_ROOM_MS: Ms = 250

/**
 * The least D for a deadline R. A write under a renewal sent at s ends before s + R / (1 - e) of real time, where e is how
 * far the rate of a clock may be off; the candidate acts after D / (1 + e). They cannot overlap while e < (D - R) / (D + R).
 */
export function leastWaitMs(deadlineMs: Ms): Ms {
  return Math.ceil((deadlineMs * (1 + LEAST_TOLERANCE)) / (1 - LEAST_TOLERANCE))
}

type TermsProblem = { readonly term: keyof LeaseTerms; readonly message: string }

/** Returns each problem of the terms with the value that would be right; empty = they are safe. */
export function termsProblems(terms: LeaseTerms): readonly TermsProblem[] {
  const { renewMs, roundTripMs, writeTimeoutMs, deadlineMs, waitMs } = terms
  const problems: TermsProblem[] = []
  const least = leastWaitMs(deadlineMs)
  if (waitMs < least) {
    const message = `too short for a deadline of ${deadlineMs} ms: clocks that differ by 20 % would let two write at once; must be at least ${least}`
    problems.push({ term: 'waitMs', message })
  }
  const used = renewMs + roundTripMs + writeTimeoutMs
  const leastDeadline = used + LEAST_ROOM_MS
  if (deadlineMs < leastDeadline) {
    const message = `no room for one slow renewal: ${renewMs} between renewals, ${roundTripMs} for an answer and ${writeTimeoutMs} for a write take ${used} ms; must be at least ${leastDeadline}`
    problems.push({ term: 'deadlineMs', message })
  }
  return problems
}
