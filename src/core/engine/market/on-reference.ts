import { fairValue } from '../../market/fair-value.ts'
import {
  feedOf,
  feedsAnswered,
  liveFeeds,
  takeFeedReading,
  restartFeeds,
  reviewFeeds,
  type StatusChange,
} from '../../market/feeds.ts'
import { recordReading, retuneFairShift } from './fair-shift.ts'
import { recordVoices } from '../../market/take-rate.ts'
import { formatRate } from '../../../base/money/rate.ts'
import { markToMarket } from '../../ledger/book/book.ts'
import type { EngineState } from '../model/state.ts'
import type { ReferenceEvent, ReferenceFailedEvent } from '../model/event.ts'
import type { Transition } from '../transition.ts'

/**
 * Handles a fair value from another source. With configured feeds only their readings count; without any it is the reference of a
 * tape, which marks the books unchecked.
 */
export function handleReference(transition: Transition, event: ReferenceEvent): void {
  const { source, mid, t, datedAt = null } = event
  const { market, book, config } = transition.state
  if (config.feeds.length > 0) return takeAnswer(transition, source, { t, mid, datedAt })
  recordReading(transition.state, source, mid)
  if (market.reference?.mid === mid && market.reference.source === source) return
  market.reference = { source, mid, at: t }
  markToMarket(book, mid)
  transition.requestDecision('rate')
}

/** Handles a failed reading: the previous figure stays in force until it is stale, unless the new one is implausible. */
export function handleReferenceFailed(
  transition: Transition,
  { source, kind, problem }: ReferenceFailedEvent,
): void {
  takeAnswer(transition, source, { kind, text: problem })
}

/** A process took over, or the feeds changed: each feed has to answer again. */
export function awaitFeeds({ state, now }: Transition): void {
  const { feeds } = state.config
  if (feeds.length > 0 || state.market.feeds !== undefined) restartFeeds(state.market, feeds, now)
  retuneFairShift(state)
}

/** Returns whether every feed that the first decision waits for has answered. */
export function haveFeedsAnswered({ market, config }: EngineState): boolean {
  return feedsAnswered(market, config.feeds)
}

/** Updates the status of the feeds, and marks the books to their common estimate. */
export function updateFeeds(transition: Transition): void {
  const { state, now } = transition
  const { feeds } = state.config
  if (feeds.length === 0) return
  const { market, config } = state
  const changes = reviewFeeds(market, feeds, config.risk.maxReferenceDeviationBps, now)
  if (changes.length > 0) report(transition, changes)
  if (config.rfq == null) recordVoices(market, liveFeeds(market, feeds, now), config.risk.maxMidStepBps)
  markToMarket(state.book, fairValue(market))
}

function takeAnswer(
  transition: Transition,
  source: string,
  answer: Parameters<typeof takeFeedReading>[2],
): void {
  const { state } = transition
  const settings = state.config.feeds.find(({ name }) => name === source)
  if (settings === undefined) return
  const [before, hadAnswered] = [state.market.estimate?.mid, haveFeedsAnswered(state)]
  takeFeedReading(state.market, settings, answer)
  updateFeeds(transition)
  const feed = feedOf(state.market.feeds, source)
  if ('mid' in answer && feed?.status === 'live') recordReading(state, source, answer.mid)
  if (before !== state.market.estimate?.mid || !hadAnswered) transition.requestDecision('rate')
}

/** Reports once when feeds are dropped, and once when one is live again. */
function report({ alert, inform, state }: Transition, changes: readonly StatusChange[]): void {
  const { market } = state
  const back = changes.filter(({ from, to }) => to === 'live' && from !== 'waiting')
  if (back.length > 0)
    inform('feed-dropped', `live again: ${back.map(({ name }) => `the feed ${name}`).join(', ')}`)
  const gone = changes.filter(({ to }) => to !== 'live' && to !== 'waiting' && to !== 'venue')
  if (gone.length === 0) return
  const named = gone.map(({ name, to }) => `the feed ${name} is dropped: it is ${to}${detail(market, name)}`)
  const left = market.estimate?.feeds ?? 0
  const rest = left === 0 ? 'no feed is live: only the venue’s mid is left' : `live feeds left: ${left}`
  alert('feed-dropped', `${named.join('; ')}; ${rest}`)
}

function detail(market: EngineState['market'], name: string): string {
  const feed = feedOf(market.feeds, name)
  if (feed === null) return ''
  if (feed.problem !== null) return ` (${feed.problem.text})`
  return feed.mid === null ? '' : ` (its figure is ${formatRate(feed.mid)})`
}
