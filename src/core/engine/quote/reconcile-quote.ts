import type { Ms } from '../../../base/time.ts'
import { maySend, maySendFrom } from '../../pacing/budget.ts'
import {
  nextReadBackAt,
  patchSent,
  takeReadBack,
  forgetConfirmation,
  countMismatch,
  expectAsAsked,
  patchConfirmed,
  patchRefused,
  sideRead,
  sideUnreadable,
} from '../../quoting/confirmation.ts'
import { nextMove } from '../../quoting/next-move.ts'
import type { Approved } from '../../risk/approved.ts'
import type { Target } from '../../risk/approval.ts'
import { isLastMoment, isQuoteBarred } from '../model/guard-state.ts'
import { recordOwnSpread, checkSpread } from '../safeguards/foreign-writes.ts'
import { rememberSent, rememberConfirmed, rememberSide } from '../safeguards/quote-history.ts'
import { openRequest } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import { takeStatedFee } from '../../market/stated-fees.ts'
import type { QuoteReadEvent, QuoteSetEvent, RequestFailedEvent } from '../model/event.ts'
import type { QuotingState } from '../../quoting/quote-state.ts'

/**
 * Makes the approved target the live quote: sends a PATCH if one is due and the budget allows it, and reads the quote back
 * while it is unknown. Returns when it has to be called again at the latest.
 */
export function reconcileQuote(transition: Transition, target: Approved<Target> | null): Ms {
  return Math.min(readBackAgain(transition), setAsApproved(transition, target))
}

/** A write of a process that died or lost its connection may take effect after the first read-back. */
function readBackAgain({ state, now, expedite }: Transition): Ms {
  if (state.config.rfq !== null) return Infinity
  if (takeReadBack(state.quoting, now)) for (const side of ['quoteBid', 'quoteAsk'] as const) expedite(side)
  return nextReadBackAt(state.quoting)
}

function setAsApproved(transition: Transition, target: Approved<Target> | null): Ms {
  const { state, now } = transition
  const { quote, pacing, rfq } = state.config
  // In self-custody there are only orders; the spread applies to capital in the pool.
  if (target === null || rfq !== null || isQuoteBarred(state, target.safety)) return Infinity
  const move = nextMove(state.quoting, target, now, quote, isLastMoment(state))
  if (move.kind === 'none') return Infinity
  if (move.kind === 'wait') return move.until
  // Both read-backs were requested when the status became unknown; a failed one is due again after its back-off.
  if (move.kind === 'read-back') return Infinity
  const purpose = target.safety ? 'safety' : 'quote'
  if (!maySend(state.pacing, pacing, now, purpose)) return maySendFrom(state.pacing, pacing, now, purpose)
  const id = openRequest(
    transition,
    { what: 'patch', sentAt: now, spread: move.spread },
    target.safety ? 'safetyWrite' : 'quoteWrite',
  )
  rememberSent(transition, move.spread)
  recordOwnSpread(state, move.spread)
  patchSent(state.quoting, id, move.spread, now, target.safety)
  transition.send({ type: 'setQuote', id, spread: move.spread })
  transition.emit({
    type: 'requote',
    t: now,
    reason: move.reason,
    spread: move.spread,
    because: target.because,
  })
  return Infinity
}

/** Handles an answer of PATCH /spread: the quote that the venue states is the confirmed one. */
export function handleSpreadSet(transition: Transition, event: QuoteSetEvent): void {
  const { state, now, request } = transition
  const asked = request?.what === 'patch' ? request.spread : null
  const before = state.quoting.status
  rememberConfirmed(transition, event.spread, asked)
  patchConfirmed(state.quoting, event.spread, asked, now, event.namesPairs)
  if (state.quoting.status === 'mismatch' && state.quoting.failures === STUCK_AFTER)
    alertStuckQuote(transition, 'the venue answers with a different spread from the one requested')
  // After a mismatch an answer that repeats the request proves nothing.
  else if (state.quoting.status === 'confirmed' && expectAsAsked(state.quoting)) demandReadBack(transition)
  if (state.quoting.status === 'confirmed') endStuckQuote(transition)
  const { confirmed } = state.quoting
  const { quotePairs } = event.spread
  const by = state.config.mode === 'dry-run' ? 'dry-run' : 'patch'
  if (confirmed !== null)
    transition.emit({ type: 'quoteConfirmed', t: now, spread: { ...confirmed, quotePairs }, by })
  reportQuoteStatus(transition, before)
  // From now on fills execute at the new spread.
  transition.requestDecision('timer')
}

