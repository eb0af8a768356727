import { encodeJson } from '../../src/base/codec.ts'
import type { Ms } from '../../src/base/time.ts'
import type { CoreConfig } from '../../src/core/engine/model/config.ts'
import type { Audit, Engine } from '../../src/core/engine/engine.ts'
import type { Effect } from '../../src/core/engine/model/effect.ts'
import type { EngineState } from '../../src/core/engine/model/state.ts'
import type { Event, OperatorCommand } from '../../src/core/engine/model/event.ts'
import { systemClock, type SystemClock } from '../../src/daemon/runtime/position/clock.ts'
import { createCalendar } from '../../src/daemon/runtime/position/calendar.ts'
import { chainDigest, digestLink, FIRST_DIGEST } from '../../src/daemon/runtime/position/decision-digest.ts'
import { recover } from '../../src/daemon/runtime/position/recover-position.ts'
import type { JournalRecord, Snapshot } from '../../src/store/store.ts'
import { worldStrategy } from '../support/world-strategies.ts'
import type { Scheduler } from './scheduler.ts'
import { createDice } from './dice.ts'
import { createLink, type Link, type LinkParts } from './link.ts'
import { violated, type Step } from './step.ts'
import type { WorldOptions } from './world-options.ts'
import { writeState } from '../../src/core/engine/upcast/written.ts'

export type DaemonParts = Omit<LinkParts, 'clock'> & {
  readonly options: WorldOptions
  readonly scheduler: Scheduler
  readonly now: () => Ms
  /** Keeps the whole journal and chains its digest; without it only what a restart needs is kept. */
  readonly keepJournal: boolean
  readonly onStep: (step: Step) => void
  readonly onCrash: (durableSeq: number) => void
  readonly bug?: PlantedBug
}

/** A bug in the place of the product's own ones: what it does has to be found by an invariant. */
export type PlantedBug = {
  /** What the translation makes of an answer. */
  readonly event?: (event: Event) => Event
  /** What the core works on where the journal has the event as it was. */
  readonly unjournalled?: (event: Event) => Event
  /** What comes out of the core, and what becomes of its state. */
  readonly audit?: (audit: Audit, state: EngineState) => Audit
}

/** The daemon over all its lives: a process dies, the journal stays, the next one continues from it. */
export type Daemon = {
  /** When the core wants to be woken, in true time; Infinity while no process is there. */
  readonly wakeAt: () => Ms
  readonly tick: () => void
  readonly start: () => void
  /** Dies at once: what is in flight is lost to us, what was not on disk has not happened. */
  readonly crash: () => void
  readonly isUp: () => boolean
  /** Null while no process is there. */
  readonly state: () => EngineState | null
  readonly command: (command: OperatorCommand, why: string) => void
  readonly reload: (config: CoreConfig) => void
  readonly setRevoked: (revoked: boolean) => void
  /** Someone sets the machine's clock: so far ahead of what it was at the start of the process, 0 = back again. */
  readonly setClockAhead: (ms: Ms) => void
  readonly journal: () => readonly JournalRecord[]
  readonly digest: () => string
  readonly events: () => number
}

type Process = {
  readonly engine: Engine
  readonly link: Link
  readonly clock: SystemClock
  readonly skewMs: Ms
  wakeAt: Ms
}

