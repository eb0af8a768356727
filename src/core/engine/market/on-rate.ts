import { stableOf } from '../../../base/money/asset.ts'
import { markToMarket, restateMark } from '../../ledger/book/book.ts'
import { fairValue } from '../../market/fair-value.ts'
import { liveFeeds } from '../../market/feeds.ts'
import type { LiveFeed } from '../../market/feed-estimate.ts'
import type { MidBounds } from '../../market/window-reach.ts'
import { acceptPendingMid, type MidChange, takePublicRate, takeRate } from '../../market/take-rate.ts'
import { acceptPairMid, takePairMid } from '../../market/pair-mids.ts'
import { formatRate, type Rate } from '../../../base/money/rate.ts'
import { type CoreConfig, quoteStableOf } from '../model/config.ts'
import type { BestQuoteEvent, QuoteReadEvent, RateEvent } from '../model/event.ts'
import { recordUpdate } from './fair-shift.ts'
import { bestShown } from './routing-watch.ts'
import { reportPairs, reportPublicRateRecovery, pairStatus } from './pair-alerts.ts'
import { alertFeeChange } from '../quote/reconcile-quote.ts'
import { rememberMid, rememberPairMid } from '../safeguards/quote-history.ts'
import type { Transition } from '../transition.ts'
import { recordRateUpdate } from '../accounting/markouts.ts'
import { recordSeen } from '../requests/requests.ts'

/** Handles GET /rate: the mid, or the reason for its absence. */
export function handleRate(transition: Transition, event: RateEvent): void {
  const { state } = transition
  const { problem: before, quotable, rateUpdatedAt } = state.market
  const pairsBefore = pairStatus(state)
  const change = takeRate(state.market, event, boundsOf(state.config), voicesIn(transition))
  recordSeen(state, 'rate')
  if (change.kind === 'refused' && change.reason !== before) reportRefusedMid(transition, change)
  // The same figure with a new date counts as fresh.
  const redated = rateUpdatedAt !== state.market.rateUpdatedAt
  if (change.kind !== 'same' || redated || before !== null || quotable !== state.market.quotable) {
    transition.requestDecision('rate')
  }
  if (change.kind === 'changed' && change.by !== null) {
    const from = change.from === null ? 'none' : formatRate(change.from)
    const message = `the feed ${change.by} has agreed for 10 minutes with the mid ${formatRate(change.to)}: it replaces ${from}, and both windows of movement restart`
    transition.alert('mid-adopted', message)
  }
  if (redated && change.kind === 'same') recordUpdate(state, false, state.market.rateUpdatedAt)
  reportMid(transition, change, state.market.midSource ?? 'key')
  reportPairs(transition, pairsBefore)
}

const boundsByConfig = new WeakMap<CoreConfig, MidBounds>()

/**
 * Returns the bounds of every mid, from the key and from the public endpoint. One object per
 * configuration, because checked mids are remembered by it.
 */
export function boundsOf(config: CoreConfig): MidBounds {
  const known = boundsByConfig.get(config)
  if (known !== undefined) return known
  const { risk, venueClock } = config
  const bounds = {
    corridor: risk.priceCorridor,
    maxStepBps: risk.maxMidStepBps,
    maxMoveBpsPerHour: risk.maxMidMoveBpsPerHour,
    maxMoveBpsPerDay: risk.maxMidMoveBpsPerDay,
    clock: venueClock,
  }
  boundsByConfig.set(config, bounds)
  return bounds
}

const NO_VOICES: readonly LiveFeed[] = []

/** Returns the feeds that may confirm a step of the mid; null = only an operator may, as in self-custody. */
function voicesIn({ state, now }: Transition): readonly LiveFeed[] | null {
  if (state.config.rfq != null) return null
  const { feeds } = state.config
  return feeds.length === 0 ? NO_VOICES : liveFeeds(state.market, feeds, now)
}

/** Reports a refused mid. The rules for the corridor, moves and the clock raise their own alerts. */
function reportRefusedMid(
  transition: Transition,
  { reason, rule }: Extract<MidChange, { kind: 'refused' }>,
): void {
  const { now: t, emit, alert } = transition
  emit({ type: 'midRefused', t, reason })
  if (rule === 'price-corridor' || rule === 'mid-move' || rule === 'venue-clock') return
  alert('mid', reason)
}

