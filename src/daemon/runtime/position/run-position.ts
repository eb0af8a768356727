import type { OperatorAnswer } from '../../console/position-port.ts'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { Audit } from '../../../core/engine/engine.ts'
import type {
  Event,
  OperatorCommand,
  ReferenceEvent,
  ReferenceFailedEvent,
  RequestsElsewhereEvent,
  WalletTransfersEvent,
} from '../../../core/engine/model/event.ts'
import type { ProposalOrder } from '../../../core/engine/model/proposal-state.ts'
import type { ReloadedEvent, ReloadRefusedEvent } from '../../../core/engine/model/config-event.ts'
import type { GuardEvent } from '../../../core/engine/model/guard-state.ts'
import { exitSettled, type ExitReport } from '../../../core/engine/lifecycle/exit-report.ts'
import type { LastQuestion } from '../../../core/engine/decision/inputs-read.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import { elsewhereFrom } from '../../../core/engine/requests/key-access.ts'
import type { Store, Suspension } from '../../../store/store.ts'
import { beginClock, type SystemClock } from './clock.ts'
import { createPositionLoop, type PositionLoop, type PositionLoopParts } from './position-loop.ts'
import { overridden, type Overridden } from './overrides.ts'
import type { SavedStop } from './saved-stops.ts'
import { handOverPosition, leavePosition } from './leave-position.ts'
import { recoverPosition, type Recovered } from './recover-position.ts'
import { createStrategyRegistry, type StrategyLoader, type StrategyRegistry } from './strategy-registry.ts'

export type RunPositionParts = Pick<
  PositionLoopParts,
  'perform' | 'observe' | 'observeDecision' | 'record' | 'heartbeat'
> & {
  /** The configuration of its file; operator settings come from the journal. */
  readonly config: LoadedConfig
  readonly version: string
  readonly store: Store
  readonly clock: SystemClock
  /** Returns what the venue's clock shows; null or absent = unknown. Asked where the position was stopped for a while. */
  readonly venueTime?: () => Promise<Ms | null>
  /** Called once with the error of the core or a listener: the position has stopped and recovers by a restart. */
  readonly onCrash?: (error: unknown) => void
  readonly suspension: Suspension | null
  /** Stops that the position has not processed yet: they are in force before it decides. */
  readonly stops?: readonly SavedStop[]
  /** Times of requests with the key by this process and earlier commands, which the journal lacks. */
  readonly alreadySent?: readonly Ms[]
  readonly loadStrategy: StrategyLoader
}

export type RunningPosition = Pick<PositionLoop, 'seq' | 'digest' | 'isAlive' | 'whenDurable' | 'stop'> & {
  readonly state: () => EngineState
  /** The configuration at its start. */
  readonly begun: Overridden
  /** When and why the strategy was last asked; null = not yet in this process. */
  readonly lastQuestion: () => LastQuestion | null
  /** The position's clock. */
  readonly now: () => Ms
  /** Submits a change of the position's state at its guard. */
  readonly submitGuard: (event: GuardEvent) => void
  /** Counts requests that other processes sent with the key, by their times. */
  readonly countElsewhere: (times: readonly Ms[]) => void
  /**
   * Whether a command's request may be sent now from the position's budget; if so, it is journalled as sent. False once the position has
   * ended.
   */
  readonly admitRequest: (budget: RequestsElsewhereEvent['lane']) => boolean
  /** Refused once the position has ended: without a journal nothing is decided. */
  readonly command: (command: OperatorCommand, who: string, why: string, key?: string) => OperatorAnswer
  /** Keeps or settles a proposal. Refused once the position has ended. */
  readonly proposal: (order: ProposalOrder, who: string, why: string) => OperatorAnswer
  /** A reading of a feed, the failure to get one, or transfers that the chain shows. */
  readonly submitReading: (event: ReferenceEvent | ReferenceFailedEvent | WalletTransfersEvent) => void
  readonly reload: (next: Overridden, by?: ReloadedEvent['by']) => void
  /** Journals that a reload was refused, and who requested it. */
  readonly reloadRefused: (problems: string, by?: ReloadedEvent['by']) => void
  /** Shuts down as configured by `quote.onExit`, waits for the venue's confirmation, writes a snapshot. */
  readonly shutdown: (withinMs: Ms) => Promise<ExitReport>
  /** Hands the position to another daemon: the last write completes, and the quote stays unchanged. */
  readonly handOver: (withinMs: Ms) => Promise<ExitReport>
}

