import type { Event } from './model/event.ts'
import { type RunningTransition, type Transition } from './transition.ts'
import { handleProposal } from './proposals/on-proposal.ts'
import { handleQuoteFailure, handleQuoteRead, handleSpreadSet } from './quote/reconcile-quote.ts'
import { handleRequestsElsewhere } from './requests/key-access.ts'
import { checkSuspects } from './safeguards/check-fill-price.ts'
import { handleWalletTransfers } from './safeguards/foreign-writes.ts'
import { handleGuard } from './guard/on-guard.ts'
import {
  learnFromFailure,
  learnActivateMethod,
  learnFillTokens,
  learnPairs,
  learnReadBack,
  learnRfq,
  learnShillingSymbol,
} from './capabilities/learn.ts'
import {
  handleAccount,
  handleActivation,
  handleActivationFailure,
  recordBalanceSource,
} from './activation/on-account.ts'
import { handleFailure } from './requests/on-failure.ts'
import { handleBestQuote, handleRate, recordBidFormula } from './market/on-rate.ts'
import { reportPublicRateFailure } from './market/pair-alerts.ts'
import { watchRouting } from './market/routing-watch.ts'
import { handleReference, handleReferenceFailed } from './market/on-reference.ts'
import { handleOperator } from './operator/on-command.ts'
import { handleStarted, handleClockJumped } from './lifecycle/on-start.ts'
import {
  handleCancelFailure,
  handleCancelSent,
  handleOrderFailed,
  handleOrderPlaced,
  handleOrderReserved,
  handleOrderWithheld,
} from './orders/on-order-events.ts'
import { handleChainRead } from './orders/on-chain-state.ts'
import { handleSolver, recordVenueClock } from './orders/on-solver-info.ts'
import { handleFills } from './accounting/on-fills.ts'
import { explainAgain } from './accounting/unexplained.ts'
import { handleBalances } from './accounting/reconcile.ts'
import { handleWithdrawn } from './accounting/transfers.ts'
import {
  countAnswered,
  recordReadableBalances,
  recordUnreadablePoll,
  recordReadableQuote,
  recordReadableRate,
} from './accounting/unreadable.ts'
import { handleReloaded, handleReloadRefused } from './lifecycle/on-config.ts'
import { confirmWithdrawal, handleWithdrawalFailure } from './withdrawals/report-move.ts'
import { isAnswer, takeAnswer } from './requests/requests.ts'

/** Updates one slice of the state from an event. */
type Handler<E extends Event> = (transition: Transition, event: E) => void

type Handlers = {
  readonly [type in Event['type']]: readonly Handler<Extract<Event, { readonly type: type }>>[]
}

/** The handlers of each event, in the order in which they run. */
const HANDLERS: Handlers = {
  started: [handleStarted],
  tick: [],
  clockJumped: [handleClockJumped],
  reloaded: [handleReloaded],
  reloadRefused: [handleReloadRefused],
  operator: [handleOperator],
  proposal: [handleProposal],
  requestsElsewhere: [handleRequestsElsewhere],
  reference: [handleReference],
  referenceFailed: [handleReferenceFailed],
  walletTransfers: [handleWalletTransfers],
  guard: [handleGuard],
  rate: [countAnswered, handleRate, recordVenueClock, checkSuspects, recordReadableRate, explainAgain],
  bestQuote: [handleBestQuote, watchRouting, checkSuspects, learnShillingSymbol, explainAgain],
  account: [countAnswered, handleAccount],
  activation: [handleActivation, learnActivateMethod],
  balances: [countAnswered, recordReadableBalances, recordBalanceSource, handleBalances],
  fills: [countAnswered, handleFills, learnFillTokens, explainAgain],
  quoteRead: [countAnswered, handleQuoteRead, recordBidFormula, recordReadableQuote, learnReadBack],
  quoteSet: [handleSpreadSet, learnPairs],
  withdrawn: [confirmWithdrawal, handleWithdrawn],
  solver: [handleSolver, learnRfq],
  chainRead: [handleChainRead],
  orderReserved: [handleOrderReserved],
  orderWithheld: [handleOrderWithheld],
  orderPlaced: [handleOrderPlaced],
  orderFailed: [handleOrderFailed],
  cancelSent: [handleCancelSent],
  requestFailed: [
    handleFailure,
    handleCancelFailure,
    recordUnreadablePoll,
    reportPublicRateFailure,
    handleQuoteFailure,
    handleActivationFailure,
    handleWithdrawalFailure,
    learnFromFailure,
  ],
}

/** Updates the state from one event. No handler approves a target; only `handleOrderReserved` and `handleOperator` send. */
export function handleEvent(transition: RunningTransition, event: Event): void {
  transition.request = isAnswer(event) ? takeAnswer(transition, event) : undefined
  const handlers = HANDLERS[event.type] as readonly Handler<Event>[]
  for (const handle of handlers) handle(transition, event)
}
