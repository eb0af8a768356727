import { invariant } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import type { StrategyChoice } from './model/config.ts'
import type { Effect } from './model/effect.ts'
import type { EngineState } from './model/state.ts'
import type { Event } from './model/event.ts'
import type { Observation } from './model/observation.ts'
import type { Approved } from '../risk/approved.ts'
import type { Target } from '../risk/approval.ts'
import { takeSample } from './sample.ts'
import {
  type Calendar,
  type Polling,
  type RunningTransition,
  type Transition,
  createTransition,
} from './transition.ts'
import { retunePacing } from '../pacing/reschedule.ts'
import { Decider } from './decision/decide.ts'
import type { LastQuestion } from './decision/inputs-read.ts'
import { isWarm, WARM_UP_TIMEOUT_MS } from './decision/schedule.ts'
import { reconcileActivation } from './activation/reconcile-activation.ts'
import { reconcileOrders } from './orders/reconcile-orders.ts'
import { reconcileProposals, handleProposal } from './proposals/on-proposal.ts'
import {
  handleQuoteFailure,
  handleQuoteRead,
  handleSpreadSet,
  reconcileQuote,
} from './quote/reconcile-quote.ts'
import { reconcileWithdrawals } from './withdrawals/on-request.ts'
import { settledPnl } from '../ledger/book/book.ts'
import { recordDayStart } from './accounting/day.ts'
import { settleMarkouts } from './accounting/markouts.ts'
import { suspendStrategy, takeCause } from './decision/pending.ts'
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
import { sendDuePolls, takeAnswer } from './requests/requests.ts'
import { initialState, restoreState } from './initial-state.ts'

/** The result of one event. The arrays belong to the caller until the next call. */
export type Audit = {
  readonly seq: number
  readonly effects: readonly Effect[]
  readonly observations: readonly Observation[]
  /** When the core needs a tick at the latest; no tick is needed if another event comes first. */
  readonly wakeAt: Ms
}

type EngineParts = {
  /** Returns the loaded code of a strategy that a `started` or `reloaded` event names. */
  readonly strategyFor: (choice: StrategyChoice) => LoadedStrategy
  readonly calendar: Calendar
  /** Default `engine`: the core sends its own polls. */
  readonly polling?: Polling
  /**
   * Default true. False, for backtests: emits no samples and no changed mids, and books a pool fill whose row names its fee
   * without pricing it. That skips grain learning, the slippage count, the check that a closed side was not filled, the
   * price check and the review of fills, so rules that depend on them do not fire.
   */
  readonly observes?: boolean
  /** Continues from a snapshot: its state and the number of the last event in it. */
  readonly from?: { readonly state: EngineState; readonly seq: number }
}

export type Engine = {
  /** Processes the next event, synchronously and deterministically. Event numbers have no gaps. */
  readonly process: (seq: number, event: Event) => Audit
  /** Suspends the strategy before the next event, after the supervisor killed a worker that hung in it. */
  readonly suspendStrategy: (why: string) => void
  /** Returns the live state with its marks settled, which the caller must not change. Null before the first `started`. */
  readonly state: () => EngineState | null
  /** Returns when this engine last asked the strategy and what it read; null = not asked yet. */
  readonly lastQuestion: () => LastQuestion | null
}

/** The parts of a core that has started; they share one state. */
type Running = { readonly transition: RunningTransition; readonly decider: Decider }

const NONE: readonly never[] = []

