import type { Ms } from '../../../base/time.ts'
import type { Amounts } from '../../../base/money/asset.ts'
import { isSameDifference } from '../../../base/money/difference.ts'
import type { ReconciliationState } from './state.ts'
import type { ReconciliationAction, ReconciliationStatus } from './actions.ts'

/** Sets the status, and reports it where it changed. What cannot be read keeps it from `reconciled`. */
export function setStatus(
  state: ReconciliationState,
  out: ReconciliationAction[],
  wanted: ReconciliationStatus,
  reason: string,
  unreconciled: Partial<Amounts>,
): void {
  if (wanted === 'reconciled') clearUnproven(state)
  const { unreadable } = state
  if (unreadable !== undefined) unreadable.isMatched = wanted === 'reconciled'
  const [figure] = Object.values(unreadable?.figures ?? {})
  const isHeld = wanted === 'reconciled' && figure !== undefined
  const [to, why] = isHeld ? (['pending', figure.why] as const) : [wanted, reason]
  const isChanged = state.state !== to || !isSameDifference(state.unreconciled, unreconciled)
  state.state = to
  state.why = why
  state.unreconciled = unreconciled
  if (isChanged) out.push({ do: 'setStatus', state: to, why, unreconciled })
}

/**
 * Discards the readings that wait: snapshots requested before `t` are not compared. Called when something other than a fill
 * moved the ledger (a transfer of our own, a sweep, a booking by the operator).
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

/** Nothing is unproven any longer: by the balances, or because an operator took it upon himself. */
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
  if (isReturn && state.isFine === true) state.returnUnread = true
  else if (!state.sweepPending) delete state.returnUnread
  // What a partial deactivation returned went out of sight, so nothing new can come into sight with it.
  if (!partial) state.sweepPending = true
}

/** The operator had the unreconciled difference booked: what remains must be proven again. */
export function restartAfterBooking(state: ReconciliationState, t: Ms, why: string): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  discardSnapshots(state, t)
  clearUnproven(state)
  setStatus(state, out, 'pending', why, {})
  out.push({ do: 'poll', what: 'balances', why })
  return out
}

/** Fills were booked that a confirmed difference may be: it is confirmed anew before anybody books it as something else. */
export function reconfirmDifference(state: ReconciliationState, why: string): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  state.candidates = []
  state.run = 0
  setStatus(state, out, 'pending', why, {})
  out.push({ do: 'poll', what: 'balances', why })
  return out
}

/** So many balances in a row that prove nothing are as good as none. */
const MOST_IN_A_ROW = 5

/** Balances were answered and cannot be held against the ledger; when that continues, reconciliation breaks. */
export function countSkipped(state: ReconciliationState, why: string): ReconciliationAction[] {
  const out: ReconciliationAction[] = []
  state.skipped = (state.skipped ?? 0) + 1
  if (state.opened && state.skipped >= MOST_IN_A_ROW) {
    setStatus(state, out, 'break', `balances cannot be compared with the ledger: ${why}`, state.unreconciled)
  }
  return out
}
