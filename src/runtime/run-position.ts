import type { Ms } from '../base/time.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import type { CoreConfig } from '../engine/core-config.ts'
import type { Audit } from '../engine/create-engine.ts'
import type { Effect } from '../engine/effect.ts'
import type { Event, OperatorCommand, ReloadedEvent, ReloadRefusedEvent } from '../engine/event.ts'
import { exitSettled, type ExitReport } from '../engine/exit-settled.ts'
import type { EngineState } from '../engine/engine-state.ts'
import type { Observation } from '../engine/observation.ts'
import type { LoadedStrategy } from '../strategy/loaded-strategy.ts'
import type { Store, Suspension } from '../store/store.ts'
import { createCalendar } from './calendar.ts'
import type { Clock } from './clock.ts'
import { createPositionLoop, type PositionLoopParts } from './position-loop.ts'
import { recover, type Heartbeat } from './recover.ts'
import { strategyChoices } from './strategy-choices.ts'
import { createStrategyShelf } from './strategy-shelf.ts'
import type { CommandAnswer } from './worker-message.ts'

export type RunPositionParts = {
  readonly config: LoadedConfig
  readonly version: string
  readonly store: Store
  readonly clock: Clock
  readonly perform: (effect: Effect) => Promise<Event>
  readonly observe: (observation: Observation) => void
  readonly observeDecision: (seconds: number) => void
  /** As in the loop; it hears of what a restart replays too. */
  readonly record?: PositionLoopParts['record']
  readonly heartbeat: Heartbeat
  readonly suspension: Suspension | null
  /** Loads the code of a strategy named in the journal; undefined when it is not to be had any more. */
  readonly loadStrategy: (choice: CoreConfig['strategy']) => Promise<LoadedStrategy | undefined>
}

export type RunningPosition = {
  readonly state: () => EngineState
  readonly seq: () => number
  readonly digest: () => string
  readonly command: (command: OperatorCommand, who: string, why: string) => CommandAnswer
  readonly reload: (config: LoadedConfig, by?: ReloadedEvent['by']) => void
  /** The journal has that a reload was refused, and whose. */
  readonly reloadRefused: (problems: string, by?: ReloadedEvent['by']) => void
  /** Leaves the position as `quote.onExit` says, waits for the venue's word, writes a snapshot. */
  readonly shutdown: (withinMs: Ms) => Promise<ExitReport>
  readonly stop: () => void
}

const EXIT_LOOK_MS = 25

/** Recovers the core from the store, starts the loop and hands out its reins. */
export async function runPosition(parts: RunPositionParts): Promise<RunningPosition> {
  const { config, store, clock } = parts
  if (parts.suspension !== null) store.saveSuspension(parts.suspension)
  const { snapshot, tail, suspensions } = store.recover()
  const shelf = createStrategyShelf()
  shelf.put(config.core.strategy, config.strategy)
  const all = parts.suspension === null ? suspensions : [...suspensions, parts.suspension]
  const { engine, seq, digest } = await replayTail(parts, { snapshot, tail, suspensions: all }, shelf)
  const pending = all.find((suspension) => suspension.seq > seq)
  if (pending !== undefined) engine.suspendStrategy(pending.reason)

  const loop = createPositionLoop({ ...parts, engine, from: { seq, digest } })
  loop.submit({ type: 'started', t: clock.now(), version: parts.version, config: config.core })

  function stateNow(): EngineState {
    const state = engine.state()
    if (state === null) throw new Error('a running position has a state')
    return state
  }

  return {
    state: stateNow,
    seq: loop.seq,
    digest: loop.digest,
    command(command, who, why) {
      return answerOf(loop.submit({ type: 'operator', t: clock.now(), who, why, command }))
    },
    reload(next, by) {
      shelf.put(next.core.strategy, next.strategy)
      const event: ReloadedEvent = { type: 'reloaded', t: clock.now(), config: next.core }
      loop.submit(by === undefined ? event : { ...event, by })
    },
    reloadRefused(problems, by) {
      const event: ReloadRefusedEvent = { type: 'reloadRefused', t: clock.now(), problems }
      loop.submit(by === undefined ? event : { ...event, by })
    },
    async shutdown(withinMs) {
      const deadline = clock.now() + withinMs
      loop.submit({
        type: 'operator',
        t: clock.now(),
        who: 'mizani',
        why: 'shutdown',
        command: { name: 'shutdown' },
      })
      while (!exitSettled(stateNow()).settled && clock.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, EXIT_LOOK_MS))
      }
      loop.snapshot()
      loop.stop()
      return exitSettled(stateNow())
    },
    stop: loop.stop,
  }
}

function answerOf(audit: Audit): CommandAnswer {
  const told = audit.observations.find((observation) => observation.type === 'operator')
  return told === undefined
    ? { accepted: false, answer: 'no answer' }
    : { accepted: told.accepted, answer: told.answer }
}

/** The strategies that the snapshot and the tail name have to be loaded before the synchronous replay. */
async function replayTail(
  parts: RunPositionParts,
  from: Pick<ReturnType<Store['recover']>, 'snapshot' | 'tail' | 'suspensions'>,
  shelf: ReturnType<typeof createStrategyShelf>,
): Promise<ReturnType<typeof recover>> {
  const tail = [...from.tail]
  for (const choice of strategyChoices(from.snapshot, tail)) {
    if (shelf.find(choice) !== undefined) continue
    const loaded = await parts.loadStrategy(choice)
    if (loaded !== undefined) shelf.put(choice, loaded)
  }
  return recover({
    ...from,
    tail,
    calendar: createCalendar(),
    heartbeat: parts.heartbeat,
    // Code that is gone cannot be replayed; what it decided is history, and today's code takes over.
    strategyFor: (choice) => shelf.find(choice) ?? parts.config.strategy,
    onAudit({ seq, event }, audit, _digest, state) {
      parts.store.project(seq, audit.observations)
      parts.record?.(seq, event, audit, state)
    },
  })
}
