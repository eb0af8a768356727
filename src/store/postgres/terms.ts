import type { Ms } from '../../base/time.ts'
import { DEFAULT_TERMS, type LeaseTerms } from '../../core/lease/terms.ts'

/**
 * How a position is held. A candidate waits on its own clock from when it saw the holder's counter change, so no two
 * clocks are compared; only their rates matter.
 */
export type HoldTerms = {
  /** Interval between renewals. */
  readonly renewMs: Ms
  /** d: time for one attempt; the next one uses another connection. */
  readonly roundTripMs: Ms
  /** The holder gives up this long after its last confirmed renewal was sent. */
  readonly giveUpMs: Ms
  /** A candidate takes over a position whose counter has not moved for this long. */
  readonly waitMs: Ms
}

/** Share of the time for writes that a holder reserves for its safe quote before it gives up. */
const LAST_WRITE_SHARE = 0.1

export function holdTerms(terms: LeaseTerms): HoldTerms {
  const { renewMs, roundTripMs, deadlineMs, writeTimeoutMs, waitMs } = terms
  return { renewMs, roundTripMs, waitMs, giveUpMs: (1 - LAST_WRITE_SHARE) * (deadlineMs - writeTimeoutMs) }
}

export const HOLD_TERMS: HoldTerms = holdTerms(DEFAULT_TERMS)

/** An attempt with less time is unlikely to succeed. */
export const SHORTEST_MS: Ms = 200
const LEAST_MS: Ms = 20

/**
 * Returns the time limit in ms of an attempt that begins `sinceMs` after the last confirmed renewal was sent; null = no
 * attempt may begin, because it would take the safe quote's time. It ends half-way through that time at the latest.
 * Once no write may start, no time is reserved, and a process that was suspended checks who holds the position.
 */
export function attemptMs({ giveUpMs }: Pick<HoldTerms, 'giveUpMs'>, sinceMs: Ms): Ms | null {
  const leftMs = giveUpMs - sinceMs
  const lastStartMs = giveUpMs / (1 - LAST_WRITE_SHARE)
  if (leftMs >= SHORTEST_MS) return leftMs
  if (sinceMs >= lastStartMs) return SHORTEST_MS
  const withinMs = Math.min(SHORTEST_MS, leftMs + (lastStartMs - giveUpMs) / 2)
  return withinMs < LEAST_MS ? null : withinMs
}
