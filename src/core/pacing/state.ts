import type { Ms } from '../../base/time.ts'
import type { SentWindow } from './request-window.ts'

/** Most valuable first: an unconfirmed quote, then fills, then the mid, then balances and account. */
export const POLL_KINDS = [
  'quoteBid',
  'quoteAsk',
  'fills',
  'rate',
  'balances',
  'account',
  'publicBid',
  'publicAsk',
] as const
/** The kinds of polls. Public polls do not use the key's budget. */
export type PollKind = (typeof POLL_KINDS)[number]

/** The order if polls of fills yield: the polls that reveal foreign writes keep their intervals. */
const FILLS_LAST = [
  'quoteBid',
  'quoteAsk',
  'balances',
  'account',
  'rate',
  'fills',
  'publicBid',
  'publicAsk',
] as const satisfies readonly PollKind[]

export function pollOrder({ fillsYield }: PacingSettings): readonly PollKind[] {
  return fillsYield === true ? FILLS_LAST : POLL_KINDS
}

/** Returns whether the poll leaves the last few requests of the budget to quotes and fills; always false if fills yield. */
export function isLowPoll(kind: PollKind, { fillsYield }: PacingSettings): boolean {
  return fillsYield !== true && isBooksPoll(kind)
}

/** The polls that events bring forward with a pause between two: the mid, balances and the account. */
export function isBooksPoll(kind: PollKind): boolean {
  return kind === 'rate' || kind === 'balances' || kind === 'account'
}

export function isPublicPoll(kind: PollKind): boolean {
  return kind === 'publicBid' || kind === 'publicAsk'
}

/** Number of failures in a row after which the public rate counts as failing. */
const FAILED_PROBES = 3

export function isPublicRateFailing({ polls: { publicBid, publicAsk } }: PacingState): boolean {
  return Math.min(publicBid.failures, publicAsk.failures) >= FAILED_PROBES
}

/** The limits of the request budgets and the intervals of the polls. */
export type PacingSettings = {
  /** Requests per minute that the venue allows the key. */
  readonly requestsPerMinute: number
  /** Kept free for safety writes. */
  readonly reservePerMinute: number
  /** Maximum requests per minute to the public endpoint; 0 turns it off. */
  readonly publicRequestsPerMinute: number
  readonly fillsIntervalMs: Ms
  readonly rateIntervalMs: Ms
  readonly balancesIntervalMs: Ms
  readonly accountIntervalMs: Ms
  /** Interval between read-backs of each side of a confirmed quote. */
  readonly quoteCheckIntervalMs: Ms
  /** After this long without an answer a poll counts as lost. */
  readonly requestTimeoutMs: Ms
  /** On a tight budget the polls of fills stretch first, up to threefold. Absent in journals of 0.2.0: the others stretch. */
  readonly fillsYield?: boolean
}

/** A counted request budget: the key's, or the public endpoint's. */
type Budget = {
  /** Every request counted against this budget. */
  sent: SentWindow
  /** The limit as it was at `limitAt`, after the last refusal; it regrows from there. */
  limit: number
  limitAt: Ms
  /** No request leaves before this time. */
  blockedUntil: Ms
}

export type PollState = {
  /** When the next one is due by its interval. */
  dueAt: Ms
  /** An expedited poll is due at once, regardless of `dueAt`; the back-off still applies. */
  expedited: boolean
  /** When the last one left, answered or not. */
  lastSentAt: Ms | null
  /** When the request in flight was sent; null = no request in flight. */
  inFlightSince: Ms | null
  failures: number
  backOffUntil: Ms
}

/** Plain data, part of the core's snapshot. Only functions of this room change it, in place. */
export type PacingState = {
  key: Budget
  public: Budget
  /** The key's unscheduled requests: writes and expedited polls. Also counted in `key`. */
  onDemand: SentWindow
  /** Writes that are not for safety. Also counted in `key` and `onDemand`. */
  quoteWrites: SentWindow
  polls: Record<PollKind, PollState>
  fills: {
    /** Running estimate of fills per millisecond. */
    perMs: number
    /** When the last answered fills poll had been sent, null before the first. */
    asOf: Ms | null
  }
  /** Seed of the jitter, so equal histories back off equally. */
  jitterCounter: number
}

/** Unused budgets, with every poll due at once. Positions with different seeds back off at different times. */
export function createPacing(settings: PacingSettings, seed = 0): PacingState {
  return {
    key: createBudget(settings.requestsPerMinute),
    public: createBudget(settings.publicRequestsPerMinute),
    onDemand: { times: [], head: 0 },
    quoteWrites: { times: [], head: 0 },
    polls: Object.fromEntries(POLL_KINDS.map((kind) => [kind, createPoll()])) as PacingState['polls'],
    fills: { perMs: 0, asOf: null },
    jitterCounter: seed,
  }
}

function createBudget(limit: number): Budget {
  return { sent: { times: [], head: 0 }, limit, limitAt: 0, blockedUntil: 0 }
}

function createPoll(): PollState {
  return { dueAt: 0, expedited: true, lastSentAt: null, inFlightSince: null, failures: 0, backOffUntil: 0 }
}
