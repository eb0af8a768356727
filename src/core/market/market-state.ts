import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../base/money/rate.ts'
import type { BidFormula } from '../../base/money/payout.ts'
import type { RoutedStable } from '../../base/money/asset.ts'
import type { Side } from '../../base/money/side.ts'
import type { FeedEstimate } from './feed-estimate.ts'

/** A fair value from outside the venue. */
type Reference = { readonly source: string; readonly mid: Rate; readonly at: Ms }

export type Competition = { bps: number; seenAt: Ms }

/** A mid beyond a movement bound; it waits until it is back inside, or an operator or a feed confirms it. */
export type PendingMid = {
  readonly mid: Rate
  readonly rateUpdatedAt: Ms | null
  readonly since: Ms
  /** The size of the move, with its sign. */
  readonly stepBps: number
  /** One large step, or a drift of small ones; absent (an older snapshot) = a step. */
  readonly kind?: 'step' | 'move'
  readonly why?: string
  /** The feeds that agree with it, each since its first reading that did. */
  agreed?: Record<string, Ms>
}

/**
 * GET /rate and the public rate name different mids for the pair that quotes are derived from. Fills execute at the public
 * rate's mid, so it is the mid in force once the difference lasts. Plain data, in snapshots.
 */
export type MidGap = {
  /** The last figure of GET /rate, and when it was read. */
  rate: Rate
  rateSeenAt: Ms
  readonly since: Ms
  /** When the public rate last named its mid. */
  seenAt: Ms
  /** True if this is the public rate's first mid, so its distance to GET /rate does not count as a step of the mid. */
  isFirst: boolean
  /** True if the public rate had been silent so long that GET /rate was in force. */
  isReturn?: boolean | undefined
  /** The alert `execution-mid` was raised. */
  isReported: boolean
}

/**
 * The execution mid of a pair that quotes are not derived from, as the public rate names it. It passes the same bounds as
 * the mid in force. Plain data, in snapshots.
 */
export type PairMid = {
  /** The last figure inside all bounds; null until there is one. */
  mid: Rate | null
  previousMid: Rate | null
  spans?: MidSpan[]
  /** When the public rate last named a figure. */
  seenAt: Ms
  /** Since when its figures differ from the mid in force or from GET /rate; null = they agree. */
  differsSince: Ms | null
  /** The latest figure if it was rejected, and why; null = it was accepted. */
  refused: { readonly mid: Rate; readonly breach: MidBreach } | null
  /** The alert `execution-mid` was raised. */
  isReported: boolean
}

/** Probes that show a wider provider than our quote; `isReported`: the alert `not-routed` was raised. */
export type Unrouted = { readonly since: Ms; probes: number; isReported: boolean }

/** Why the latest figure was refused outright. */
export type MidRefusal = {
  readonly rule: 'mid-invalid' | 'mid-undated' | 'venue-clock' | 'price-corridor'
  /** The figure, if the answer had one. */
  readonly mid: Rate | null
}

/** A mid that must not be adopted now. `bps` has the sign of the move. */
export type MidBreach = {
  readonly kind: 'corridor' | 'step' | 'move'
  readonly bps: number
  readonly why: string
}