export const ENDED: OperatorAnswer = {
  accepted: false,
  answer: 'the position has ended; the command was not processed',
}

/** Recovers the core from the store and starts the loop. */
export async function runPosition(parts: RunPositionParts): Promise<RunningPosition> {
  const { clock } = parts
  const strategies = createStrategyRegistry(parts.config)
  const { engine, seq, digest } = await restore(parts, strategies)
  const begun = await overridden(parts.config, engine.state()?.overrides ?? {})
  strategies.register(begun.config.core.strategy, begun.config.strategy)
  const { onCrash } = parts
  let ended = false
  const guard = onCrash === undefined ? {} : { onCrash: crash }
  const hasRun = engine.state() !== null
  const from = hasRun ? journalStops(parts, engine, { seq, digest }) : { seq, digest }
  const loop = createPositionLoop({ ...parts, ...guard, engine, from })
  submit({
    type: 'started',
    t: clock.now(),
    version: parts.version,
    config: begun.config.core,
    ...overridesOf(begun),
    isHandOver: true,
  })
  if (!hasRun) for (const stop of parts.stops ?? []) submit(stopEvent(stop, clock.now()))
  clock.onJump((aheadMs) => void submit({ type: 'clockJumped', t: clock.now(), aheadMs }))
  countSent(submit, clock.now(), parts.alreadySent ?? [])

  function stateNow(): EngineState {
    const state = engine.state()
    if (state === null) throw new Error('a running position has a state')
    return state
  }

  function stop(): void {
    ended = true
    clock.onJump(null)
    loop.stop()
  }

  function crash(error: unknown): void {
    if (ended) return
    stop()
    onCrash?.(error)
  }

  /** Returns null if the position has ended, or if the event ended it. */
  function submit(event: Event): Audit | null {
    if (ended) return null
    try {
      return loop.submit(event)
    } catch (error) {
      if (onCrash === undefined) throw error
      crash(error)
      return null
    }
  }

  const controls = { clock, loop, strategies, stateNow, submit, hasEnded: () => ended }
  return { ...controlsOf(controls, stop), begun, lastQuestion: engine.lastQuestion, stop }
}

/** Journals stops before the start, like a command without a daemon: their effects are not sent, and the start finds them in force. */
function journalStops(
  parts: RunPositionParts,
  engine: PositionLoopParts['engine'],
  from: PositionLoopParts['from'],
): PositionLoopParts['from'] {
  if (parts.stops === undefined || parts.stops.length === 0) return from
  const loop = createPositionLoop({ ...parts, engine, from })
  for (const stop of parts.stops) loop.submit(stopEvent(stop, parts.clock.now()))
  loop.stop()
  return { seq: loop.seq(), digest: loop.digest() }
}

/** Returns the event by which the core takes a stop. */
export function stopEvent({ command, who, why }: SavedStop, t: Ms): Event {
  return { type: 'operator', t, who, why, command }
}

type Controlled = {
  readonly clock: SystemClock
  readonly loop: PositionLoop
  readonly strategies: StrategyRegistry
  readonly stateNow: () => EngineState
  readonly submit: (event: Event) => Audit | null
  readonly hasEnded: () => boolean
}

