import type { EngineState } from '../model/state.ts'
import { isWithdrawing } from '../requests/requests.ts'
import type { FillsPolled } from '../../ledger/reconciliation/state.ts'
import { namedFees } from '../../market/fee-words.ts'
import { takeBalances } from '../../ledger/reconciliation/reconcile.ts'
import type { BalancesEvent } from '../model/event.ts'
import type { Transition } from '../transition.ts'
import { applyAction, type ReconciliationAction } from '../../ledger/reconciliation/actions.ts'
import type { LedgerEntry } from '../../ledger/book/book.ts'
import { fairValue } from '../../market/fair-value.ts'

/** Carries out what completeness asks for. */
export function applyActions(transition: Transition, instructions: readonly ReconciliationAction[]): void {
  const { state, now } = transition
  for (const instruction of instructions) {
    const entry = applyAction(state.book, now, instruction, fairValue(state.market))
    if (entry !== null) emitEntry(transition, entry)
    if (instruction.do === 'ask') transition.expedite(instruction.what)
    if (instruction.do === 'open') transition.requestDecision('balances')
    if (instruction.do === 'book') settleWithdrawal(transition, instruction)
    if (instruction.do === 'say-fee-model') {
      transition.emit({
        type: 'feeModelChanged',
        t: now,
        model: instruction.model,
        why: instruction.why,
      })
      const message = instruction.why
      transition.alert('warning', 'fee-changed', message)
    }
    if (instruction.do === 'correct-chain') {
      const { reason: message } = instruction
      transition.alert('warning', 'chain-decided', message)
      transition.requestDecision('balances')
    }
    if (instruction.do === 'report-foreign-loss') {
      const { message } = instruction
      transition.alert('critical', 'foreign-hand', message)
      transition.requestDecision('balances')
    }
    if (instruction.do === 'say-state') {
      const { state: verdict, why, unexplained } = instruction
      state.completenessSince = now
      // A gap ends when the books are proven complete, not while they are being looked at again.
      if (verdict === 'gap') state.gapSince ??= now
      if (verdict === 'complete') state.gapSince = null
      transition.emit({ type: 'completenessChanged', t: now, state: verdict, why, unexplained })
      transition.requestDecision('balances')
    }
  }
}

/** The balances told that a withdrawal without an answer did go out. */
function settleWithdrawal(
  transition: Transition,
  booked: Extract<ReconciliationAction, { do: 'book' }>,
): void {
  if (booked.kind !== 'withdrawal') return
  const { unknown, requests } = transition.state.withdrawals
  const at = unknown.findIndex(({ asset, amount }) => asset === booked.asset && amount === booked.amount)
  if (at < 0) return
  unknown.splice(at, 1)
  const request = requests.find(
    ({ stage, asset, amount }) => stage === 'unknown' && asset === booked.asset && amount === booked.amount,
  )
  if (request !== undefined) request.stage = 'done'
}

export function emitEntry(transition: Transition, entry: LedgerEntry): void {
  transition.emit({ type: 'entryPosted', entry })
}

/** GET /balances: kept until the next fills poll can tell what they must equal. */
export function handleBalances(transition: Transition, event: BalancesEvent): void {
  const { state, now } = transition
  // In self-custody the chain itself shows the wallet, and at which block.
  if (state.config.rfq !== null && state.activation.isActive === false) return
  state.heard.balances = true
  // The wallet is what an inactive position shows: the account tells.
  if (event.source === 'wallet' && state.activation.isActive === true) transition.expedite('account')
  applyActions(
    transition,
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
