import { SECOND_MS, type Ms } from '../../base/time.ts'
import { DEFAULT_TERMS, leastWaitMs, type LeaseTerms } from './terms.ts'

/** Measured p99 of the answers. */
export type Measured = {
  readonly venueMs: Ms
  /** Round trip to the guard or PostgreSQL that grants the lease; null = it did not answer. */
  readonly grantMs: Ms | null
}

/** The factor over the measured time: a write may take longer than a read, and another hour may be slower. */
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
