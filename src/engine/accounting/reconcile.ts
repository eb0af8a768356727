import type { EngineState } from '../model/state.ts'
import { isWithdrawing } from '../requests/requests.ts'
import type { FillsPolled } from '../../ledger/reconciliation/state.ts'
import { namedFees } from '../../market/fee-words.ts'
import { takeBalances } from '../../ledger/reconciliation/reconcile.ts'
import { expedite } from '../../pacing/reschedule.ts'
import type { BalancesEvent } from '../model/event.ts'
import { requestDecision, type Transition } from '../transition.ts'
import { applyAction, type ReconciliationAction } from '../../ledger/reconciliation/actions.ts'
import type { LedgerEntry } from '../../ledger/book/book.ts'
import { fairValue } from '../../market/fair-value.ts'

/** Carries out what completeness asks for. */
export function applyActions(turn: Transition, instructions: readonly ReconciliationAction[]): void {
  const { state, now } = turn
  for (const instruction of instructions) {
    const entry = applyAction(state.book, now, instruction, fairValue(state.market))
    if (entry !== null) emitEntry(turn, entry)
    if (instruction.do === 'ask') expedite(state.pacing, instruction.what)
    if (instruction.do === 'open') requestDecision(turn, 'balances')
    if (instruction.do === 'book') settleWithdrawal(turn, instruction)
    if (instruction.do === 'say-fee-model') {
      turn.observations.push({
        type: 'feeModelChanged',
        t: now,
        model: instruction.model,
        why: instruction.why,
      })
      const message = instruction.why
      turn.observations.push({ type: 'alert', t: now, severity: 'warning', code: 'fee-changed', message })
    }
    if (instruction.do === 'correct-chain') {
      const { reason: message } = instruction
      turn.observations.push({ type: 'alert', t: now, severity: 'warning', code: 'chain-decided', message })
      requestDecision(turn, 'balances')
    }
    if (instruction.do === 'report-foreign-loss') {
      const { message } = instruction
      turn.observations.push({ type: 'alert', t: now, severity: 'critical', code: 'foreign-hand', message })
      requestDecision(turn, 'balances')
    }
    if (instruction.do === 'say-state') {
      const { state: verdict, why, unexplained } = instruction
      state.completenessSince = now
      // A gap ends when the books are proven complete, not while they are being looked at again.
      if (verdict === 'gap') state.gapSince ??= now
      if (verdict === 'complete') state.gapSince = null
      turn.observations.push({ type: 'completenessChanged', t: now, state: verdict, why, unexplained })
      requestDecision(turn, 'balances')
    }
  }
}

/** The balances told that a withdrawal without an answer did go out. */
function settleWithdrawal(turn: Transition, booked: Extract<ReconciliationAction, { do: 'book' }>): void {
  if (booked.kind !== 'withdrawal') return
  const { unknown, requests } = turn.state.withdrawals
  const at = unknown.findIndex(({ asset, amount }) => asset === booked.asset && amount === booked.amount)
  if (at < 0) return
  unknown.splice(at, 1)
  const request = requests.find(
    ({ stage, asset, amount }) => stage === 'unknown' && asset === booked.asset && amount === booked.amount,
  )
  if (request !== undefined) request.stage = 'done'
}

export function emitEntry(turn: Transition, entry: LedgerEntry): void {
  turn.observations.push({ type: 'entryPosted', entry })
}

/** GET /balances: kept until the next fills poll can tell what they must equal. */
export function handleBalances(turn: Transition, event: BalancesEvent): void {
  const { state, now } = turn
  // In self-custody the chain itself shows the wallet, and at which block.
  if (state.config.rfq !== null && state.activation.isActive === false) return
  state.heard.balances = true
  // The wallet is what an inactive position shows: the account tells.
  if (event.source === 'wallet' && state.activation.isActive === true) expedite(state.pacing, 'account')
  applyActions(
    turn,
    takeBalances(state.completeness, {
      t: now,
      sentAt: event.sentAt,
      amounts: event.amounts,
      source: event.source,
      isActive: state.activation.isActive,
      busy: areFundsMoving(state),
      accounts: state.book.accounts,
    }),
  )
}

/** What every judgement of the books rests on, whoever read the balances. */
export function reconciliationTerms(
  state: EngineState,
): Pick<FillsPolled, 'settings' | 'unknownWithdrawals' | 'feeRates' | 'mids' | 'busy'> {
  const { dustUnits, unexplainedGraceMs } = state.config.risk
  return {
    settings: { confirmations: CONFIRMATIONS, graceMs: unexplainedGraceMs, dustUnits },
    unknownWithdrawals: state.withdrawals.unknown,
    feeRates: namedFees(state.market, state.config.fees.protocolFeeBps),
    mids: state.history.mids,
    busy: areFundsMoving(state),
  }
}

/** A move of our own is under way, or may be: its call had no clear answer and the account was not read since. */
export function areFundsMoving(state: EngineState): boolean {
  const { activation } = state
  const isSweeping = activation.inFlight !== null || (activation.isActive === null && activation.failures > 0)
  return isSweeping || isWithdrawing(state)
}

/** This many quiet readings in a row with the same difference confirm it. */
export const CONFIRMATIONS = 2
