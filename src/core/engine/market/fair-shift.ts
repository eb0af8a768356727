import { deepFreeze } from '../../../base/frozen.ts'
import { DAY_MS, type Ms } from '../../../base/time.ts'
import { feedOf } from '../../market/feeds.ts'
import type { MarketState } from '../../market/market-state.ts'
import {
  estimateGap,
  type GapEstimate,
  type GapSettings,
  type GapState,
  addReading,
  addUpdate,
  isWeekday,
  keepFeeds,
  startGapFilter,
} from '../../models/fair-value/gap-filter.ts'
import type { FeedJudgement } from '../../models/fair-value/feed-judge.ts'
import { type Rate, rateToNumber } from '../../../base/money/rate.ts'
import type { FairShift } from '../../strategy/context.ts'
import type { EngineState } from '../model/state.ts'

/** After this long without an update the filter starts again with the next figure. */
const FORGOTTEN_MS = 60 * DAY_MS

/**
 * Starts the filter at the first decision that reads it, so that it costs nothing for other strategies. It starts from the
 * market at that time, so a replay starts it at the same event.
 */
export function beginFairShift(state: EngineState): void {
  const { market } = state
  if (state.fairShift === undefined && market.mid !== null) state.fairShift = begun(state, market.mid)
}

/** Records a new mid, or a new date of the same mid, which counts on weekdays only. `datedAt` null = the mid has no date. */
export function recordUpdate(state: EngineState, isChanged: boolean, datedAt: Ms | null): void {
  const { fairShift, market, now, config } = state
  if (fairShift === undefined || market.mid === null) return
  const t = Math.min(now, datedAt ?? now)
  if (!isChanged && !isWeekday(t)) return
  lastRead.delete(fairShift)
  if (t - fairShift.t > FORGOTTEN_MS) state.fairShift = begun(state, market.mid)
  else addUpdate(fairShift, config.fairValue, t, rateToNumber(market.mid))
}

/** Records a new reading of a live feed. */
export function recordReading(state: EngineState, name: string, mid: Rate): void {
  const { fairShift, now, config } = state
  if (fairShift === undefined) return
  lastRead.delete(fairShift)
  addReading(fairShift, config.fairValue, { name, t: now, tzsPerUsd: rateToNumber(mid) })
}

/** Returns what later updates showed about a feed; null = unknown. */
export function feedJudgement({ fairShift, config }: EngineState, name: string): FeedJudgement | null {
  if (config.fairValue.judgesFeeds !== true) return null
  return fairShift?.readings.find((reading) => reading.name === name)?.judgement ?? null
}

/** Removes the feeds that a new configuration does not name. */
export function retuneFairShift({ fairShift, config }: EngineState): void {
  const { feeds } = config
  if (fairShift === undefined || feeds.length === 0) return
  lastRead.delete(fairShift)
  keepFeeds(fairShift, (kept) => feeds.some(({ name }) => name === kept))
}

/** The last result and its inputs: several decisions may fall into one moment, without a reading between them. */
type LastRead = {
  readonly now: Ms
  readonly mid: Rate
  readonly settings: GapSettings
  readonly live: string
  readonly shown: FairShift
}

/** Cached per filter until it receives an update or a reading. */
const lastRead = new WeakMap<GapState, LastRead>()

/** Returns the estimated gap as a strategy sees it, frozen. Reading it changes nothing. */
export function readFairShift(state: EngineState, now: Ms): FairShift {
  const { market, config, fairShift } = state
  if (market.mid === null) return NOTHING_KNOWN
  const { mid } = market
  const settings = config.fairValue
  const sources = liveSources(market)
  const live = sources.map(({ name }) => name).join('\n')
  const before = fairShift === undefined ? undefined : lastRead.get(fairShift)
  if (
    before !== undefined &&
    before.now === now &&
    before.mid === mid &&
    before.settings === settings &&
    before.live === live
  )
    return before.shown
  const filter = fairShift ?? begun(state, mid)
  const estimate = estimateGap(filter, settings, now, rateToNumber(mid))
  const shown = deepFreeze({
    bps: 1e4 * Math.expm1(estimate.gapBps / 1e4),
    errorBps: estimate.errorBps,
    driftBpsPerDay: estimate.driftBpsPerDay * (isWeekday(now) ? 1 : settings.weekendMovement),
    feeds: sources.length,
    reasons: sentences(estimate, sources),
  })
  if (fairShift !== undefined) lastRead.set(fairShift, { now, mid, settings, live, shown })
  return shown
}

const NOTHING_KNOWN: FairShift = deepFreeze({
  bps: 0,
  errorBps: Infinity,
  driftBpsPerDay: 0,
  feeds: 0,
  reasons: ['no mid is known'],
})

function begun(state: EngineState, mid: Rate): GapState {
  const { market, now, config } = state
  const settings = config.fairValue
  const filter = startGapFilter(settings, rateToNumber(mid), Math.min(now, market.rateUpdatedAt ?? now))
  for (const { name, mid: shown, t } of liveSources(market))
    addReading(filter, settings, { name, t: Math.max(t, filter.t), tzsPerUsd: rateToNumber(shown) })
  return filter
}

type Source = { readonly name: string; readonly mid: Rate; readonly t: Ms }

/** Returns the live feeds, or the reference of a tape. */
function liveSources({ feeds, reference }: MarketState): readonly Source[] {
  if (feeds === undefined) {
    return reference === null ? [] : [{ name: reference.source, mid: reference.mid, t: reference.at }]
  }
  return Object.keys(feeds).flatMap((name) => {
    const feed = feedOf(feeds, name)
    if (feed?.status !== 'live' || feed.mid === null || feed.readAt === null) return []
    return [{ name, mid: feed.mid, t: feed.readAt }]
  })
}

function sentences(estimate: GapEstimate, live: readonly Source[]): readonly string[] {
  const { gapBps, errorBps, driftBpsPerDay, sources } = estimate
  const total = `gap ${signed(gapBps)} bps +- ${errorBps.toFixed(1)}, drift ${signed(driftBpsPerDay)} bps a day`
  const shown = sources.map(({ name, bps, ageMs, weight }) => {
    const dropped = live.some((one) => one.name === name) ? '' : ', does not count now'
    return `${name}: ${signed(bps)} bps, ${Math.round(ageMs / 60_000)} min old, weight ${weight.toFixed(2)}${dropped}`
  })
  return [total, ...shown, ...(live.length === 0 ? ['no feed: only the updates of the mid'] : [])]
}

function signed(bps: number): string {
  return `${bps < 0 ? '' : '+'}${bps.toFixed(1)}`
}
