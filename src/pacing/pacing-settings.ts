import type { Ms } from '../base/time.ts'

/** What the budget and the polling need to know. */
export type PacingSettings = {
  /** What the venue allows the key in a minute. */
  readonly requestsPerMinute: number
  /** Kept free for safety writes. */
  readonly reservePerMinute: number
  /** What the public endpoint is asked at most in a minute; 0 turns it off. */
  readonly publicRequestsPerMinute: number
  readonly fillsIntervalMs: Ms
  readonly rateIntervalMs: Ms
  readonly balancesIntervalMs: Ms
  readonly accountIntervalMs: Ms
  /** How often each side of a known quote is read back anyway. */
  readonly quoteCheckIntervalMs: Ms
  /** After this long without an answer a poll counts as lost. */
  readonly requestTimeoutMs: Ms
}
