import { markTo } from '../ledger/mark-to.ts'
import { fairValue } from '../market/fair-value.ts'
import { acceptPendingMid, takeRate, type MidChange } from '../market/take-rate.ts'
import { takePublicRate } from '../market/take-public-rate.ts'
import { demand } from '../pacing/demand.ts'
import type { PublicRateEvent, RateEvent } from './event.ts'
import { rememberMid } from './remember-spread.ts'
import { wantDecision, type Turn } from './turn.ts'

/** GET /rate: the mid, or why there is none. */
export function handleRate(turn: Turn, event: RateEvent): void {
  const { state } = turn
  const { problem: before, quotable, rateUpdatedAt } = state.market
  const change = takeRate(state.market, event, state.config.risk.maxMidStepBps)
  state.heard.rate = true
  // A Date header has whole seconds: the time lies half a second above it, give or take as much.
  if (event.venueTime !== null) state.orders.venueOffsetMs = event.venueTime + 500 - turn.now
  if (change.kind === 'refused' && change.reason !== before) {
    turn.observations.push({ type: 'midRefused', t: turn.now, reason: change.reason })
    turn.observations.push({
      type: 'alert',
      t: turn.now,
      severity: 'warning',
      code: 'mid',
      message: change.reason,
    })
  }
  // The same figure published anew is younger than it was.
  const redated = rateUpdatedAt !== state.market.rateUpdatedAt
  if (change.kind !== 'same' || redated || before !== null || quotable !== state.market.quotable) {
    wantDecision(turn, 'rate')
  }
  noteMid(turn, change, 'key')
}

/** The operator's `resume` also vouches for a mid that waits for a second opinion. */
export function acceptMid(turn: Turn): void {
  noteMid(turn, acceptPendingMid(turn.state.market, turn.now), 'key')
}

/** The public endpoint: the competition, and first news of a new mid. */
export function handlePublicRate(turn: Turn, event: PublicRateEvent): void {
  const { state } = turn
  const from = state.market.mid
  const change = takePublicRate(state.market, event, state.config.risk.maxMidStepBps)
  if (change.bestMoved) wantDecision(turn, 'competition')
  if (change.confirmMid) demand(state.pacing, 'rate')
  if (change.midChanged && event.mid !== null) {
    noteMid(turn, { kind: 'changed', from, to: event.mid }, 'public')
    wantDecision(turn, 'rate')
  }
}

function noteMid(turn: Turn, change: MidChange, source: 'key' | 'public'): void {
  if (change.kind !== 'changed') return
  const { state, now } = turn
  markTo(state.book, fairValue(state.market))
  rememberMid(turn.state, change.to)
  turn.observations.push({
    type: 'midChanged',
    t: now,
    mid: change.to,
    rateUpdatedAt: source === 'key' ? state.market.rateUpdatedAt : null,
    source,
  })
}
