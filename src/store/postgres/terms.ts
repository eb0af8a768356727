import type { Ms } from '../../base/time.ts'
import { DEFAULT_TERMS, type LeaseTerms } from '../../core/lease/terms.ts'

/**
 * How a position is held. A candidate waits on its own clock from the moment at which it saw the holder's counter
 * change, so that no two clocks are compared: only their rates count.
 */
export type HoldTerms = {
  /** A sign of life each. */
  readonly renewMs: Ms
  /** d: one attempt at it; the next one has another connection. */
  readonly roundTripMs: Ms
  /** Without one that was confirmed for so long the holder gives up: counted from before it was sent. */
  readonly giveUpMs: Ms
  /** A candidate takes a position over whose counter has stood still for so long. */
  readonly waitMs: Ms
}

/** Of the time in which a write may still start, what is left for the safe quote of a holder that gives up. */
const LAST_WRITE_SHARE = 0.1

export function holdTerms(terms: LeaseTerms): HoldTerms {
  const { renewMs, roundTripMs, deadlineMs, writeTimeoutMs, waitMs } = terms
  return { renewMs, roundTripMs, waitMs, giveUpMs: (1 - LAST_WRITE_SHARE) * (deadlineMs - writeTimeoutMs) }
}

export const HOLD_TERMS: HoldTerms = holdTerms(DEFAULT_TERMS)

/** An attempt that has less time has hardly a chance. */
export const SHORTEST_MS: Ms = 200
const LEAST_MS: Ms = 20

/**
 * Returns the time limit of an attempt that begins `sinceMs` after the last confirmed renewal was sent; null = no attempt may
 * begin, because its end would take the safe quote's time. It ends half-way through that time at the latest. Once no write may
 * start any longer no time must be reserved: a process that was suspended asks who holds the position now.
 */
export function attemptMs({ giveUpMs }: Pick<HoldTerms, 'giveUpMs'>, sinceMs: Ms): Ms | null {
  const leftMs = giveUpMs - sinceMs
  const lastStartMs = giveUpMs / (1 - LAST_WRITE_SHARE)
  if (leftMs >= SHORTEST_MS) return leftMs
  if (sinceMs >= lastStartMs) return SHORTEST_MS
  const withinMs = Math.min(SHORTEST_MS, leftMs + (lastStartMs - giveUpMs) / 2)
  return withinMs < LEAST_MS ? null : withinMs
}