function controlsOf(
  parts: Controlled,
  stop: () => void,
): Omit<RunningPosition, 'stop' | 'begun' | 'lastQuestion'> {
  const { clock, loop, strategies, stateNow, submit, hasEnded } = parts
  return {
    state: stateNow,
    now: clock.now,
    seq: loop.seq,
    digest: loop.digest,
    isAlive: () => !hasEnded() && loop.isAlive(),
    whenDurable: loop.whenDurable,
    submitGuard: submit,
    countElsewhere: (times) => countSent(submit, clock.now(), times),
    admitRequest(budget) {
      const t = clock.now()
      if (hasEnded() || elsewhereFrom(stateNow(), t, budget) > t) return false
      return submit({ type: 'requestsElsewhere', t, lane: budget, times: [t] }) !== null
    },
    command(command, who, why, key) {
      const named = key === undefined ? {} : { key }
      const audit = submit({ type: 'operator', t: clock.now(), who, why, command, ...named })
      return audit === null ? ENDED : answerOf(audit)
    },
    proposal(order, who, why) {
      const audit = submit({ type: 'proposal', t: clock.now(), who, why, order })
      return audit === null ? ENDED : answerOf(audit)
    },
    submitReading: submit,
    reload(next, by) {
      if (hasEnded()) return
      const { core, strategy } = next.config
      strategies.register(core.strategy, strategy)
      const revives = stateNow().strategy.suspended === null ? {} : { revives: true }
      const changes = { ...overridesOf(next), ...revives }
      const event: ReloadedEvent = { type: 'reloaded', t: clock.now(), config: core, ...changes }
      submit(by === undefined ? event : { ...event, by })
    },
    reloadRefused(problems, by) {
      const event: ReloadRefusedEvent = { type: 'reloadRefused', t: clock.now(), problems }
      submit(by === undefined ? event : { ...event, by })
    },
    async shutdown(withinMs) {
      const command = { name: 'shutdown' } as const
      submit({ type: 'operator', t: clock.now(), who: 'mizani', why: 'shutdown', command })
      if (hasEnded()) return exitSettled(stateNow())
      return leavePosition({ loop, stateNow, stop }, withinMs)
    },
    async handOver(withinMs) {
      if (hasEnded()) return exitSettled(stateNow())
      return handOverPosition({ loop, stateNow, stop }, withinMs)
    },
  }
}

/** Returns the overrides field of an event; without overrides, no field. */
function overridesOf({ set, dropped }: Overridden): Pick<ReloadedEvent, 'overrides'> {
  const isNothing = Object.keys(set).length === 0 && dropped.length === 0
  return isNothing ? {} : { overrides: { set, dropped } }
}

function countSent(submit: (event: Event) => unknown, t: Ms, times: readonly Ms[]): void {
  if (times.length > 0) submit({ type: 'requestsElsewhere', t, lane: 'key', times })
}

/** Recovers the core from the store; time continues from there. */
async function restore(parts: RunPositionParts, strategies: StrategyRegistry): Promise<Recovered> {
  const { store, clock, heartbeat, loadStrategy } = parts
  const { snapshot, tail, suspensions, lastSeq } = store.recover()
  const suspension = onDisk(parts.suspension, lastSeq)
  if (suspension !== null) store.saveSuspension(suspension)
  const recovered = await recoverPosition({
    from: { snapshot, tail, suspensions: suspension === null ? suspensions : [...suspensions, suspension] },
    strategies,
    loadStrategy,
    heartbeat,
    onAudit({ seq, event }, audit, _digest, state) {
      store.project(seq, audit.observations)
      parts.record?.(seq, event, audit, state)
    },
  })
  const state = recovered.engine.state()
  if (state !== null) await beginClock(clock, state.now, parts.venueTime ?? (() => Promise.resolve(null)))
  return recovered
}

/** An event that never reached the disk gives its number to the next one, which the suspension then applies to. */
function onDisk(suspension: Suspension | null, lastSeq: number): Suspension | null {
  return suspension === null ? null : { ...suspension, seq: Math.min(suspension.seq, lastSeq + 1) }
}

/** The core's answer to an operator's command. */
export function answerOf({ observations }: Audit): OperatorAnswer {
  const answered = observations.find((observation) => observation.type === 'operator')
  return { accepted: answered?.accepted ?? false, answer: answered?.answer ?? 'no answer' }
}