/** The market as the venue and the feeds show it. Plain data, updated in place. */
export type MarketState = {
  /** The last good mid; null until one was seen. */
  mid: Rate | null
  previousMid: Rate | null
  midSource: 'key' | 'public' | null
  /** The last figure of the public endpoint, adopted or not. */
  publicMid: Rate | null
  /** True if it has been silent so long that GET /rate is in force. */
  isPublicGone?: boolean | undefined
  /** The alert `public-rate` was raised; absent = the public rate answers. */
  isPublicFailing?: true | undefined
  /** Absent while GET /rate and the public rate agree. */
  gap?: MidGap
  /** The other pairs; absent until the public rate is probed for one. */
  pairs?: Partial<Record<RoutedStable, PairMid>>
  /** Number of the last public probe among the probes of all pairs; absent if only one pair is probed. */
  probeTurn?: number
  /** Consecutive probes, by stable and side, that show a wider provider although we should be picked; absent until the first. */
  unrouted?: Partial<Record<`${RoutedStable} ${Side}`, Unrouted>>
  /** The venue's timestamp of the mid, on its clock; null = the venue states no time. */
  rateUpdatedAt: Ms | null
  /** True if this venue has ever dated a mid: from then on an undated mid is an error. */
  everDated: boolean
  /** Age of the mid on the venue's clock when it was last confirmed, and when that was on ours. */
  ageWhenSeen: Ms | null
  seenAt: Ms | null
  quotable: boolean | null
  /** Why the latest figure was not adopted; null = it was. */
  problem: string | null
  /** The kind of that reason; null = no reason, or it is only in `problem`. */
  refusal: MidRefusal | null
  pending: PendingMid | null
  /** The mids in force during the last 24 hours, by five minutes, oldest first; absent in an older snapshot. */
  spans?: MidSpan[]
  competition: Record<Side, Competition | null>
  /** The reference that replaces the venue's mid; null = the venue's mid is used. */
  reference: Reference | null
  /** The configured reference feeds by name; absent in an older snapshot. */
  feeds?: Record<string, FeedState>
  /** The common estimate of the live feeds; null = no feed is live. */
  estimate: FeedEstimate | null
  /** When time alone may next change the status of a feed; null = never. */
  feedsReviewAt: Ms | null
  protocolFeeBps: number | null
  /** The protocol fee that each source names: the key's quote and the public rate. Absent (an older snapshot) = unknown. */
  feeWords?: { key: number | null; public: number | null }
  /** The bid formula that explained the venue's own quote; null = not yet known. */
  bidFormula: BidFormula | null
}

export function createMarket(): MarketState {
  return {
    mid: null,
    previousMid: null,
    midSource: null,
    publicMid: null,
    gap: undefined,
    pairs: undefined,
    probeTurn: undefined,
    unrouted: undefined,
    rateUpdatedAt: null,
    everDated: false,
    ageWhenSeen: null,
    seenAt: null,
    quotable: null,
    problem: null,
    refusal: null,
    pending: null,
    spans: undefined,
    competition: { bid: null, ask: null },
    reference: null,
    feeds: undefined,
    estimate: null,
    feedsReviewAt: null,
    protocolFeeBps: null,
    feeWords: undefined,
    bidFormula: null,
  }
}

/**
 * Returns the age of the mid: its age on the venue's clock when it was last confirmed, plus the time since then on ours. Null =
 * the venue does not date its mid.
 */
export function midAge(market: MarketState, now: Ms): Ms | null {
  if (market.ageWhenSeen === null || market.seenAt === null) return null
  return market.ageWhenSeen + Math.max(0, now - market.seenAt)
}

/** The lowest and the highest mid in force during five minutes. Plain data, in snapshots. */
export type MidSpan = { readonly at: Ms; min: Rate; max: Rate }

export type FeedStatus = 'live' | 'waiting' | 'silent' | 'frozen' | 'implausible' | 'outvoted' | 'venue'

/** `unreadable`: the previous figure stays in force until it is stale. `implausible`: the figure cannot be true. */
export type FeedProblem = { readonly kind: 'unreadable' | 'implausible'; readonly text: string }

/** The state of one feed. Plain data, in snapshots. */
export type FeedState = {
  /** The last good figure; null until there was one. */
  mid: Rate | null
  /** When this process last read it; null = not yet. */
  readAt: Ms | null
  /** When the source dated it, on the source's clock; null = it has no date. */
  datedAt: Ms | null
  /** When the figure last changed, on our clock. Kept across restarts, so a frozen feed stays frozen. */
  movedAt: Ms | null
  /** Why the latest reading was not used; null = it was. */
  problem: FeedProblem | null
  /** Since when this process waits for a first reading. */
  waitingSince: Ms
  /** The last reported status, so that a change is reported once. */
  status: FeedStatus
}
