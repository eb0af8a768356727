import type { FeedProblem, FeedState, FeedStatus, MarketState } from './market-state.ts'
import type { Ms } from '../../base/time.ts'
import { formatRate, type Rate } from '../../base/money/rate.ts'
import { feedEstimate, withoutOutvoted, type LiveFeed } from './feed-estimate.ts'

/** How the core judges the readings of a reference feed. Only the shell has their source. */
export type FeedSettings = {
  readonly name: string
  /** A feed that repeats the venue's own figure is only shown. */
  readonly origin: 'independent' | 'venue'
  /** Without a good reading for this long the feed is silent. */
  readonly staleAfterMs: Ms
  /** A feed whose figure or source date has not changed for this long is frozen; null = never. */
  readonly frozenAfterMs: Ms | null
  /** A figure outside this band is implausible. */
  readonly band: { readonly min: Rate; readonly max: Rate }
  readonly weight: number
}

type FeedReading = { readonly t: Ms; readonly mid: Rate; readonly datedAt: Ms | null }

export type StatusChange = { readonly name: string; readonly from: FeedStatus; readonly to: FeedStatus }

/** A source date further ahead of our clock than this is implausible. */
const MAX_AHEAD_MS = 60_000

/** Returns why a reading is implausible; null = plausible. The shell checks before it makes an event, and the core again. */
export function implausibility({ band }: FeedSettings, { t, mid, datedAt }: FeedReading): string | null {
  if (mid < band.min || mid > band.max)
    return `${formatRate(mid)} is outside its band of ${formatRate(band.min)} to ${formatRate(band.max)}`
  if (datedAt !== null && datedAt > t + MAX_AHEAD_MS)
    return `its date is ${Math.round((datedAt - t) / 1_000)} s in the future`
  return null
}

/** Makes every feed answer again, keeping its age, after a new process or configuration takes over. */
export function restartFeeds(market: MarketState, settings: readonly FeedSettings[], now: Ms): void {
  const before = market.feeds
  market.feeds = {}
  market.estimate = null
  market.feedsReviewAt = null
  for (const { name } of settings) {
    const { mid = null, datedAt = null, movedAt = null } = feedOf(before, name) ?? {}
    const kept = { mid, readAt: null, datedAt, movedAt, problem: null }
    market.feeds[name] = { ...kept, waitingSince: now, status: 'waiting' }
  }
}

/** Takes a reading of a feed, or the failure to get one. An implausible reading counts as a failure. */
export function takeFeedReading(
  market: MarketState,
  settings: FeedSettings,
  answer: FeedReading | FeedProblem,
): void {
  const feed = feedOf(market.feeds, settings.name)
  if (feed === null) return
  const text = 'kind' in answer ? null : implausibility(settings, answer)
  if ('kind' in answer) feed.problem = answer
  else if (text !== null) feed.problem = { kind: 'implausible', text }
  else {
    const { mid, t, datedAt } = answer
    const movedAt = feed.mid === mid ? (feed.movedAt ?? t) : t
    Object.assign(feed, { mid, readAt: t, datedAt, movedAt, problem: null })
  }
}

/**
 * Updates the status of every feed and the common estimate at `now`. Returns the changes of status. The next change by time alone
 * is at `market.feedsReviewAt`.
 */
export function reviewFeeds(
  market: MarketState,
  settings: readonly FeedSettings[],
  maxDeviationBps: number | null,
  now: Ms,
): readonly StatusChange[] {
  const live = liveFeeds(market, settings, now)
  const changes: StatusChange[] = []
  let reviewAt = Infinity
  for (const one of settings) {
    const feed = feedOf(market.feeds, one.name)
    if (feed === null) continue
    const alone = aloneStatus(feed, one, now)
    const to = alone === 'live' && !live.some(({ name }) => name === one.name) ? 'outvoted' : alone
    if (to !== feed.status) changes.push({ name: one.name, from: feed.status, to })
    feed.status = to
    reviewAt = Math.min(reviewAt, ...deadlines(feed, one).filter((at) => at > now))
  }
  market.estimate = feedEstimate(live, maxDeviationBps)
  market.feedsReviewAt = Number.isFinite(reviewAt) ? reviewAt : null
  return changes
}

/** Returns the live feeds: independent of the venue, fresh, moving, plausible and not outvoted. */
export function liveFeeds(
  market: Readonly<MarketState>,
  settings: readonly FeedSettings[],
  now: Ms,
): readonly LiveFeed[] {
  const live: LiveFeed[] = []
  for (const one of settings) {
    const feed = feedOf(market.feeds, one.name)
    if (feed === null || feed.mid === null || feed.readAt === null) continue
    if (aloneStatus(feed, one, now) !== 'live') continue
    live.push({ name: one.name, mid: feed.mid, readAt: feed.readAt, weight: one.weight })
  }
  return withoutOutvoted(live)
}

/** Returns whether each independent feed has answered or failed since the start. */
export function feedsAnswered(market: Readonly<MarketState>, settings: readonly FeedSettings[]): boolean {
  return settings.every(({ name, origin }) => {
    const feed = feedOf(market.feeds, name)
    return origin === 'venue' || feed === null || feed.readAt !== null || feed.problem !== null
  })
}

/** Own properties only: a name may be any word. */
export function feedOf(feeds: MarketState['feeds'], name: string): FeedState | null {
  return feeds !== undefined && Object.hasOwn(feeds, name) ? (feeds[name] ?? null) : null
}

/** Returns the status of a feed without regard to the others. */
function aloneStatus(feed: FeedState, settings: FeedSettings, now: Ms): FeedStatus {
  if (settings.origin === 'venue') return 'venue'
  if (feed.problem?.kind === 'implausible') return 'implausible'
  if (feed.readAt === null) return now - feed.waitingSince > settings.staleAfterMs ? 'silent' : 'waiting'
  if (now - feed.readAt > settings.staleAfterMs) return 'silent'
  return isFrozen(feed, settings, now) ? 'frozen' : 'live'
}

function isFrozen({ movedAt, datedAt }: FeedState, { frozenAfterMs }: FeedSettings, now: Ms): boolean {
  if (frozenAfterMs === null) return false
  return now - (movedAt ?? now) > frozenAfterMs || (datedAt !== null && now - datedAt > frozenAfterMs)
}

/** Returns when time alone may change the status of a feed. */
function deadlines(feed: FeedState, { staleAfterMs, frozenAfterMs }: FeedSettings): readonly Ms[] {
  const frozen = [feed.movedAt, feed.datedAt].filter((at) => at !== null)
  return [
    (feed.readAt ?? feed.waitingSince) + staleAfterMs + 1,
    ...(frozenAfterMs === null ? [] : frozen.map((at) => at + frozenAfterMs + 1)),
  ]
}