/**
 * Adopts the mid that waits, if the operator names it in full. Returns null, or why it is not adopted, with both mids. A mid
 * outside the corridor cannot be accepted.
 */
export function acceptMid(transition: Transition, named: Rate, by: string): string | null {
  const { market } = transition.state
  const { pending } = market
  const inForce = market.mid === null ? 'none' : formatRate(market.mid)
  const stable = pending?.mid === named ? null : acceptPairMid(market, named, transition.now)
  if (stable !== null) {
    transition.alert(
      'mid-adopted',
      `the mid ${formatRate(named)} for fills of ${stable} was accepted by ${by}`,
    )
    return null
  }
  if (pending === null)
    return `no mid waits to be accepted; the mid in force is ${inForce}${market.problem === null ? '' : ` (${market.problem})`}`
  if (pending.mid !== named)
    return `the mid that waits is ${formatRate(pending.mid)}, the mid in force is ${inForce}, and ${formatRate(named)} is neither; name the one that waits, or wait until it returns`
  reportMid(transition, acceptPendingMid(market, transition.now), 'key')
  const message = `the mid ${formatRate(named)} replaces ${inForce}, and both windows of movement restart; accepted by ${by}`
  transition.alert('mid-adopted', message)
  return null
}

/** Handles the public rate: the competition, and the mid at which fills of the pair execute. */
export function handleBestQuote(transition: Transition, event: BestQuoteEvent): void {
  const { state } = transition
  const pairsBefore = pairStatus(state)
  reportPublicRateRecovery(transition)
  if (stableOf(event) === quoteStableOf(state.config)) takeQuotedPair(transition, event)
  else takeOtherPair(transition, event)
  rememberPairMid(transition, stableOf(event))
  reportPairs(transition, pairsBefore)
}

function takeQuotedPair(transition: Transition, event: BestQuoteEvent): void {
  const { state } = transition
  const from = state.market.mid
  const bestBps = bestShown(event, state.config)
  const reading = bestBps === event.bestBps ? event : { ...event, bestBps }
  const change = takePublicRate(state.market, reading, boundsOf(state.config))
  if (change.feeBefore !== null)
    alertFeeChange(transition, 'the public rate names', change.feeBefore, event.protocolFeeBps)
  if (change.bestMoved) transition.requestDecision('competition')
  if (change.confirmMid) transition.expedite('rate')
  if (change.midChanged && event.mid !== null) {
    const { isOtherSource } = change
    reportMid(transition, { kind: 'changed', from, to: event.mid, by: null, isOtherSource }, 'public')
    transition.requestDecision('rate')
  }
}

/** For a pair that quotes are not derived from, only the mid counts. */
function takeOtherPair(transition: Transition, event: BestQuoteEvent): void {
  const { state, now: t } = transition
  const { mid } = event
  const stable = stableOf(event)
  if (mid === null || mid <= 0n) return
  if (takePairMid(state.market, { t, stable, mid }, boundsOf(state.config)))
    recordRateUpdate(state, null, stable)
}

function reportMid(transition: Transition, change: MidChange, source: 'key' | 'public'): void {
  if (change.kind !== 'changed') return
  const { state, now } = transition
  recordUpdate(state, true, source === 'key' ? state.market.rateUpdatedAt : null)
  const fair = fairValue(state.market)
  if (change.isOtherSource && fair !== null) restateMark(state.book, fair)
  else markToMarket(state.book, fair)
  rememberMid(transition, change.to)
  recordRateUpdate(state, source === 'key' ? state.market.rateUpdatedAt : null)
  if (!transition.observes) return
  transition.emit({
    type: 'midChanged',
    t: now,
    mid: change.to,
    rateUpdatedAt: source === 'key' ? state.market.rateUpdatedAt : null,
    source,
  })
}

/** Records the formula by which the venue prices a bid, as the key's quote shows it. */
export function recordBidFormula({ state }: Transition, { formula }: QuoteReadEvent): void {
  if (formula !== null) state.market.bidFormula = formula
}