/** Handles GET /quote of one side, the only view of the venue's price for a taker. */
export function handleQuoteRead(transition: Transition, event: QuoteReadEvent): void {
  const { state, request } = transition
  const before = state.quoting.status
  const feeBefore = takeStatedFee(state.market, 'key', event.protocolFeeBps)
  if (feeBefore !== null) alertFeeChange(transition, "the key's quote names", feeBefore, event.protocolFeeBps)
  rememberSide(state, event.side, event.spreadBps)
  // An answer to a request from before the last confirmation may show the quote before it.
  const { confirmedAt, lastSentAt } = state.quoting
  const isStale = request !== undefined && request.sentAt < Math.max(confirmedAt ?? 0, lastSentAt ?? 0)
  // A dry run does not set its quote: the live quote is the operator's and is only recorded.
  const isDryRun = state.config.mode === 'dry-run' && state.quoting.confirmed !== null
  if (isDryRun) {
    // In a dry run too, the repair after a restart waits for both sides.
    state.quoting.awaiting[event.side] = false
    state.quoting.read[event.side] = event.spreadBps
  } else if (!isStale) {
    checkSpread(transition, event.side, event.spreadBps)
    sideRead(state.quoting, event.side, event.spreadBps)
  }
  reportQuoteStatus(transition, before)
  if (state.quoting.status !== 'confirmed') transition.requestDecision('timer')
}

/** PATCH /spread or GET /quote failed, or had no clear answer. */
export function handleQuoteFailure(transition: Transition, { failure }: RequestFailedEvent): void {
  const { request } = transition
  const { quoting } = transition.state
  const side = request?.what === 'quoteBid' ? 'bid' : request?.what === 'quoteAsk' ? 'ask' : null
  // A read-back only shows the quote: the repair must not wait for a broken endpoint.
  if (side !== null && failure.kind !== 'rate-limit') {
    sideUnreadable(quoting, side)
    transition.requestDecision('timer')
  }
  if (request?.what !== 'patch') return
  const before = quoting.status
  if (failure.outcome === 'unknown') {
    forgetConfirmation(quoting, `PATCH /spread had no clear answer (${failure.kind})`)
    // Even if it was already unknown: readings from before this PATCH are outdated.
    demandReadBack(transition)
  } else patchRefused(quoting)
  reportQuoteStatus(transition, before)
  if (quoting.failures === STUCK_AFTER) alertStuckQuote(transition, failure.message)
  // The venue refused, so the previous quote is still live, and it is not the safe quote.
  if (failure.kind === 'refused') countMismatch(quoting)
}

/** Alerts that a source names a new protocol fee. The balances decide which fee is booked. */
export function alertFeeChange(
  transition: Transition,
  who: string,
  before: number,
  now: number | null,
): void {
  const message = `${who} a protocol fee of ${now} bps instead of ${before} bps; the balances decide which fee is booked`
  transition.alert('fee-changed', message)
}

/** Reports a change of the status of the quote. */
export function reportQuoteStatus(transition: Transition, before: QuotingState['status']): void {
  const { quoting } = transition.state
  if (quoting.status === before) return
  // In a dry run the venue confirms nothing.
  if (transition.state.config.mode === 'live' || quoting.status !== 'confirmed')
    transition.emit({
      type: 'quoteStatusChanged',
      t: transition.now,
      status: quoting.status,
      why: quoting.why,
    })
  if (quoting.status === 'unknown') demandReadBack(transition)
}

/** Reads both sides back as soon as the budget allows. */
export function demandReadBack({ expedite }: Pick<Transition, 'expedite'>): void {
  expedite('quoteBid')
  expedite('quoteAsk')
}

/** Number of PATCHes in a row without a confirmation that raises an alert. */
const STUCK_AFTER = 5

/** Alerts that the live quote is not the approved one although it was sent repeatedly. */
function alertStuckQuote({ state, alert }: Transition, why: string): void {
  const message = `${STUCK_AFTER} changes of the quote in a row failed, most recently because ${why}; the live quote is not the approved one`
  state.quoting.isStuck = true
  alert('quote-stuck', message)
}

function endStuckQuote({ state, inform }: Transition): void {
  if (state.quoting.isStuck !== true) return
  state.quoting.isStuck = undefined
  inform('quote-stuck', 'the venue has confirmed a change of the quote')
}
