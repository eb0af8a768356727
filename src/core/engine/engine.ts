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

/** What one event brought about. The arrays belong to the caller until the next call. */
export type Audit = {
  readonly seq: number
  readonly effects: readonly Effect[]
  readonly observations: readonly Observation[]
  /** When the core wants a tick at the latest; no tick is needed if another event comes before. */
  readonly wakeAt: Ms
}

type EngineParts = {
  /** The code for a choice named in a `started` or `reloaded` event; the shell has loaded it before. */
  readonly strategyFor: (choice: StrategyChoice) => LoadedStrategy
  readonly calendar: Calendar
  /** Default `engine`: the core sends its own polls. */
  readonly polling?: Polling
  /** Default true. False leaves out the observations of fills, which cost more than the fill. */
  readonly observes?: boolean
  /** Continue from a snapshot: the state and the number of the last event it holds. */
  readonly from?: { readonly state: EngineState; readonly seq: number }
}

export type Engine = {
  /** Takes the next event; numbers run without holes. Synchronous, deterministic, the only way in. */
  readonly process: (seq: number, event: Event) => Audit
  /** Suspends the strategy before the next event: the supervisor had to kill a worker inside it. */
  readonly suspendStrategy: (why: string) => void
  /** The live state, its marks settled: read it, encode it, never change it. Null before the first `started`. */
  readonly state: () => EngineState | null
  /** When the strategy was asked last and what it read, since this engine was created; null = not yet. */
  readonly lastQuestion: () => LastQuestion | null
}

/** A core that has started: all of it works on the one state. */
type Running = { readonly transition: RunningTransition; readonly decider: Decider }

const NONE: readonly never[] = []

/** The core: equal events in equal order give equal audits, live, in simulation and in replay. */
export function createEngine(parts: EngineParts): Engine {
  const { strategyFor, calendar, polling = 'engine', observes = true, from } = parts
  const settings = { calendar, polling, observes }
  const begin = (state: EngineState): Running => ({
    transition: createTransition(state, strategyFor(state.config.strategy), settings),
    decider: new Decider(state),
  })
  let lastSeq = from?.seq ?? 0
  let suspendAtStart: string | null = null
  let running = from === undefined ? null : begin(restore(from.state))

  function process(seq: number, event: Event): Audit {
    // The sentence is made where it is needed: a template costs more than all else that an event without news does here.
    if (seq !== lastSeq + 1) invariant(false, `event ${seq} follows ${lastSeq}: the journal has a hole`)
    lastSeq = seq
    // Events have a form each, so what is asked of every one is read once.
    const { type, t } = event
    if (running === null) {
      invariant(event.type === 'started', 'the first event of a journal is `started`')
      running = begin(initialState(event))
      if (suspendAtStart !== null) suspendStrategy(running.transition.state, suspendAtStart)
    } else if (type === 'started' || type === 'reloaded') {
      running.transition.strategy = strategyFor(event.config.strategy)
    }
    const { transition } = running
    const { state } = transition
    const before = state.now
    // The shell's clock may be set back; the core's never is.
    state.now = Math.max(before, t)
    keepDayStart(state, before)
    settleMarkouts(state)
    transition.seq = seq
    transition.now = state.now
    if (transition.effects.length > 0) transition.effects = []
    if (transition.observations.length > 0) transition.observations = []
    handleEvent(transition, event)
    const wakeAt = conclude(running)
    takeSample(transition, before)
    return auditOf(transition, wakeAt)
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

/**
 * Brings one part of the position from what is to what is approved, as far as the budget goes; null = nothing is
 * approved yet. Returns when it wants to be called again at the latest.
 */
type Reconciler = (state: EngineState, approved: Approved<Target> | null, transition: Transition) => Ms

/** In this order: the first ones have the first call on the budget. */
const RECONCILERS: readonly Reconciler[] = [
  reconcileQuote,
  reconcileOrders,
  reconcileActivation,
  reconcileWithdrawals,
  reconcileProposals,
  reconcilePolls,
]

/** Reuses the lists of an event without effects, and hands out a frozen empty one in their place. */
function auditOf({ seq, effects, observations }: RunningTransition, wakeAt: Ms): Audit {
  return {
    seq,
    effects: effects.length > 0 ? effects : NONE,
    observations: observations.length > 0 ? observations : NONE,
    wakeAt,
  }
}

/** The end of a transition: decides where a decision was asked for or is due, then reconciles. Returns when to wake the core at the latest. */
function conclude({ transition, decider }: Running): Ms {
  const { state, now } = transition
  // Asked to leave everything as it stands: not one request more.
  if (state.exiting && state.config.quote.onExit === 'keep') return Infinity
  if ((state.dirty !== null || now >= state.decideAt || state.approvedTarget === null) && isWarm(state)) {
    decider.decide(transition, takeCause(state))
    // A due time was set under the load of its moment; when that has passed nothing waits for it.
    if (transition.polling === 'engine') retunePacing(state.pacing, state.config.pacing, now)
  }
  const decideAt =
    state.approvedTarget === null ? state.processStartedAt + WARM_UP_TIMEOUT_MS : state.decideAt
  const reconcileAt = Math.min(...RECONCILERS.map((one) => one(state, state.approvedTarget, transition)))
  // What was due now has been sent; nothing can become due before the next millisecond.
  return Math.max(now + 1, Math.min(decideAt, reconcileAt))
}

/** What plain data of a snapshot does not keep; its members stand where those of a state that has just begun do. */
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
  // The stamp of risk is no data: what was approved before the snapshot is stamped again.
  if (state.approvedTarget !== null) state.approvedTarget = approved(state.approvedTarget)
  return state
}

/**
 * The memory of a position that has never run. Members that are absent at first have their place from the start, here and
 * in the slices: code that was compiled for a state stays good for the next one, and for one that comes from a snapshot.
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
