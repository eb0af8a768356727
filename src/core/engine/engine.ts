import { invariant } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { OwnData } from '../strategy/context.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import type { StrategyChoice } from './model/config.ts'
import type { Effect } from './model/effect.ts'
import type { EngineState } from './model/state.ts'
import type { Event } from './model/event.ts'
import type { Observation } from './model/observation.ts'
import type { Approved } from '../risk/approved.ts'
import type { Target } from '../risk/approval.ts'
import type { AnswerStretch } from './answer-stretch.ts'
import { takeSample } from './sample.ts'
import {
  type Calendar,
  type Polling,
  type RunningTransition,
  type Transition,
  createTransition,
} from './transition.ts'
import { retunePacing } from '../pacing/reschedule.ts'
import { Decider, repeatDecision } from './decision/decide.ts'
import type { LastQuestion } from './decision/inputs-read.ts'
import { isWarm, WARM_UP_TIMEOUT_MS } from './decision/schedule.ts'
import { reconcileActivation } from './activation/reconcile-activation.ts'
import { reconcileOrders } from './orders/reconcile-orders.ts'
import { reconcileProposals } from './proposals/on-proposal.ts'
import { reconcileQuote } from './quote/reconcile-quote.ts'
import { reconcileWithdrawals } from './withdrawals/on-request.ts'
import { settledPnl } from '../ledger/book/book.ts'
import { recordDayStart } from './accounting/day.ts'
import { settleMarkouts } from './accounting/markouts.ts'
import { suspendStrategy, takeCause } from './decision/pending.ts'
import { sendDuePolls } from './requests/requests.ts'
import { initialState, restoreState } from './initial-state.ts'
import { handleEvent } from './handlers.ts'

/** The result of one event. The arrays belong to the caller until the next call. */
export type Audit = {
  readonly seq: number
  readonly effects: readonly Effect[]
  readonly observations: readonly Observation[]
  /** When the core needs a tick at the latest; no tick is needed if another event comes first. */
  readonly wakeAt: Ms
  /** When the core needs a tick for another reason than the next decision. */
  readonly reconcileAt: Ms
}

type EngineParts = {
  /** Returns the loaded code of a strategy that a `started` or `reloaded` event names. */
  readonly strategyFor: (choice: StrategyChoice) => LoadedStrategy
  readonly calendar: Calendar
  /** For backtests; absent = a strategy has no data of its own. */
  readonly data?: OwnData | undefined
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
  /**
   * The first half of `process`: updates the state and decides nothing. For research, which leaves out conclusions that would
   * change nothing (see `horizonOf`). Returns whether the update itself caused neither an effect nor an observation.
   */
  readonly update: (seq: number, event: Event) => boolean
  /**
   * The second half of `process`, for the last updated event: decides and reconciles. `decidedAt`: the time of the last update that
   * requested a decision, if that was an earlier one.
   */
  readonly conclude: (decidedAt?: Ms) => Audit
  /** Instead of `conclude`, where the decision that is due would repeat the last one: records only its time. */
  readonly repeat: (decidedAt: Ms) => void
  /**
   * Instead of `update`, for the answers of a stretch within the horizon: writes to the state what they have changed, for a core
   * that sends no polls and observes nothing.
   */
  readonly absorb: (stretch: AnswerStretch) => void
  /** Suspends the strategy before the next event, after the supervisor killed a worker that hung in it. */
  readonly suspendStrategy: (why: string) => void
  /** Returns the live state with its marks settled, which the caller must not change. Null before the first `started`. */
  readonly state: () => EngineState | null
  /** Returns when an update last requested a decision. */
  readonly requestedAt: () => Ms
  /** Returns when this engine last asked the strategy, what it read and what it plots; null = not asked yet. */
  readonly lastQuestion: () => LastQuestion | null
}

/** The parts of a core that has started; they share one state. */
type Running = { readonly transition: RunningTransition; readonly decider: Decider }

type Due = Pick<Audit, 'wakeAt' | 'reconcileAt'>

const NONE: readonly never[] = []
const NEVER = { wakeAt: Infinity, reconcileAt: Infinity }

