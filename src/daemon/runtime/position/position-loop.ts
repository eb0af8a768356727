import type { Ms } from '../../../base/time.ts'
import type { Audit, Engine } from '../../../core/engine/engine.ts'
import { unkeptMemory } from '../../../core/strategy/memory.ts'
import type { Effect } from '../../../core/engine/model/effect.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import type { Event } from '../../../core/engine/model/event.ts'
import type { Observation } from '../../../core/engine/model/observation.ts'
import type { Store } from '../../../store/store.ts'
import type { Timing } from '../../../base/threads/timing.ts'
import type { Clock } from './clock.ts'
import { type Heartbeat, processInside } from './hang-watch.ts'
import { createDecisionDigest } from './decision-digest.ts'
import { createJournalLoop } from '../journal-loop.ts'
import { writeState } from '../../../core/engine/upcast/written.ts'

export type PositionLoopParts = {
  readonly store: Pick<Store, 'append' | 'project' | 'saveSnapshot' | 'onDurable'>
  readonly engine: Engine
  readonly clock: Clock
  /** Performs one effect and resolves with its outcome as an event; never rejects. */
  readonly perform: (effect: Effect) => Promise<Event>
  readonly observe: (observation: Observation) => void
  readonly observeDecision: (seconds: number) => void
  /** Called with every event, replayed ones too, and what the core decided. */
  readonly record?: (seq: number, event: Event, audit: Audit, state: EngineState | null) => void
  /** Receives errors that the core or a listener throws on the loop's own events; absent = they are thrown. */
  readonly onCrash?: (error: unknown) => void
  /** Set before and after the core runs, so that a supervisor detects a core that hangs. */
  readonly heartbeat: Heartbeat
  readonly from: { readonly seq: number; readonly digest: string }
  /** Replaced only in simulations. */
  readonly timing?: Timing
}

export type PositionLoop = {
  /** Takes an event that did not come from an effect: a start, a person, a reload. */
  readonly submit: (event: Event) => Audit
  readonly seq: () => number
  readonly digest: () => string
  /** Resolves with true once all events so far are on disk; false = the loop was stopped before. */
  readonly whenDurable: () => Promise<boolean>
  /** Writes a snapshot of the core's state. */
  readonly snapshot: () => void
  /** Whether the loop decides and its decisions reach the disk; false after it was stopped. */
  readonly isAlive: () => boolean
  /** Ends all events and effects. */
  readonly stop: () => void
}

const SNAPSHOT_EVERY = 2_000
/** If a commit takes longer than this, all effects stall; treat the position as unresponsive. */
const JOURNAL_PATIENCE_MS: Ms = 1_500

/** The loop of a position's core, with its log, its decision digest and its snapshots. */
export function createPositionLoop(parts: PositionLoopParts): PositionLoop {
  const { store, engine, clock } = parts
  let { seq } = parts.from
  let snapshotSeq = seq
  const chain = createDecisionDigest(parts.from.digest)
  const submitOwn = guarded(parts, submit)
  // Logging and hashing are done while the journal is written, off the path of the effects.
  const report = guarded(parts, (observations: Audit['observations']) => {
    observations.forEach(parts.observe)
    chain.value()
  })
  const loop = createJournalLoop<Event, Audit, Effect, Event>({
    append(event) {
      seq += 1
      store.append(seq, event)
      return seq
    },
    onDurable: store.onDurable,
    process: (at, event) => decide(parts, at, event),
    effectsOf: ({ effects }) => effects,
    perform: parts.perform,
    onOutcome: submitOwn,
    onError: crashOf(parts),
    onWake: () => submitOwn({ type: 'tick', t: clock.now() }),
    now: clock.now,
    timing: parts.timing,
  })

  function submit(event: Event): Audit {
    const codeBefore = codeOf(engine)
    const audit = loop.submit(event)
    chain.add(audit, engine.state())
    if (audit.observations.length > 0) store.project(seq, audit.observations)
    loop.wakeAt(audit.wakeAt)
    parts.record?.(seq, event, audit, engine.state())
    queueMicrotask(() => report(audit.observations))
    if (isOtherCode(codeBefore, engine) || seq - snapshotSeq >= SNAPSHOT_EVERY) snapshot()
    return audit
  }

  function snapshot(): void {
    const state = engine.state()
    if (state === null || seq === snapshotSeq) return
    // The core suspends a strategy whose memory cannot be written; until then the journal alone is the record.
    if (state.strategy.memory !== null && unkeptMemory(state.strategy.memory) !== null) return
    snapshotSeq = seq
    store.saveSnapshot({ seq, t: state.now, state: writeState(state), digest: chain.value() })
  }
  return {
    submit,
    seq: () => seq,
    digest: chain.value,
    whenDurable: () => loop.whenDurable(seq),
    snapshot,
    isAlive: () => loop.waitedMs() < JOURNAL_PATIENCE_MS,
    stop: loop.stop,
  }
}

/** Returns the hash of the strategy's current code; null = before the first start. */
function codeOf(engine: Engine): string | null {
  return engine.state()?.config.strategy.sourceHash ?? null
}

/**
 * Returns whether the strategy's code changed. A snapshot is then taken, so that a restart does not replay old events with new code, which
 * may hang on them.
 */
function isOtherCode(before: string | null, engine: Engine): boolean {
  return before !== null && codeOf(engine) !== before
}

function crashOf({ onCrash }: Pick<PositionLoopParts, 'onCrash'>): (error: unknown) => void {
  return (error) => {
    if (onCrash === undefined) throw error
    onCrash(error)
  }
}

function guarded<Given>(
  parts: Pick<PositionLoopParts, 'onCrash'>,
  work: (given: Given) => void,
): (given: Given) => void {
  const crash = crashOf(parts)
  return (given) => {
    try {
      work(given)
    } catch (error) {
      crash(error)
    }
  }
}

/** Runs the core on one event, timed and inside the heartbeat. */
function decide({ engine, heartbeat, observeDecision }: PositionLoopParts, seq: number, event: Event): Audit {
  const began = performance.now()
  const audit = processInside(heartbeat, seq, () => engine.process(seq, event))
  observeDecision((performance.now() - began) / 1_000)
  return audit
}
