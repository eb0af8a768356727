import { invariant } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { createReconciliation } from '../ledger/reconciliation/state.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import type { StrategyChoice } from './model/config.ts'
import type { Effect } from './model/effect.ts'
import type { EngineState } from './model/state.ts'
import type { Event, StartedEvent } from './model/event.ts'
import { handleEvent } from './dispatch.ts'
import { createOrderState } from './model/order-state.ts'
import { createRfqState } from '../rfq/state.ts'
import type { Observation } from './model/observation.ts'
import { approved, type Approved } from '../risk/approved.ts'
import type { Target } from '../risk/approval.ts'
import { createWithdrawals } from './model/withdrawal-state.ts'
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
import { reconcilePolls } from './requests/reconcile-polls.ts'
import { reconcileProposals } from './proposals/on-proposal.ts'
import { reconcileQuote } from './quote/reconcile-quote.ts'
import { reconcileWithdrawals } from './withdrawals/on-request.ts'
import { createPacing } from '../pacing/state.ts'
import { createQuoting } from '../quoting/quote-state.ts'
import { openLatch } from '../risk/latch.ts'
import { createBook, settledPnl } from '../ledger/book/book.ts'
import { createMarket } from '../market/market-state.ts'
import { createActivation } from './model/activation-state.ts'
import { keepDayStart } from './accounting/day.ts'
import { createFlow } from './model/flow-state.ts'
import { settleMarkouts } from './accounting/markouts.ts'
import { suspendStrategy, takeCause } from './decision/pending.ts'

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
  /** Processes the next event, synchronously and deterministically. Event numbers have no holes. */
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
  let running = from === undefined ? null : begin(restore(from.state))

  function process(seq: number, event: Event): Audit {
    // The message is built only on failure, because building it costs more than the rest of a quiet event.
    if (seq !== lastSeq + 1) invariant(false, `event ${seq} follows ${lastSeq}: the journal has a hole`)
    lastSeq = seq
    const { transition, decider } = running === null ? start(event) : resume(running, event)
    const { state } = transition
    const before = state.now
    startTransition(transition, seq, event.t)
    handleEvent(transition, event)
    const wakeAt = isLeftAsItIs(state) ? Infinity : decideAndReconcile(transition, decider)
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
  keepDayStart(state, before)
  settleMarkouts(state)
  transition.seq = seq
  transition.now = state.now
  if (transition.effects.length > 0) transition.effects = []
  if (transition.observations.length > 0) transition.observations = []
}

/** The process ends and leaves the position unchanged: no further request is sent. */
function isLeftAsItIs({ exiting, config }: EngineState): boolean {
  return exiting && config.quote.onExit === 'keep'
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
  // Whatever was due now was sent, so that nothing is due before the next millisecond.
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
  reconcilePolls,
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

/** Completes the state of a snapshot. Its members get the order of a new state's, so that compiled code stays valid for both. */
function restore(saved: EngineState): EngineState {
  const { startedAt: t, version, config, market, quoting, activation, flow } = saved
  const state: EngineState = {
    ...initialState({ type: 'started', t, version, config }),
    ...saved,
    market: { ...createMarket(), ...market },
    quoting: { ...createQuoting(), ...quoting },
    activation: { ...createActivation(), ...activation },
    flow: { ...createFlow(), ...flow },
  }
  // The stamp of risk is not part of a snapshot: the target that was approved before it is stamped again.
  if (state.approvedTarget !== null) state.approvedTarget = approved(state.approvedTarget)
  return state
}

/**
 * Returns the state of a position that has never run. Members that are absent at first are declared here as `undefined`, so
 * that all states have one hidden class and compiled code stays valid.
 */
function initialState(event: StartedEvent): EngineState {
  return {
    now: event.t,
    startedAt: event.t,
    processStartedAt: event.t,
    version: event.version,
    config: event.config,
    overrides: undefined,
    market: createMarket(),
    fairShift: undefined,
    book: createBook(),
    reconciliation: createReconciliation(),
    reconciliationSince: event.t,
    breakSince: null,
    quoting: createQuoting(),
    pacing: createPacing(event.config.pacing),
    latch: openLatch(),
    strategy: { memory: null, suspended: null, wanted: null },
    activation: createActivation(),
    flow: createFlow(),
    withdrawals: createWithdrawals(event.config.withdraw),
    rfq: createRfqState(),
    orders: createOrderState(),
    history: { mids: [], spreads: [] },
    prices: undefined,
    review: undefined,
    proposals: undefined,
    ownWrites: undefined,
    wallet: undefined,
    requests: {},
    nextRequest: 1,
    errorCycles: 0,
    failedRequests: 0,
    authFailure: null,
    sharedKeyToldAt: undefined,
    authRefusals: undefined,
    refusedWrite: undefined,
    usedKeys: undefined,
    guard: undefined,
    exiting: false,
    received: { account: false, rate: false, balances: false, fills: false },
    activeRules: [],
    decision: null,
    approvedTarget: null,
    dirty: null,
    decideAt: 0,
  }
}