/** Creates the core. Equal events in equal order give equal audits, live, in simulation and in replay. */
export function createEngine(parts: EngineParts): Engine {
  const { strategyFor, from } = parts
  let lastSeq = from?.seq ?? 0
  /** The core's time before the last event. */
  let before: Ms = from?.state.now ?? 0
  let suspendAtStart: string | null = null
  let running = from === undefined ? null : begin(parts, restoreState(from.state))

  function update(seq: number, event: Event): boolean {
    // The message is built only on failure, because building it costs more than the rest of a quiet event.
    if (seq !== lastSeq + 1) invariant(false, `event ${seq} follows ${lastSeq}: the journal has a hole`)
    lastSeq = seq
    if (running === null) running = start(parts, event, suspendAtStart)
    else if (event.type === 'started' || event.type === 'reloaded')
      running.transition.strategy = strategyFor(event.config.strategy)
    const { transition } = running
    before = transition.state.now
    startTransition(transition, seq, event.t)
    handleEvent(transition, event)
    return transition.effects.length === 0 && transition.observations.length === 0
  }

  function conclude(decidedAt?: Ms): Audit {
    invariant(running !== null, 'nothing was updated before this conclusion')
    return concludeNow(running, before, decidedAt ?? running.transition.state.now)
  }

  return {
    process(seq, event) {
      update(seq, event)
      return conclude()
    },
    update,
    conclude,
    repeat: (decidedAt) => repeatIfDue(running, decidedAt),
    absorb(stretch) {
      lastSeq += stretch.answers
      absorbNow(running, stretch, lastSeq)
    },
    suspendStrategy(why) {
      if (running === null) suspendAtStart = why
      else suspendStrategy(running.transition.state, why)
    },
    state: () => settledState(running),
    requestedAt: () => running?.transition.requestedAt ?? -Infinity,
    lastQuestion: () => running?.decider.lastQuestion() ?? null,
  }
}

function start(parts: EngineParts, event: Event, suspension: string | null): Running {
  invariant(event.type === 'started', 'the first event of a journal is `started`')
  const begun = begin(parts, initialState(event))
  if (suspension !== null) suspendStrategy(begun.transition.state, suspension)
  return begun
}

function begin(parts: EngineParts, state: EngineState): Running {
  const { strategyFor, calendar, data, polling = 'engine', observes = true } = parts
  const settings = { calendar, data, polling, observes }
  return {
    transition: createTransition(state, strategyFor(state.config.strategy), settings),
    decider: new Decider(),
  }
}

function settledState(running: Running | null): EngineState | null {
  if (running === null) return null
  settledPnl(running.transition.state.book)
  return running.transition.state
}

function absorbNow(running: Running | null, stretch: AnswerStretch, seq: number): void {
  invariant(running?.transition.observes === false, 'a stretch is absorbed by a core that observes nothing')
  stretch.end()
  startTransition(running.transition, seq, stretch.lastAt)
}

function concludeNow({ transition, decider }: Running, before: Ms, decidedAt: Ms): Audit {
  const { state } = transition
  // The process ends and leaves the position unchanged: no further request is sent.
  const isLeft = state.exiting && state.config.quote.onExit === 'keep'
  const due = isLeft ? NEVER : decideAndReconcile(transition, decider, decidedAt)
  takeSample(transition, before)
  return auditOf(transition, due)
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

/**
 * Assesses the rules, asks the strategy and approves a target if a decision is due, then reconciles the position with the
 * approved target. Returns when the core has to be called again at the latest.
 */
function decideAndReconcile(transition: RunningTransition, decider: Decider, decidedAt: Ms): Due {
  const { state, now } = transition
  if (isDecisionDue(state) && isWarm(state)) {
    transition.now = decidedAt
    decider.decide(transition, takeCause(state))
    transition.now = now
    // A poll may be due sooner than it was scheduled under a load that has passed.
    if (transition.polling === 'engine') retunePacing(state.pacing, state.config.pacing, now)
  }
  const { approvedTarget, processStartedAt, decideAt } = state
  const decideBy = approvedTarget === null ? processStartedAt + WARM_UP_TIMEOUT_MS : decideAt
  let reconcileAt = Infinity
  for (const reconcile of RECONCILERS)
    reconcileAt = Math.min(reconcileAt, reconcile(transition, approvedTarget))
  // Everything due now was sent, so nothing is due before the next millisecond.
  return { wakeAt: Math.max(now + 1, Math.min(decideBy, reconcileAt)), reconcileAt }
}

function repeatIfDue(running: Running | null, decidedAt: Ms): void {
  const state = running?.transition.state
  if (state !== undefined && isDecisionDue(state)) repeatDecision(state, decidedAt)
}

function isDecisionDue({ dirty, now, decideAt, approvedTarget }: EngineState): boolean {
  return dirty !== null || now >= decideAt || approvedTarget === null
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
function auditOf({ seq, effects, observations }: RunningTransition, due: Due): Audit {
  return {
    seq,
    effects: effects.length > 0 ? effects : NONE,
    observations: observations.length > 0 ? observations : NONE,
    wakeAt: due.wakeAt,
    reconcileAt: due.reconcileAt,
  }
}
