import { admitFills } from '../ledger/admit-fills.ts'
import { onBalances } from '../ledger/on-balances.ts'
import { onFillsPolled } from '../ledger/on-fills-polled.ts'
import type { EngineState } from './engine-state.ts'
import type { BalancesEvent, FillsEvent } from './event.ts'
import { bookFill } from './book-fill.ts'
import { holdRows } from './held-rows.ts'
import { isWithdrawing } from './is-withdrawing.ts'
import { wantDecision, type Turn } from './turn.ts'
import { followInstructions } from './follow-instructions.ts'

/** So many quiet readings in a row with the same difference make it a fact. */
export const CONFIRMATIONS = 2

/** GET /fills: every new row is booked once, what cannot be judged is said, completeness is judged. */
export function handleFills(turn: Turn, event: FillsEvent): void {
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
    wantDecision(turn, 'fill')
  }
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
      settings: { confirmations: CONFIRMATIONS, dustUnits: state.config.risk.dustUnits },
      unknownWithdrawals: state.withdrawals.unknown,
    }),
  )
}

/** GET /balances: kept until the next fills poll can tell what they must equal. */
export function handleBalances(turn: Turn, event: BalancesEvent): void {
  const { state, now } = turn
  // In self-custody the chain itself shows the wallet, and at which block.
  if (state.config.rfq !== null && state.activation.isActive === false) return
  state.heard.balances = true
  followInstructions(
    turn,
    onBalances(state.completeness, {
      t: now,
      sentAt: event.sentAt,
      amounts: event.amounts,
      source: event.source,
      isActive: state.activation.isActive,
      busy: isSweeping(state) || isWithdrawing(state),
    }),
  )
}

/** A sweep is under way, or may be: its call had no clear answer and the account has not told yet. */
function isSweeping({ activation }: EngineState): boolean {
  return activation.inFlight !== null || (activation.isActive === null && activation.failures > 0)
}