/** Creates the core. Equal events in equal order give equal audits, live, in simulation and in replay. */
export function createEngine(parts: EngineParts): Engine {
  const { strategyFor, calendar, polling = 'engine', observes = true, from } = parts
  const settings = { calendar, polling, observes }
  const begin = (state: EngineState): Running => ({
    transition: createTransition(state, strategyFor(state.config.strategy), settings),
    decider: new Decider(),
  })
  let lastSeq = from?.seq ?? 0
  let suspendAtStart: string | null = null
  let running = from === undefined ? null : begin(restoreState(from.state))

  function process(seq: number, event: Event): Audit {
    // The message is built only on failure, because building it costs more than the rest of a quiet event.
    if (seq !== lastSeq + 1) invariant(false, `event ${seq} follows ${lastSeq}: the journal has a hole`)
    lastSeq = seq
    const { transition, decider } = running === null ? start(event) : resume(running, event)
    const { state } = transition
    const before = state.now
    startTransition(transition, seq, event.t)
    handleEvent(transition, event)
    // The process ends and leaves the position unchanged: no further request is sent.
    const isLeft = state.exiting && state.config.quote.onExit === 'keep'
    const wakeAt = isLeft ? Infinity : decideAndReconcile(transition, decider)
    takeSample(transition, before)
    return auditOf(transition, wakeAt)
  }

  function start(event: Event): Running {
    invariant(event.type === 'started', 'the first event of a journal is `started`')
    running = begin(initialState(event))
    if (suspendAtStart !== null) suspendStrategy(running.transition.state, suspendAtStart)
    return running
  }

  function resume(before: Running, event: Event): Running {
    if (event.type === 'started' || event.type === 'reloaded')
      before.transition.strategy = strategyFor(event.config.strategy)
    return before
  }

  return {
    process,
    suspendStrategy(why) {
      if (running === null) suspendAtStart = why
      else suspendStrategy(running.transition.state, why)
    },
    state() {
      if (running === null) return null
      const { state } = running.transition
      settledPnl(state.book)
      return state
    },
    lastQuestion: () => running?.decider.lastQuestion() ?? null,
  }
}

/** Prepares the transition of the next event. The shell's clock may be set back; the core's clock never is. */
function startTransition(transition: RunningTransition, seq: number, t: Ms): void {
  const { state } = transition
  const before = state.now
  state.now = Math.max(before, t)
  recordDayStart(state, before)
  settleMarkouts(state)
  transition.seq = seq
  transition.now = state.now
  if (transition.effects.length > 0) transition.effects = []
  if (transition.observations.length > 0) transition.observations = []
}

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
function handleEvent(transition: RunningTransition, event: Event): void {
  transition.request = 'request' in event ? takeAnswer(transition, event) : undefined
  const handlers = HANDLERS[event.type] as readonly Handler<Event>[]
  for (const handle of handlers) handle(transition, event)
}

/**
 * Assesses the rules, asks the strategy and approves a target if a decision is due, then reconciles the position with the
 * approved target. Returns when the core has to be called again at the latest.
 */
function decideAndReconcile(transition: Transition, decider: Decider): Ms {
  const { state, now } = transition
  const isDue = state.dirty !== null || now >= state.decideAt || state.approvedTarget === null
  if (isDue && isWarm(state)) {
    decider.decide(transition, takeCause(state))
    // A poll may be due sooner than it was scheduled under a load that has passed.
    if (transition.polling === 'engine') retunePacing(state.pacing, state.config.pacing, now)
  }
  const { approvedTarget, processStartedAt, decideAt } = state
  const decideBy = approvedTarget === null ? processStartedAt + WARM_UP_TIMEOUT_MS : decideAt
  const reconcileAt = Math.min(...RECONCILERS.map((reconcile) => reconcile(transition, approvedTarget)))
  // Everything due now was sent, so nothing is due before the next millisecond.
  return Math.max(now + 1, Math.min(decideBy, reconcileAt))
}

/**
 * Changes one part of the position towards the approved target as far as the request budget allows; null = no target is
 * approved yet. Returns when it has to be called again at the latest.
 */
type Reconciler = (transition: Transition, approved: Approved<Target> | null) => Ms

/** In order of priority: the first ones draw on the request budget first. */
const RECONCILERS: readonly Reconciler[] = [
  reconcileQuote,
  reconcileOrders,
  reconcileActivation,
  reconcileWithdrawals,
  reconcileProposals,
  sendDuePolls,
]

/** An event without effects or observations gets a shared empty list, and its own list is reused. */
function auditOf({ seq, effects, observations }: RunningTransition, wakeAt: Ms): Audit {
  return {
    seq,
    effects: effects.length > 0 ? effects : NONE,
    observations: observations.length > 0 ? observations : NONE,
    wakeAt,
  }
}
