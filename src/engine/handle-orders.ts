import { noteRateLimited } from '../pacing/note-rate-limited.ts'
import { afterRejection } from './after-rejection.ts'
import type { OrderFailedEvent, OrderPlacedEvent, OrderWithheldEvent } from './order-event.ts'
import { wantDecision, type Turn } from './turn.ts'

/** Nobody holds a signature of it: it is given back. */
export function handleOrderWithheld(turn: Turn, { salt, why }: OrderWithheldEvent): void {
  turn.observations.push({ type: 'orderWithheld', t: turn.now, salt, why })
  giveBack(turn, salt)
}

/** The venue has the order: it stands. */
export function handleOrderPlaced({ state, now, observations }: Turn, event: OrderPlacedEvent): void {
  const { salt, hash } = event
  state.rfq.counts.signed += 1
  observations.push({ type: 'orderPlaced', t: now, salt, hash })
  const owed = state.rfq.owed[salt.toString()]
  if (owed === undefined) return
  owed.phase = 'open'
  owed.hash = hash
}

/**
 * An order that was not taken. Only one that certainly nobody holds a signature of is given back; what the
 * venue refused it has seen, and the contract does not ask the venue.
 */
export function handleOrderFailed(turn: Turn, event: OrderFailedEvent): void {
  const { state, now, observations } = turn
  const { salt, stage, failure, isVoid, hash } = event
  const { counts, owed: all } = state.rfq
  if (stage === 'submit') counts.signed += 1
  counts.rejected += 1
  const { code, message } = failure
  observations.push({ type: 'orderRejected', t: now, salt, stage, code, isVoid, message })
  const owed = all[salt.toString()]
  if (isVoid) giveBack(turn, salt)
  else if (owed !== undefined) {
    owed.phase = failure.outcome === 'unknown' ? 'unknown' : 'refused'
    owed.hash = hash ?? owed.hash
  }
  if (failure.kind === 'rate-limit') {
    noteRateLimited(state.pacing, state.config.pacing, now, failure.retryAfterMs, 'key')
    return
  }
  learn(turn, event)
}

function giveBack({ state, now, observations }: Turn, salt: bigint): void {
  const { counts, owed } = state.rfq
  if (owed[salt.toString()] === undefined) return
  delete owed[salt.toString()]
  counts.void += 1
  observations.push({ type: 'orderResolved', t: now, salt, how: 'void' })
}

function learn(turn: Turn, { failure, stage }: OrderFailedEvent): void {
  const { state, now, observations } = turn
  const { orders } = state
  if (failure.kind === 'auth') {
    state.authFailure = `the venue refused the key (${failure.status ?? failure.code} on ${failure.route})`
    wantDecision(turn, 'timer')
  }
  const { pauseMs, severity, cure } = afterRejection(failure, stage)
  if (failure.code === 'NOT_SELF_CUSTODY')
    orders.notInCustody = `the venue says that this position is not in self-custody (${failure.message}); ${cure}, or resume once it is mended`
  // The chain tells at once what became of an order that the contract calls not fillable.
  if (failure.code === 'ORDER_NOT_FILLABLE') orders.readAskedAt = 0
  // The solver's wallet may have changed: the venue is asked again.
  if (failure.code === 'WRONG_TAKER' || failure.code === 'WRONG_TX_ORIGIN') orders.infoAskedAt = 0
  const wasPaused = now < orders.notBefore
  if (now + pauseMs > orders.notBefore) {
    orders.notBefore = now + pauseMs
    orders.notBeforeWhy = `${failure.message}; ${cure}`
  }
  if (wasPaused) return
  const text = `an order was not taken: ${failure.message}; ${cure}`
  observations.push({ type: 'alert', t: now, severity, code: 'order-rejected', message: text })
}
