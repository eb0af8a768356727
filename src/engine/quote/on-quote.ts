import { takeFeeWord } from '../../market/fee-words.ts'
import { expectAsAsked, patchConfirmed, sideRead } from '../../quoting/confirmation.ts'
import { expedite } from '../../pacing/reschedule.ts'
import type { QuoteReadEvent, SpreadSetEvent } from '../model/event.ts'
import { checkSpread } from '../safeguards/foreign-writes.ts'
import type { InFlight } from '../requests/state.ts'
import { rememberConfirmed, rememberSide } from '../safeguards/quote-history.ts'
import { requestDecision, type Transition } from '../transition.ts'

/** PATCH /spread was answered: what the venue says it holds is what is known. */
export function handleSpreadSet(
  turn: Transition,
  event: SpreadSetEvent,
  request: InFlight | undefined,
): void {
  const { state, now } = turn
  const asked = request?.what === 'patch' ? request.spread : null
  const before = state.quoting.belief
  rememberConfirmed(state, event.spread, asked)
  patchConfirmed(state.quoting, event.spread, asked, now, event.namesPairs)
  if (state.quoting.belief === 'differs' && state.quoting.failures === STUCK_AFTER)
    tellStuck(turn, 'the venue answers with another spread than it is asked for')
  // An answer that repeats the request is no proof of a spread that was not held before.
  else if (state.quoting.belief === 'known' && expectAsAsked(state.quoting)) demandReadBack(turn)
  turn.observations.push({ type: 'quoteConfirmed', t: now, spread: event.spread, by: 'patch' })
  noteBelief(turn, before)
  // A moved fill price shows in the next fills: what trades from now on trades at the new spread.
  requestDecision(turn, 'timer')
}

/** GET /quote of one side: the only way to see what the venue would charge for us. */
export function handleQuoteRead(
  turn: Transition,
  event: QuoteReadEvent,
  request: InFlight | undefined,
): void {
  const { state } = turn
  const before = state.quoting.belief
  const feeBefore = takeFeeWord(state.market, 'key', event.protocolFeeBps)
  if (feeBefore !== null) tellFeeChange(turn, "the key's quote names", feeBefore, event.protocolFeeBps)
  rememberSide(state, event.side, event.spreadBps)
  // What was asked before the last confirmation may show what stood before it.
  const { confirmedAt, lastSentAt } = state.quoting
  const isStale = request !== undefined && request.sentAt < Math.max(confirmedAt ?? 0, lastSentAt ?? 0)
  // A dry run only pretends to have set its quote: once it has, what stands is the operator's business
  // and only noted.
  const isPretence = state.config.mode === 'dry-run' && state.quoting.confirmed !== null
  if (isPretence) {
    // The repair after a restart waits for both sides, in a dry run too.
    state.quoting.awaiting[event.side] = false
    state.quoting.read[event.side] = event.spreadBps
  } else if (!isStale) {
    checkSpread(turn, event.side, event.spreadBps)
    sideRead(state.quoting, event.side, event.spreadBps)
  }
  if (event.formula !== null) state.market.bidFormula = event.formula
  noteBelief(turn, before)
  if (state.quoting.belief !== 'known') requestDecision(turn, 'timer')
}

/** A source names another protocol fee than before. What is taken, the balances decide. */
export function tellFeeChange(turn: Transition, who: string, before: number, now: number | null): void {
  const message = `${who} a protocol fee of ${now} bps where it named ${before} bps; the balances decide which is taken`
  turn.observations.push({ type: 'alert', t: turn.now, severity: 'warning', code: 'fee-changed', message })
}

/** Says it when what we believe about our own quote changed. */
export function noteBelief(turn: Transition, before: 'known' | 'unknown' | 'differs'): void {
  const { quoting } = turn.state
  if (quoting.belief === before) return
  turn.observations.push({ type: 'beliefChanged', t: turn.now, belief: quoting.belief, why: quoting.why })
  if (quoting.belief === 'unknown') demandReadBack(turn)
}

function demandReadBack({ state: { pacing } }: Transition): void {
  expedite(pacing, 'quoteBid')
  expedite(pacing, 'quoteAsk')
}

/** So many PATCHes in a row without a confirmation are told to people. */
export const STUCK_AFTER = 5

/** What stands at the venue is not what was decided, and repeating it does not help. */
export function tellStuck({ observations, now }: Transition, why: string): void {
  const message = `${STUCK_AFTER} changes of the quote in a row failed, lately ${why}: what stands is not what was decided`
  observations.push({ type: 'alert', t: now, severity: 'critical', code: 'quote-stuck', message })
}