export function createDaemon(parts: DaemonParts): Daemon {
  const { options, scheduler, now, bug = {} } = parts
  const settings = options.daemon
  const dice = createDice(options.seed, 'daemon')
  const calendar = createCalendar()
  let config = options.config
  let process: Process | null = null
  let processes = 0
  let revoked = false
  let journal: JournalRecord[] = []
  let snapshots: Snapshot[] = []
  let seq = 0
  let durableSeq = 0
  let events = 0
  let digest = FIRST_DIGEST
  let lastT = 0
  let skew = settings.clockSkewMs
  let clockAhead = 0
  let restored: ReturnType<typeof recover> | null = null

  function submit(received: Event): void {
    const running = process
    if (running === null) return
    const event = bug.event?.(received) ?? received
    seq += 1
    events += 1
    journal.push({ seq, event })
    if (event.t < lastT && event.type !== 'started') violated(`the clock went back at event ${seq}`)
    lastT = event.t
    const processed = running.engine.process(seq, bug.unjournalled?.(event) ?? event)
    const state = running.engine.state()
    if (state === null) violated('a process has no state')
    const audit = bug.audit?.(processed, state) ?? processed
    if (parts.keepJournal) digest = chainDigest(digest, digestLink(audit, state))
    const wanted = Math.ceil(audit.wakeAt) - running.skewMs
    running.wakeAt = Math.max(now() + 1, wanted + dice.between(0, settings.tickLateMs))
    parts.onStep({ seq, event, audit, state, now: now() })
    const written = seq
    if (seq % settings.snapshotEveryEvents === 0) snapshot(state)
    if (settings.journalMs === 0) {
      durableSeq = written
      perform(running, audit.effects)
      return
    }
    scheduler.add(now() + settings.journalMs, () => {
      if (process !== running) return
      durableSeq = written
      perform(running, audit.effects)
    })
  }

  function perform(running: Process, effects: readonly Effect[]): void {
    for (const effect of effects) {
      const deliver = (event: Event) => {
        if (process === running) submit(event)
      }
      if (config.mode === 'dry-run' && effect.type === 'setQuote') {
        const { id, spread } = effect
        scheduler.add(now() + 1, () =>
          deliver({ type: 'quoteSet', t: running.clock.now(), request: id, spread }),
        )
      } else running.link.send(effect, deliver)
    }
  }

  function snapshot(state: EngineState): void {
    snapshots = [...snapshots.slice(-1), { seq, t: state.now, state: writeState(state), digest }]
    const oldest = snapshots[0]
    if (!parts.keepJournal && oldest !== undefined)
      journal = journal.filter((record) => record.seq > oldest.seq)
  }

  function crash(): void {
    const dying = process
    if (dying === null) return
    const whole = durableSeq === seq ? encodeJson(dying.engine.state()) : null
    process = null
    journal = journal.filter((record) => record.seq <= durableSeq)
    snapshots = snapshots.filter((taken) => taken.seq <= durableSeq)
    seq = durableSeq
    parts.onCrash(durableSeq)
    restored = restore()
    if (whole !== null && encodeJson(restored.engine.state()) !== whole) {
      violated('a restart from the snapshot and the journal is not the state that was lost')
    }
  }

  function restore(): ReturnType<typeof recover> {
    const taken = snapshots.at(-1) ?? null
    const tail = journal.filter((record) => record.seq > (taken?.seq ?? 0))
    return recover({ snapshot: taken, tail, suspensions: [], strategyFor: worldStrategy, calendar })
  }

  function start(): void {
    if (process !== null) return
    processes += 1
    if (processes > 1) skew -= Math.round(dice.next() * settings.clockStepMs)
    const skewMs = skew
    // A machine that starts a process has had its clock put right.
    clockAhead = 0
    const clock = systemClock(() => now() + skewMs + clockAhead, now)
    const link = createLink({ ...parts, clock }, processes)
    link.revoked = revoked
    const from = restored ?? restore()
    restored = null
    if (parts.keepJournal) digest = from.digest
    process = { engine: from.engine, link, clock, skewMs, wakeAt: Infinity }
    submit({ type: 'started', t: clock.now(), version: 'world', config, isHandOver: true })
  }

  const clock = () => process?.clock.now() ?? now()
  return {
    wakeAt: () => process?.wakeAt ?? Infinity,
    tick: () => submit({ type: 'tick', t: clock() }),
    start,
    crash,
    isUp: () => process !== null,
    state: () => process?.engine.state() ?? null,
    command: (command, why) => submit({ type: 'operator', t: clock(), who: 'somebody', why, command }),
    reload(next) {
      config = next
      submit({ type: 'reloaded', t: clock(), config })
    },
    setRevoked(next) {
      revoked = next
      if (process !== null) process.link.revoked = next
    },
    setClockAhead(ms) {
      if (process === null || clockAhead === ms) return
      clockAhead = ms
      submit({ type: 'clockJumped', t: clock(), aheadMs: ms })
    },
    journal: () => journal,
    digest: () => digest,
    events: () => events,
  }
}
