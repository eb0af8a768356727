import { takeFeeWord } from '../../market/fee-words.ts'
import {
  forgetConfirmation,
  countMismatch,
  expectAsAsked,
  patchConfirmed,
  patchRefused,
  sideRead,
  sideUnreadable,
} from '../../quoting/confirmation.ts'
import type { QuoteReadEvent, QuoteSetEvent, RequestFailedEvent } from '../model/event.ts'
import { checkSpread } from '../safeguards/foreign-writes.ts'
import { rememberConfirmed, rememberSide } from '../safeguards/quote-history.ts'
import type { QuotingState } from '../../quoting/quote-state.ts'
import type { Transition } from '../transition.ts'

/** PATCH /spread was answered: what the venue says it holds is what is known. */
export function handleSpreadSet(transition: Transition, event: QuoteSetEvent): void {
  const { state, now, request } = transition
  const asked = request?.what === 'patch' ? request.spread : null
  const before = state.quoting.status
  rememberConfirmed(transition, event.spread, asked)
  patchConfirmed(state.quoting, event.spread, asked, now, event.namesPairs)
  if (state.quoting.status === 'mismatch' && state.quoting.failures === STUCK_AFTER)
    tellStuck(transition, 'the venue answers with another spread than it is asked for')
  // An answer that repeats the request is no proof of a spread that was not held before.
  else if (state.quoting.status === 'confirmed' && expectAsAsked(state.quoting)) demandReadBack(transition)
  const { confirmed } = state.quoting
  const { quotePairs } = event.spread
  const by = state.config.mode === 'dry-run' ? 'dry-run' : 'patch'
  if (confirmed !== null)
    transition.emit({ type: 'quoteConfirmed', t: now, spread: { ...confirmed, quotePairs }, by })
  noteQuoteStatus(transition, before)
  // A moved fill price shows in the next fills: what trades from now on trades at the new spread.
  transition.requestDecision('timer')
}

/** GET /quote of one side: the only way to see what the venue would charge for us. */
export function handleQuoteRead(transition: Transition, event: QuoteReadEvent): void {
  const { state, request } = transition
  const before = state.quoting.status
  const feeBefore = takeFeeWord(state.market, 'key', event.protocolFeeBps)
  if (feeBefore !== null) tellFeeChange(transition, "the key's quote names", feeBefore, event.protocolFeeBps)
  rememberSide(state, event.side, event.spreadBps)
  // What was asked before the last confirmation may show what stood before it.
  const { confirmedAt, lastSentAt } = state.quoting
  const isStale = request !== undefined && request.sentAt < Math.max(confirmedAt ?? 0, lastSentAt ?? 0)
  // A dry run only pretends to have set its quote: once it has, the live quote is the operator's business
  // and only noted.
  const isPretence = state.config.mode === 'dry-run' && state.quoting.confirmed !== null
  if (isPretence) {
    // The repair after a restart waits for both sides, in a dry run too.
    state.quoting.awaiting[event.side] = false
    state.quoting.read[event.side] = event.spreadBps
  } else if (!isStale) {
    checkSpread(transition, event.side, event.spreadBps)
    sideRead(state.quoting, event.side, event.spreadBps)
  }
  noteQuoteStatus(transition, before)
  if (state.quoting.status !== 'confirmed') transition.requestDecision('timer')
}

/** PATCH /spread or GET /quote failed, or had no clear answer. */
export function handleQuoteFailure(transition: Transition, { failure }: RequestFailedEvent): void {
  const { request } = transition
  const { quoting } = transition.state
  const side = request?.what === 'quoteBid' ? 'bid' : request?.what === 'quoteAsk' ? 'ask' : null
  // A read-back only shows what stands; what should stand must not wait for an endpoint that is broken.
  if (side !== null && failure.kind !== 'rate-limit') {
    sideUnreadable(quoting, side)
    transition.requestDecision('timer')
  }
  if (request?.what !== 'patch') return
  const before = quoting.status
  if (failure.outcome === 'unknown') {
    forgetConfirmation(quoting, `PATCH /spread had no clear answer (${failure.kind})`)
    // Also when it was unknown already: what was read before this PATCH says nothing any longer.
    demandReadBack(transition)
  } else patchRefused(quoting)
  noteQuoteStatus(transition, before)
  if (quoting.failures === STUCK_AFTER) tellStuck(transition, failure.message)
  // A clear no: what stood before still stands, and that is not what safety asked for.
  if (failure.kind === 'refused') countMismatch(quoting)
}

/** A source names another protocol fee than before. What is taken, the balances decide. */
export function tellFeeChange(transition: Transition, who: string, before: number, now: number | null): void {
  const message = `${who} a protocol fee of ${now} bps where it named ${before} bps; the balances decide which is taken`
  transition.alert('fee-changed', message)
}

/** Reports a change of the status of the quote. */
export function noteQuoteStatus(transition: Transition, before: QuotingState['status']): void {
  const { quoting } = transition.state
  if (quoting.status === before) return
  // Nothing is confirmed in a dry run.
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

/** So many PATCHes in a row without a confirmation are notified to people. */
const STUCK_AFTER = 5

/** The live quote is not the one that was decided, and repeating it does not help. */
function tellStuck({ alert }: Transition, why: string): void {
  const message = `${STUCK_AFTER} changes of the quote in a row failed, lately ${why}: the live quote is not the one that was decided`
  alert('quote-stuck', message)
}
