import { decodeJson } from '../../base/codec.ts'
import { createEngine, type Engine } from '../../engine/engine.ts'
import type { StrategyChoice } from '../../engine/model/config.ts'
import type { EngineState } from '../../engine/model/state.ts'
import type { Calendar } from '../../engine/transition.ts'
import type { LoadedStrategy } from '../../strategy/define-strategy.ts'
import type { JournalRecord, Snapshot, Suspension } from '../../store/store.ts'
import type { Heartbeat } from './heartbeat.ts'
import { chainDigest, digestLink, FIRST_DIGEST } from './decision-digest.ts'

export type RecoverParts = {
  readonly snapshot: Snapshot | null
  readonly tail: Iterable<JournalRecord>
  readonly suspensions: readonly Suspension[]
  readonly strategyFor: (choice: StrategyChoice) => LoadedStrategy
  readonly calendar: Calendar
  /** Told before and after each event, as in the live loop: changed code may hang in an old event. */
  readonly heartbeat?: Heartbeat
  /** Sees every replayed event with what it brought about; a restart projects it again. */
  readonly onAudit?: (
    record: JournalRecord,
    audit: ReturnType<Engine['process']>,
    digest: string,
    state: EngineState | null,
  ) => void
}

export type Recovered = {
  readonly engine: Engine
  readonly seq: number
  readonly digest: string
  readonly events: number
}

/** A core as it was: the latest snapshot and the journal after it, event by event. No effect is performed. */
export function recover(parts: RecoverParts): Recovered {
  const { snapshot, suspensions } = parts
  const engine = createEngine({
    strategyFor: parts.strategyFor,
    calendar: parts.calendar,
    ...(snapshot === null
      ? {}
      : { from: { seq: snapshot.seq, state: decodeJson(snapshot.state) as EngineState } }),
  })
  const suspended = new Map(suspensions.map(({ seq, reason }) => [seq, reason]))
  let seq = snapshot?.seq ?? 0
  let digest = snapshot?.digest ?? FIRST_DIGEST
  let events = 0
  for (const record of parts.tail) {
    const reason = suspended.get(record.seq)
    if (reason !== undefined) engine.suspendStrategy(reason)
    parts.heartbeat?.enter(record.seq)
    const audit = engine.process(record.seq, record.event)
    parts.heartbeat?.leave()
    digest = chainDigest(digest, digestLink(audit, engine.state()))
    seq = record.seq
    events += 1
    parts.onAudit?.(record, audit, digest, engine.state())
  }
  return { engine, seq, digest, events }
}
