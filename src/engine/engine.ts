import { invariant } from '../base/invariant.ts'
import type { Ms } from '../base/time.ts'
import { createReconciliation, restoreReconciliation } from '../ledger/reconciliation/state.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import { createContextProvider } from './decision/strategy-context.ts'
import type { StrategyChoice } from './model/config.ts'
import type { Effect } from './model/effect.ts'
import type { EngineState } from './model/state.ts'
import type { Event, StartedEvent } from './model/event.ts'
import { handleEvent } from './dispatch.ts'
import { createOrderState } from './orders/state.ts'
import { createRfqState } from '../rfq/state.ts'
import type { Observation } from './model/observation.ts'
import { approved, type Approved } from '../risk/approved.ts'
import type { Target } from '../risk/approval.ts'
import { createWithdrawals } from './withdrawals/state.ts'
import { takeSample } from './sample.ts'
import type { Calendar, Polling, Transition } from './transition.ts'
import { nextDueAt } from '../pacing/poll-schedule.ts'
import { retunePacing } from '../pacing/reschedule.ts'
import { decide } from './decision/decide.ts'
import { isWarm, WARM_UP_TIMEOUT_MS } from './decision/schedule.ts'
import { reconcileActivation } from './activation/reconcile-activation.ts'
import { reconcileOrders } from './orders/reconcile-orders.ts'
import { reconcilePolls } from './requests/reconcile-polls.ts'
import { reconcileQuote } from './quote/reconcile-quote.ts'
import { reconcileWithdrawals } from './withdrawals/on-request.ts'
import { createPacing } from '../pacing/state.ts'
import { createQuoting } from '../quoting/quote-state.ts'
import { openLatch } from '../risk/latch.ts'
import { createBook } from '../ledger/book/book.ts'
import { createMarket } from '../market/market-state.ts'
import { createActivation } from './activation/state.ts'
import { createFlow } from './accounting/flow.ts'

/** What one event brought about. The arrays belong to the caller until the next call. */
export type Audit = {
  readonly seq: number
  readonly effects: readonly Effect[]
  readonly observations: readonly Observation[]
  /** When the core wants a tick at the latest; no tick is needed if another event comes before. */
  readonly wakeAt: Ms
}

export type EngineParts = {
  /** The code for a choice named in a `started` or `reloaded` event; the shell has loaded it before. */
  readonly strategyFor: (choice: StrategyChoice) => LoadedStrategy
  readonly calendar: Calendar
  /** Default `asked`: the core sends its own polls. */
  readonly looks?: Polling
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
  /** The live state: read it, encode it, never change it. Null before the first `started`. */
  readonly state: () => EngineState | null
}

/** A snapshot of a version that knew no orders has none. */
function restore(state: EngineState): EngineState {
  const known = state as Partial<EngineState> & EngineState
  state.rfq = { ...createRfqState(), ...known.rfq }
  state.withdrawals = { ...createWithdrawals(state.config.withdraw), ...known.withdrawals }
  state.orders = { ...createOrderState(), ...known.orders }
  state.completeness = restoreReconciliation(state.completeness)
  state.config = { ...state.config, rfq: state.config.rfq ?? null }
  // As `countFill` makes them.
  state.flow.recent.forEach((fill) => Object.freeze(fill))
  if (state.stance !== null) state.stance = { ...state.stance, orders: state.stance.orders ?? [] }
  return state
}

