import { SECOND_MS, type Ms } from '../../base/time.ts'
import { DEFAULT_TERMS, leastWaitMs, type LeaseTerms } from './terms.ts'

/** What was measured: p99 of the answers. */
export type Measured = {
  readonly venueMs: Ms
  /** Who grants the lease, a guard or PostgreSQL. Null = it did not answer. */
  readonly grantMs: Ms | null
}

/** A write may take longer than the reads that were measured, and another hour may be slower than this one. */
const ROOM = 2
/** R is so much longer than a renewal, its answer and a write take together. */
const SPARE = 1.2
/** Proposals are round. */
const STEP_MS: Ms = 100
/** What the configuration takes for a write; a venue that needs more fits to no terms. */
const LONGEST_WRITE_MS: Ms = 60_000
/** The guard looks this often whether a lease has ended. */
const TICK_MS: Ms = 100

/**
 * The shortest terms that fit to a venue and a guard or a PostgreSQL that answer like this: T and d twice what was measured, R with room
 * for one slow renewal, D by the tolerance of clocks. None is shorter than its default, which is proven in practice.
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

/** Whether terms leave what was measured its room. */
export function fitsMeasured(terms: LeaseTerms, { venueMs, grantMs }: Measured): boolean {
  return terms.writeTimeoutMs >= ROOM * venueMs && terms.roundTripMs >= ROOM * (grantMs ?? 0)
}

/**
 * From the death of a daemon to a safe quote that is read back, at the latest: its last renewal is still on the way, D
 * passes, and the write and both reads take `answerMs` each.
 */
export function timeToSafeMs({ roundTripMs, waitMs }: LeaseTerms, answerMs: Ms): Ms {
  return roundTripMs + waitMs + TICK_MS + 3 * answerMs
}

/** Beyond this a death costs more than the guard was meant to allow. */
export const LONGEST_TO_SAFE_MS: Ms = 10 * SECOND_MS

function rounded(ms: Ms): Ms {
  // 1.2 * 2500 is 3000.0000000000005 on some values: that is no further step.
  return Math.ceil((ms - 1e-6) / STEP_MS) * STEP_MS
}
