import type { Ms } from '../../../base/time.ts'
import type { Amounts } from '../../../base/money/asset.ts'
import { isSameDifference } from '../../../base/money/difference.ts'
import type { ReconciliationState } from './state.ts'
import type { ReconciliationAction, ReconciliationStatus } from './actions.ts'

/** Sets the status and reports a change. An unreadable figure prevents `reconciled`. */
export function setStatus(
  state: ReconciliationState,
  out: ReconciliationAction[],
  wanted: ReconciliationStatus,
  reason: string,
  unreconciled: Partial<Amounts>,
): void {
  if (wanted === 'reconciled') clearUnproven(state)
  const { unreadable } = state
  unreadable.isMatched = wanted === 'reconciled'
  const [figure] = Object.values(unreadable.figures)
  const isHeld = wanted === 'reconciled' && figure !== undefined
  const [to, why] = isHeld ? (['pending', figure.why] as const) : [wanted, reason]
  const isChanged = state.state !== to || !isSameDifference(state.unreconciled, unreconciled)
  state.state = to
  state.why = why
  state.unreconciled = unreconciled
  if (isChanged) out.push({ do: 'setStatus', state: to, why, unreconciled })
}

/**
 * Discards the pending readings: snapshots requested before `t` are not compared. Called when something other than a fill moved
 * the ledger (one of our transfers, a sweep, a booking by the operator).
 */
export function discardSnapshots(state: ReconciliationState, t: Ms): void {
  state.snapshot = null
  state.voidBefore = t
  state.pending = []
  state.explainedInRow = 0
  state.candidates = []
  state.run = 0
  state.quiet = true
}

/** Ends the unproven time, because the balances matched or an operator booked the difference. */
function clearUnproven(state: ReconciliationState): void {
  state.unprovenSince = null
  state.isOverdue = false
  state.foreign = null
}

/** An activation's outcome is known and its sweep was posted. `isReturn`: it paid out of the pool, in whole units. */
export function restartAfterSweep(
  state: ReconciliationState,
  t: Ms,
  partial: boolean,
  isReturn = false,
): void {
  discardSnapshots(state, t)
  if (isReturn && state.isFine) state.returnUnread = true
  else if (!state.sweepPending) state.returnUnread = false
  // Tokens of a partial deactivation are not visible, so it reveals no new ones.
  if (!partial) state.sweepPending = true
}

/** Restarts the proof after the operator booked the unreconciled difference. */
export function restartAfterBooking(state: ReconciliationState, t: Ms, why: string): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  discardSnapshots(state, t)
  clearUnproven(state)
  setStatus(state, out, 'pending', why, {})
  out.push({ do: 'poll', what: 'balances', why })
  return out
}

/** New fills may explain a confirmed difference: it has to be confirmed again before it is booked as something else. */
export function reconfirmDifference(state: ReconciliationState, why: string): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  state.candidates = []
  state.run = 0
  setStatus(state, out, 'pending', why, {})
  out.push({ do: 'poll', what: 'balances', why })
  return out
}

/** The number of incomparable balances in a row that breaks the reconciliation. */
const MOST_IN_A_ROW = 5

/** Counts balances that cannot be compared with the ledger; too many in a row are a break. */
export function countSkipped(state: ReconciliationState, why: string): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  state.skipped += 1
  if (state.opened && state.skipped >= MOST_IN_A_ROW) {
    setStatus(state, out, 'break', `balances cannot be compared with the ledger: ${why}`, state.unreconciled)
  }
  return out
}
