import { handleRequestsElsewhere } from './requests/key-access.ts'
import { judgeSuspects } from './safeguards/fill-price.ts'
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
import type { Event } from './model/event.ts'
import {
  handleAccount,
  handleActivation,
  handleActivationFailure,
  noteShownPlace,
} from './activation/on-account.ts'
import { handleFailure } from './requests/on-failure.ts'
import { handleBestQuote, handleRate, recordBidFormula } from './market/on-rate.ts'
import { notePublicRateFailed } from './market/pair-alerts.ts'
import { watchRouting } from './market/routing-watch.ts'
import { handleReference, handleReferenceFailed } from './market/on-reference.ts'
import { handleOperator } from './operator/on-command.ts'
import { handleProposal } from './proposals/on-proposal.ts'
import { handleQuoteFailure, handleQuoteRead, handleSpreadSet } from './quote/on-quote.ts'
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
  noteBalancesRead,
  notePollUnreadable,
  noteQuoteSideRead,
  noteRateRead,
} from './accounting/unreadable.ts'
import type { RunningTransition, Transition } from './transition.ts'
import { handleReloaded, handleReloadRefused } from './lifecycle/on-config.ts'
import { confirmWithdrawal, handleWithdrawalFailure } from './withdrawals/note-move.ts'
import { takeAnswer } from './requests/requests.ts'

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
  rate: [countAnswered, handleRate, recordVenueClock, judgeSuspects, noteRateRead, explainAgain],
  bestQuote: [handleBestQuote, watchRouting, judgeSuspects, learnShillingSymbol, explainAgain],
  account: [countAnswered, handleAccount],
  activation: [handleActivation, learnActivateMethod],
  balances: [countAnswered, noteBalancesRead, noteShownPlace, handleBalances],
  fills: [countAnswered, handleFills, learnFillTokens, explainAgain],
  quoteRead: [countAnswered, handleQuoteRead, recordBidFormula, noteQuoteSideRead, learnReadBack],
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
    notePollUnreadable,
    notePublicRateFailed,
    handleQuoteFailure,
    handleActivationFailure,
    handleWithdrawalFailure,
    learnFromFailure,
  ],
}

/** Updates the state from one event. Handlers decide nothing and send nothing. */
export function handleEvent(transition: RunningTransition, event: Event): void {
  transition.request = 'request' in event ? takeAnswer(transition, event) : undefined
  const handlers = HANDLERS[event.type] as readonly Handler<Event>[]
  for (const handle of handlers) handle(transition, event)
}