/** The core: equal events in equal order give equal audits, live, in simulation and in replay. */
export function createEngine(parts: EngineParts): Engine {
  let state: EngineState | null = parts.from === undefined ? null : restore(parts.from.state)
  let lastSeq = parts.from?.seq ?? 0
  const desk = createContextProvider()
  let strategy: LoadedStrategy | null = state === null ? null : parts.strategyFor(state.config.strategy)
  let suspendAtStart: string | null = null
  const restored = state?.stance ?? null
  let stance: Approved<Target> | null = restored === null ? null : approved(restored)

  function process(seq: number, event: Event): Audit {
    invariant(seq === lastSeq + 1, `event ${seq} follows ${lastSeq}: the journal has a hole`)
    lastSeq = seq
    if (event.type === 'started' || event.type === 'reloaded')
      strategy = parts.strategyFor(event.config.strategy)
    if (state === null) {
      invariant(event.type === 'started', 'the first event of a journal is `started`')
      state = initialState(event)
      state.strategy.suspended = suspendAtStart
    }
    invariant(strategy !== null, 'an event came before a strategy was loaded')
    const before = state.now
    // The shell's clock may be set back; the core's never is.
    state.now = Math.max(state.now, event.t)
    const turn: Transition = {
      seq,
      now: state.now,
      state,
      strategy,
      calendar: parts.calendar,
      effects: [],
      observations: [],
      desk,
      looks: parts.looks ?? 'asked',
      observes: parts.observes ?? true,
    }
    handleEvent(turn, event)
    if (event.type === 'started') stance = null
    const conclusion = conclude(turn, stance)
    stance = conclusion.stance
    takeSample(turn, before)
    return { seq, effects: turn.effects, observations: turn.observations, wakeAt: conclusion.wakeAt }
  }

  return {
    process,
    suspendStrategy(why) {
      if (state === null) suspendAtStart = why
      else state.strategy.suspended = why
    },
    state: () => state,
  }
}

/** What stands approved after a turn, and when the core wants to be woken at the latest. */
export type Conclusion = { readonly stance: Approved<Target> | null; readonly wakeAt: Ms }

/** The end of a turn: decides when there is a reason to, and lets the pumps send what is worth a request. */
function conclude(turn: Transition, standing: Approved<Target> | null): Conclusion {
  const { state, now } = turn
  // Asked to leave everything as it stands: not one request more.
  if (state.exiting && state.config.quote.onExit === 'keep') return { stance: standing, wakeAt: Infinity }
  let stance = standing
  if (isWarm(state) && (state.dirty !== null || now >= state.decideAt || stance === null)) {
    const cause = state.dirty ?? 'timer'
    state.dirty = null
    stance = decide(turn, cause)
    // A due time was set under the load of its moment; when that has passed nothing waits for it.
    if (turn.looks === 'asked') retunePacing(state.pacing, state.config.pacing, now)
  }
  // In self-custody orders are all that stands; the spread is that of capital which is not in the pool.
  const isPooled = state.config.rfq === null
  const quoteAt = stance === null || !isPooled ? Infinity : reconcileQuote(turn, stance)
  const ordersAt = reconcileOrders(turn, stance)
  const activationAt = stance === null ? Infinity : reconcileActivation(turn, stance)
  const withdrawalAt = reconcileWithdrawals(turn)
  const dueAt = turn.looks === 'asked' ? pollAndNextDue(turn) : Infinity
  const decideAt = stance === null ? state.processStartedAt + WARM_UP_TIMEOUT_MS : state.decideAt
  // What was due now has been sent; nothing can become due before the next millisecond.
  const next = Math.min(quoteAt, ordersAt, activationAt, withdrawalAt, dueAt, decideAt)
  return { stance, wakeAt: Math.max(now + 1, next) }
}

function pollAndNextDue(turn: Transition): Ms {
  reconcilePolls(turn)
  return nextDueAt(turn.state.pacing, turn.state.config.pacing, turn.now)
}

/** The memory of a position that has never run. */
function initialState(event: StartedEvent): EngineState {
  return {
    now: event.t,
    startedAt: event.t,
    processStartedAt: event.t,
    version: event.version,
    config: event.config,
    market: createMarket(),
    book: createBook(),
    completeness: createReconciliation(),
    completenessSince: event.t,
    gapSince: null,
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
    requests: {},
    nextRequest: 1,
    errorCycles: 0,
    failedRequests: 0,
    authFailure: null,
    exiting: false,
    heard: { account: false, rate: false, balances: false, fills: false },
    activeRules: [],
    decision: null,
    stance: null,
    dirty: null,
    decideAt: 0,
  }
}
