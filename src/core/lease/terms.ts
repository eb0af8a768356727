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
  /** R: deadline by which every write of the holder has ended, on the holder's clock. */
  readonly deadlineMs: Ms
  /** D: the candidate waits this long on its own clock after it last saw the holder's counter change. */
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

/** Minimum time between the safe quote falling due and the last start of a write; a holder checks its lease twice in it. */
const LEAST_ROOM_MS: Ms = 250

/**
 * The least D for a deadline R. A write under a renewal sent at s ends before s + R / (1 - e) of real time, where e is how
 * far the rate of a clock may be off; the candidate acts after D / (1 + e). They cannot overlap while e < (D - R) / (D + R).
 */
export function leastWaitMs(deadlineMs: Ms): Ms {
  return Math.ceil((deadlineMs * (1 + LEAST_TOLERANCE)) / (1 - LEAST_TOLERANCE))
}

type TermsProblem = { readonly term: keyof LeaseTerms; readonly message: string }

/** Returns each problem of the terms with the required value; empty = the terms are safe. */
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

/** Measured p99 of the answers. */
export type Measured = {
  readonly venueMs: Ms
  /** Round trip to the guard or PostgreSQL that grants the lease; null = it did not answer. */
  readonly grantMs: Ms | null
}

/** Safety factor over the measured time: a write may take longer than a read, and other hours may be slower. */
const ROOM = 2
/** The factor of R over the sum of a renewal, its answer and a write. */
const SPARE = 1.2
/** Proposed times are multiples of this. */
const STEP_MS: Ms = 100
/** The longest write time-out that the configuration accepts. */
const LONGEST_WRITE_MS: Ms = 60_000
/** The interval at which the guard checks whether a lease has ended. */
const TICK_MS: Ms = 100

/**
 * Returns the shortest terms for the measured round trips: T and d are twice the measured time, R leaves room for one slow
 * renewal, and D covers the clock tolerance. No term is shorter than its default, which is proven in practice.
 */
export function proposeTerms({ venueMs, grantMs }: Measured): LeaseTerms {
  const writeTimeoutMs = Math.max(
    DEFAULT_TERMS.writeTimeoutMs,
    Math.min(LONGEST_WRITE_MS, rounded(ROOM * venueMs)),
  )
  const roundTripMs = Math.max(DEFAULT_TERMS.roundTripMs, rounded(ROOM * (grantMs ?? 0)))
  const renewMs = Math.max(DEFAULT_TERMS.renewMs, roundTripMs)
  const deadlineMs = rounded(SPARE * (renewMs + roundTripMs + writeTimeoutMs))
  return { renewMs, roundTripMs, writeTimeoutMs, deadlineMs, waitMs: leastWaitMs(deadlineMs) }
}

/** Returns whether the terms leave enough room for the measured round trips. */
export function fitsMeasured(terms: LeaseTerms, { venueMs, grantMs }: Measured): boolean {
  return terms.writeTimeoutMs >= ROOM * venueMs && terms.roundTripMs >= ROOM * (grantMs ?? 0)
}

/**
 * Returns the longest time from the death of a daemon to a safe quote that is read back: its last renewal is in flight, D passes,
 * and the write and both reads take `answerMs` each.
 */
export function timeToSafeMs({ roundTripMs, waitMs }: LeaseTerms, answerMs: Ms): Ms {
  return roundTripMs + waitMs + TICK_MS + 3 * answerMs
}

/** The longest acceptable time from the death of a daemon to a safe quote. */
export const LONGEST_TO_SAFE_MS: Ms = 10 * SECOND_MS

function rounded(ms: Ms): Ms {
  // 1.2 * 2500 can come out as 3000.0000000000005, which must not count as another step.
  return Math.ceil((ms - 1e-6) / STEP_MS) * STEP_MS
}
