import { invariant } from '../../../../src/base/result.ts'
import type { Ms } from '../../../../src/base/time.ts'
import { type Effect, isOrderEffect } from '../../../../src/core/engine/model/effect.ts'
import type { Event, OperatorCommand } from '../../../../src/core/engine/model/event.ts'
import type { ExitReport } from '../../../../src/core/engine/lifecycle/exit-report.ts'
import type { EngineState } from '../../../../src/core/engine/model/state.ts'
import type { Engine } from '../../../../src/core/engine/engine.ts'
import { createCalendar } from '../../../../src/daemon/runtime/position/calendar.ts'
import { systemClock, type SystemClock } from '../../../../src/daemon/runtime/position/clock.ts'
import { handOverPosition, leavePosition } from '../../../../src/daemon/runtime/position/leave-position.ts'
import {
  createPositionLoop,
  type PositionLoop,
} from '../../../../src/daemon/runtime/position/position-loop.ts'
import { recover } from '../../../../src/daemon/runtime/position/recover-position.ts'
import type { Holding } from '../../../../src/store/postgres/holding.ts'
import { createPostgresWriter } from '../../../../src/store/postgres/writer.ts'
import { START } from '../../../../src/store/tables/operator-actions.ts'
import type { Timing } from '../../../../src/base/threads/timing.ts'
import { createVenueCalls, effectCall } from '../../../../src/venue/endpoints.ts'
import { createFillsWindow } from '../../../../src/venue/fills-window.ts'
import { outcomeEvent } from '../../../../src/venue/perform.ts'
import type { HandOverBug } from './bugs.ts'
import type { StoredJournal } from './database.ts'
import { CORE, STRATEGY } from './settings.ts'
import { createDeskStore, type DeskStore } from './store.ts'
import { type DeskClient, type DeskVenue, VENUE_SETTINGS } from './venue.ts'

export type DeskParts = {
  readonly holding: Holding
  readonly stored: StoredJournal
  readonly venue: DeskVenue
  readonly client: DeskClient
  readonly timing: Timing
  readonly bug: HandOverBug
  /** The journal can no longer be written. */
  readonly onLost: (error: unknown) => void
}

const CALLS = createVenueCalls(VENUE_SETTINGS)
const CALENDAR = createCalendar()

/** A position that is held: the real core behind the real loop, recovered from what the holder before has journalled. */
export class Desk {
  readonly #parts: DeskParts
  readonly #store: DeskStore
  readonly #engine: Engine
  readonly #clock: SystemClock
  readonly #loop: PositionLoop
  readonly #fillsWindow = createFillsWindow()
  #isStopped = false

  constructor(parts: DeskParts) {
    this.#parts = parts
    const { stored, holding, venue, timing, bug, onLost } = parts
    const { lastSeq, snapshot, tail } = stored
    const written = {
      lastSeq,
      treasurySeq: 0,
      projected: lastSeq,
      projectedBefore: lastSeq,
      chain: { seq: 0, n: -1, hash: START },
    }
    this.#store = createDeskStore(createPostgresWriter(holding, written), onLost)
    const unsent: Effect[] = []
    const recovered = recover({
      snapshot,
      tail,
      suspensions: [],
      strategyFor: () => STRATEGY,
      calendar: CALENDAR,
      onAudit: (_, { effects }) => void unsent.push(...effects.filter(({ type }) => sendsAgain(bug, type))),
    })
    this.#engine = recovered.engine
    this.#clock = systemClock(
      () => venue.time(),
      () => venue.time(),
    )
    const before = this.#engine.state()
    if (before !== null) this.#clock.notBefore(before.now)
    this.#loop = createPositionLoop({
      store: this.#store,
      engine: this.#engine,
      clock: this.#clock,
      perform: (effect) => this.#perform(effect),
      observe: () => undefined,
      observeDecision: () => undefined,
      heartbeat: { enter: () => undefined, leave: () => undefined },
      from: recovered,
      timing,
    })
    const t = this.#clock.now()
    this.#loop.submit({ type: 'started', t, version: 'world', config: CORE, isHandOver: true })
    for (const effect of unsent) void this.#perform(effect)
  }

  /** As the loop has it: whether it decides, and what it decides reaches the journal. */
  readonly isAlive = (): boolean => !this.#isStopped && this.#loop.isAlive()

  state(): EngineState {
    const state = this.#engine.state()
    invariant(state !== null, 'a desk that runs has a state')
    return state
  }

  command(command: OperatorCommand): void {
    if (this.#isStopped) return
    this.#loop.submit({ type: 'operator', t: this.#clock.now(), who: 'somebody', why: 'a world', command })
  }

  handOver(withinMs: Ms): Promise<ExitReport> {
    return handOverPosition(this.#leaving(), withinMs)
  }

  shutdown(withinMs: Ms): Promise<ExitReport> {
    this.command({ name: 'shutdown' })
    return leavePosition(this.#leaving(), withinMs)
  }

  stop(): void {
    this.#isStopped = true
    this.#loop.stop()
  }

  flush(): Promise<void> {
    return this.#store.flush()
  }

  #leaving() {
    const { timing } = this.#parts
    return { loop: this.#loop, stateNow: () => this.state(), stop: () => this.stop(), timing }
  }

  async #perform(effect: Effect): Promise<Event> {
    invariant(!isOrderEffect(effect), 'a desk in the pool signs no orders')
    const { client } = this.#parts
    const sentAt = this.#clock.now()
    const call = effectCall(CALLS, effect, VENUE_SETTINGS)
    const sent = { route: call.route, sentAt }
    const result = await client.send(call)
    const outcome = outcomeEvent(effect, result, { ...sent, t: this.#clock.now() }, this.#fillsWindow)
    return this.#parts.bug.renamesFills === true ? renamed(outcome, this.#parts.holding.fence) : outcome
  }
}

/** A planted bug: what of a journal is performed at a restart. */
function sendsAgain({ sendsAgain: what }: HandOverBug, type: Effect['type']): boolean {
  return what === 'everything' || (what === 'activations' && type === 'activate')
}

/** A planted bug: what one holder has seen is another thing to the next one. */
function renamed(outcome: Event, fence: number): Event {
  if (outcome.type !== 'fills') return outcome
  return { ...outcome, fills: outcome.fills.map((fill) => ({ ...fill, id: `${fill.id}-${fence}` })) }
}
