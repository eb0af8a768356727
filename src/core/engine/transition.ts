import { coreAlert, type CoreAlert } from '../alerts/core-alerts.ts'
import type { Severity } from '../alerts/entry.ts'
import { RISK_RULES, type RiskRule } from '../alerts/risk-rules.ts'
import type { Ms } from '../../base/time.ts'
import type { PollKind } from '../pacing/state.ts'
import type { Cause, OwnData } from '../strategy/context.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'
import { requestDecision } from './decision/pending.ts'
import type { Effect } from './model/effect.ts'
import type { InFlight } from './model/in-flight.ts'
import type { Observation } from './model/observation.ts'
import type { EngineState } from './model/state.ts'
import { expedite } from '../pacing/reschedule.ts'

/** Returns whether a cron expression matches the minute of `at`. Pure; the shell provides it. */
export type Calendar = (cron: string, timezone: string, at: Ms) => boolean

/**
 * `engine`: the core paces and sends its polls. `simulated` (backtests): the shell makes the polls and passes on only answers
 * that change something.
 */
export type Polling = 'engine' | 'simulated'

/** Settings that no event changes. */
type TransitionSettings = {
  readonly calendar: Calendar
  readonly data?: OwnData | undefined
  /** Who makes the polls: the core itself, or a shell that simulates them. */
  readonly polling: Polling
  /** See `EngineParts`: false omits samples, changed mids, and the pricing, price check and review of pool fills. */
  readonly observes: boolean
}

/** The processing of one event: the state that it changes, and the only ways to cause something. */
export type Transition = TransitionSettings & {
  readonly seq: number
  readonly now: Ms
  readonly state: EngineState
  readonly strategy: LoadedStrategy
  /** The request that this event answers; undefined = the event is no answer, or its request is not remembered. */
  readonly request: InFlight | undefined
  /** Records an observation for log, metrics and tables. */
  readonly emit: (observation: Observation) => void
  /** Raises an alert, with the severity of the catalogue. */
  readonly alert: (alert: CoreAlert, message: string) => void
  /** Reports that a rule halts trading. */
  readonly halt: (rule: RiskRule, message: string) => void
  /** Reports that the condition of a code has ended, or needs no action. */
  readonly inform: (code: string, message: string) => void
  /** Requests an effect from the shell. */
  readonly send: (effect: Effect) => void
  /** Makes a poll due now. */
  readonly expedite: (poll: PollKind) => void
  /** Requests a decision at the end of this transition; the strategy sees the first cause. */
  readonly requestDecision: (cause: Cause) => void
}

/** The engine's view of a transition, which it reuses for each event, with the effects and observations. */
export type RunningTransition = { -readonly [key in keyof Transition]: Transition[key] } & {
  effects: Effect[]
  observations: Observation[]
  /** When an event last requested a decision. */
  requestedAt: Ms
}

/** Creates the one transition that serves every event, so that an event creates no closures. Handlers must not keep it. */
export function createTransition(
  state: EngineState,
  strategy: LoadedStrategy,
  settings: TransitionSettings,
): RunningTransition {
  const transition: RunningTransition = {
    ...settings,
    seq: 0,
    now: state.now,
    state,
    strategy,
    request: undefined,
    effects: [],
    observations: [],
    emit: (observation) => void transition.observations.push(observation),
    alert: (name, message) => raise(transition, coreAlert(name), message),
    halt: (rule, message) => raise(transition, { severity: RISK_RULES[rule].severity, code: rule }, message),
    inform: (code, message) => raise(transition, { severity: 'info', code }, message),
    send: (effect) => void transition.effects.push(effect),
    expedite: (poll) => expedite(state.pacing, poll),
    requestedAt: -Infinity,
    requestDecision: (cause) => {
      transition.requestedAt = transition.now
      requestDecision(state, cause)
    },
  }
  return transition
}

function raise(
  { observations, now }: RunningTransition,
  { severity, code }: { readonly severity: Severity; readonly code: string },
  message: string,
): void {
  observations.push({ type: 'alert', t: now, severity, code, message })
}
