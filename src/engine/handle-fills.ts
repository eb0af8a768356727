import { admitFills } from '../ledger/admit-fills.ts'
import { onBalances } from '../ledger/on-balances.ts'
import { onFillsPolled, type FillsPolled } from '../ledger/on-fills-polled.ts'
import { namedFees } from '../market/fee-words.ts'
import { bringForward, expedite } from '../pacing/reschedule.ts'
import type { EngineState } from './model/state.ts'
import type { BalancesEvent, FillsEvent } from './model/event.ts'
import { bookFill } from './book-fill.ts'
import { holdRows } from './held-rows.ts'
import { priceMemory } from './safeguards/quote-history.ts'
import { isWithdrawing } from './requests/requests.ts'
import { requestDecision, type Transition } from './transition.ts'
import { followInstructions } from './follow-instructions.ts'

/** This many quiet readings in a row with the same difference confirm it. */
const CONFIRMATIONS = 2

/** GET /fills: every new row is booked once, what cannot be judged is said, completeness is judged. */
export function handleFills(turn: Transition, event: FillsEvent): void {
  const { state, now } = turn
  state.heard.fills = true
  const admission = admitFills(state.completeness, holdRows(turn, event.fills))
  const posted = admission.fresh.map((fill) => bookFill(turn, fill))
  for (const row of event.quarantined) turn.observations.push({ type: 'rowQuarantined', t: now, row })
  for (const fill of [...admission.changed, ...admission.tooOld]) {
    const reason = admission.changed.includes(fill)
      ? 'the venue changed a fill that was booked already'
      : 'older than the fills that are remembered'
    turn.observations.push({ type: 'rowQuarantined', t: now, row: { id: fill.id, reason, raw: fill.raw } })
  }
  if (posted.length > 0) {
    requestDecision(turn, 'fill')
    // What a fill really moved is seen in the balances, and nowhere else.
    bringForward(state.pacing, state.config.pacing, now, 'balances')
  }
  priceMemory(state).polledAt = now
  followInstructions(
    turn,
    onFillsPolled(state.completeness, {
      t: now,
      sentAt: event.sentAt,
      repeated: event.repeated,
      windowFull: event.windowFull,
      admission,
      posted,
      accounts: state.book.accounts,
      ...provingTerms(state),
    }),
  )
}

/** GET /balances: kept until the next fills poll can tell what they must equal. */
export function handleBalances(turn: Transition, event: BalancesEvent): void {
  const { state, now } = turn
  // In self-custody the chain itself shows the wallet, and at which block.
  if (state.config.rfq !== null && state.activation.isActive === false) return
  state.heard.balances = true
  // The wallet is what an inactive position shows: the account tells.
  if (event.source === 'wallet' && state.activation.isActive === true) expedite(state.pacing, 'account')
  followInstructions(
    turn,
    onBalances(state.completeness, {
      t: now,
      sentAt: event.sentAt,
      amounts: event.amounts,
      source: event.source,
      isActive: state.activation.isActive,
      busy: isMoving(state),
      accounts: state.book.accounts,
    }),
  )
}

/** What every judgement of the books rests on, whoever read the balances. */
export function provingTerms(
  state: EngineState,
): Pick<FillsPolled, 'settings' | 'unknownWithdrawals' | 'feeRates' | 'mids' | 'busy'> {
  const { dustUnits, unexplainedGraceMs } = state.config.risk
  return {
    settings: { confirmations: CONFIRMATIONS, graceMs: unexplainedGraceMs, dustUnits },
    unknownWithdrawals: state.withdrawals.unknown,
    feeRates: namedFees(state.market, state.config.fees.protocolFeeBps),
    mids: state.history.mids,
    busy: isMoving(state),
  }
}

/** A move of our own is under way, or may be: its call had no clear answer and the account was not read since. */
export function isMoving(state: EngineState): boolean {
  const { activation } = state
  const isSweeping = activation.inFlight !== null || (activation.isActive === null && activation.failures > 0)
  return isSweeping || isWithdrawing(state)
}
