import { reportMove } from '../withdrawals/report-move.ts'
import type { Ms } from '../../../base/time.ts'
import type { LedgerEntry } from '../../ledger/book/book.ts'
import type { PostedFill } from '../../ledger/fills/fees.ts'
import { applyAction, type ReconciliationAction } from '../../ledger/reconciliation/actions.ts'
import { reconcileAtBlock, recordBalances } from '../../ledger/reconciliation/reconcile.ts'
import type { ReconciliationTerms } from '../../ledger/reconciliation/state.ts'
import { toBook, toTokens } from '../../../base/money/asset.ts'
import { fairValue } from '../../market/fair-value.ts'
import { statedFees } from '../../market/stated-fees.ts'
import type { RfqSettings } from '../../rfq/rfq-settings.ts'
import type { BalancesEvent } from '../model/event.ts'
import type { EngineState } from '../model/state.ts'
import { isWithdrawing, recordSeen } from '../requests/requests.ts'
import type { Transition } from '../transition.ts'
import { settleUnknownWithdrawal } from '../model/withdrawal-state.ts'

/** Posts the entries of a reconciliation's actions, requests its polls and reports its findings. */
export function applyActions(transition: Transition, actions: readonly ReconciliationAction[]): void {
  const { state, now } = transition
  for (const action of actions) {
    const entry = applyAction(state.book, now, action, fairValue(state.market))
    if (entry !== null) emitEntry(transition, entry)
    switch (action.do) {
      case 'poll':
        transition.expedite(action.what)
        break
      case 'open':
        transition.requestDecision('balances')
        break
      case 'book': {
        if (action.kind !== 'withdrawal') break
        const settled = settleUnknownWithdrawal(state.withdrawals, {
          asset: action.asset,
          amount: toTokens(action.amount, action.asset),
        })
        if (settled !== null) reportMove(transition, settled, 'done')
        break
      }
      case 'setFeeModel': {
        const { model, why } = action
        transition.emit({ type: 'feeModelChanged', t: now, model, why })
        transition.alert('fee-changed', why)
        break
      }
      case 'correctChain':
        transition.alert('chain-decided', action.reason)
        transition.requestDecision('balances')
        break
      case 'alertForeignLoss':
        transition.alert('foreign-hand', action.message)
        transition.requestDecision('balances')
        break
      case 'alertUnreadable':
        transition.alert('unreadable-answer', action.message)
        transition.requestDecision('balances')
        break
      case 'alertVoidFills':
        transition.alert('void-fills', action.message)
        break
      case 'setStatus':
        applyStatus(transition, action)
        break
      case 'correctFee':
      case 'sweep':
        break
    }
  }
}

function applyStatus(
  transition: Transition,
  action: Extract<ReconciliationAction, { do: 'setStatus' }>,
): void {
  const { state, now } = transition
  const { state: status, why, unreconciled } = action
  state.reconciliationSince = now
  // A break ends when the books are reconciled, not while they are compared again.
  if (status === 'break') state.breakSince ??= now
  if (status === 'reconciled') state.breakSince = null
  transition.emit({ type: 'reconciliationChanged', t: now, state: status, why, unreconciled })
  transition.requestDecision('balances')
}

export function emitEntry(transition: Transition, entry: LedgerEntry): void {
  transition.emit({ type: 'entryPosted', entry })
}

/** Handles GET /balances: keeps the balances until the next fills poll shows what they must equal. */
export function handleBalances(transition: Transition, event: BalancesEvent): void {
  const { state, now } = transition
  // In self-custody the chain itself shows the wallet, and at which block.
  if (state.config.rfq !== null && state.activation.isActive === false) return
  recordSeen(state, 'balances')
  // The venue shows the wallet of an inactive position only: the account shows whether it is inactive.
  if (event.source === 'wallet' && state.activation.isActive === true) transition.expedite('account')
  applyActions(
    transition,
    recordBalances(state.reconciliation, {
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

/**
 * Reconciles the wallet of self-custody at the block of the last chain reading, with its fills booked. An inactive position is
 * entirely in the wallet, so this reconciles the whole book.
 */
export function reconcileWallet(
  transition: Transition,
  tokens: RfqSettings['tokens'],
  posted: readonly PostedFill[],
): void {
  const { state, now } = transition
  const { chain } = state.rfq
  if (chain === null || state.activation.isActive !== false || !state.received.fills) return
  recordSeen(state, 'balances')
  const amounts = Object.fromEntries(Object.entries(chain.balances).filter(([asset]) => asset in tokens))
  const terms = reconciliationTerms(state, now, now, posted)
  reconcileAtBlock(state.reconciliation, terms, amounts, (actions) => applyActions(transition, actions))
  if (state.reconciliation.state !== 'reconciled') transition.expedite('fills')
}

/** Number of snapshots in a row without fills that confirm a difference. */
const CONFIRMATIONS = 2

export function reconciliationTerms(
  state: EngineState,
  t: Ms,
  sentAt: Ms,
  posted: readonly PostedFill[],
): ReconciliationTerms {
  const { dustUnits, unexplainedGraceMs } = state.config.risk
  return {
    t,
    sentAt,
    posted,
    accounts: state.book.accounts,
    settings: { confirmations: CONFIRMATIONS, graceMs: unexplainedGraceMs, dustUnits },
    unknownWithdrawals: state.withdrawals.unknown.map(({ asset, amount }) => ({
      asset,
      amount: toBook(amount, asset),
    })),
    feeRates: statedFees(state.market, state.config.fees.protocolFeeBps),
    mids: state.history.mids,
    busy: areFundsMoving(state),
    isSweepUnclear: state.activation.unclearSweep,
  }
}

/** Returns whether one of our transfers is in flight, or its outcome is unknown and the account has not been read since. */
export function areFundsMoving(state: EngineState): boolean {
  const { activation } = state
  const isSweeping = activation.inFlight !== null || (activation.isActive === null && activation.failures > 0)
  return isSweeping || isWithdrawing(state)
}
