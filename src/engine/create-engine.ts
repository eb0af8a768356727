import { invariant } from '../base/invariant.ts'
import type { Ms } from '../base/time.ts'
import { restoreCompleteness } from '../ledger/completeness.ts'
import type { LoadedStrategy } from '../strategy/loaded-strategy.ts'
import { conclude } from './conclude.ts'
import { createContextDesk } from './context-desk.ts'
import type { StrategyChoice } from './core-config.ts'
import type { Effect } from './effect.ts'
import type { EngineState } from './engine-state.ts'
import type { Event } from './event.ts'
import { firstState } from './first-state.ts'
import { handleEvent } from './handle-event.ts'
import { createOrderDesk } from './order-desk.ts'
import { createRfqState } from '../rfq/rfq-state.ts'
import type { Observation } from './observation.ts'
import { approved, type Approved } from '../risk/approved.ts'
import type { Stance } from '../risk/stance.ts'
import { createWithdrawals } from './withdrawal-requests.ts'
import { takeSample } from './take-sample.ts'
import type { Calendar, Looks, Turn } from './turn.ts'

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
  readonly looks?: Looks
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
function takeUp(state: EngineState): EngineState {
  const known = state as Partial<EngineState> & EngineState
  state.rfq = { ...createRfqState(), ...known.rfq }
  state.withdrawals = { ...createWithdrawals(state.config.withdraw), ...known.withdrawals }
  state.orders = { ...createOrderDesk(), ...known.orders }
  state.completeness = restoreCompleteness(state.completeness)
  state.config = { ...state.config, rfq: state.config.rfq ?? null }
  // As `countFill` makes them.
  state.flow.recent.forEach((fill) => Object.freeze(fill))
  if (state.stance !== null) state.stance = { ...state.stance, orders: state.stance.orders ?? [] }
  return state
}

/** The core: equal events in equal order give equal audits, live, in simulation and in replay. */
export function createEngine(parts: EngineParts): Engine {
  let state: EngineState | null = parts.from === undefined ? null : takeUp(parts.from.state)
  let lastSeq = parts.from?.seq ?? 0
  const desk = createContextDesk()
  let strategy: LoadedStrategy | null = state === null ? null : parts.strategyFor(state.config.strategy)
  let suspendAtStart: string | null = null
  const restored = state?.stance ?? null
  let stance: Approved<Stance> | null = restored === null ? null : approved(restored)

  function process(seq: number, event: Event): Audit {
    invariant(seq === lastSeq + 1, `event ${seq} follows ${lastSeq}: the journal has a hole`)
    lastSeq = seq
    if (event.type === 'started' || event.type === 'reloaded')
      strategy = parts.strategyFor(event.config.strategy)
    if (state === null) {
      invariant(event.type === 'started', 'the first event of a journal is `started`')
      state = firstState(event)
      state.strategy.suspended = suspendAtStart
    }
    invariant(strategy !== null, 'an event came before a strategy was loaded')
    const before = state.now
    // The shell's clock may be set back; the core's never is.
    state.now = Math.max(state.now, event.t)
    const turn: Turn = {
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
