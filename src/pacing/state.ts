import type { Ms } from '../base/time.ts'
import type { SentWindow } from './request-window.ts'

/** What can be asked of the venue again and again. The public ones cost nothing of the key's budget. */
export type PollKind =
  | 'quoteBid'
  | 'quoteAsk'
  | 'fills'
  | 'rate'
  | 'balances'
  | 'account'
  | 'publicBid'
  | 'publicAsk'

/** Most valuable first: a quote we are not sure of, then fills, then the mid, then the books. */
export const POLL_KINDS = [
  'quoteBid',
  'quoteAsk',
  'fills',
  'rate',
  'balances',
  'account',
  'publicBid',
  'publicAsk',
] as const satisfies readonly PollKind[]

/** Those that leave the last few requests of the budget to quotes and fills. */
export function isLowPoll(kind: PollKind): boolean {
  return kind === 'rate' || kind === 'balances' || kind === 'account'
}

export function isPublicPoll(kind: PollKind): boolean {
  return kind === 'publicBid' || kind === 'publicAsk'
}

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

/** One counted budget: the key's, or the public endpoint's. */
type Budget = {
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
  key: Budget
  public: Budget
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

/** A budget that was never used: everything is demanded at once. Positions of different `seed` jitter apart. */
export function createPacing(settings: PacingSettings, seed = 0): PacingState {
  return {
    key: createLane(settings.requestsPerMinute),
    public: createLane(settings.publicRequestsPerMinute),
    unplanned: { times: [], head: 0 },
    quoteWrites: { times: [], head: 0 },
    polls: {
      quoteBid: createPoll(),
      quoteAsk: createPoll(),
      fills: createPoll(),
      rate: createPoll(),
      balances: createPoll(),
      account: createPoll(),
      publicBid: createPoll(),
      publicAsk: createPoll(),
    },
    fills: { perMs: 0, asOf: null },
    jitterCounter: seed,
  }
}

function createLane(limit: number): Budget {
  return { sent: { times: [], head: 0 }, limit, limitAt: 0, silentUntil: 0 }
}

function createPoll(): PollState {
  return { dueAt: 0, demanded: true, lastSentAt: null, inFlightSince: null, failures: 0, backOffUntil: 0 }
}
