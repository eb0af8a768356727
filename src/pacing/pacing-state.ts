import type { Ms } from '../base/time.ts'
import type { PollKind } from './poll-kind.ts'
import type { SentWindow } from './sent-window.ts'

/** One counted budget: the key's, or the public endpoint's. */
export type Lane = {
  /** Every request counted against this budget. */
  sent: SentWindow
  /** The limit as it was at `limitAt`, after the last refusal; it regrows from there. */
  limit: number
  limitAt: Ms
  /** Nothing at all is sent before this time. */
  silentUntil: Ms
}

export type PollState = {
  /** When the next one is due by its interval. */
  dueAt: Ms
  /** Set while somebody waits for a fresh answer; outranks `dueAt`, not the back-off. */
  demanded: boolean
  /** When the last one left, answered or not. */
  lastSentAt: Ms | null
  /** When the one in flight left, null when none is. */
  inFlightSince: Ms | null
  failures: number
  backOffUntil: Ms
}

/** Plain data, part of the core's snapshot. Changed in place by the note... functions only. */
export type PacingState = {
  key: Lane
  public: Lane
  /** The key's requests that no interval asked for: writes and demanded polls. Also counted in `key`. */
  unplanned: SentWindow
  /** Writes other than for safety. Also counted in `key` and `unplanned`. */
  quoteWrites: SentWindow
  polls: Record<PollKind, PollState>
  fills: {
    /** Running estimate of fills per millisecond. */
    perMs: number
    /** When the last answered fills poll had been sent, null before the first. */
    asOf: Ms | null
  }
  /** Seeds the jitter, so that equal histories back off equally. */
  jitterCounter: number
}
