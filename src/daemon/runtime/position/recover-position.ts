import { createEngine, type Engine } from '../../../core/engine/engine.ts'
import type { StrategyChoice } from '../../../core/engine/model/config.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import type { Calendar } from '../../../core/engine/transition.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { JournalRecord, RestartPoint, Snapshot, Suspension } from '../../../store/store.ts'
import { createCalendar } from './calendar.ts'
import { type Heartbeat, processInside } from './hang-watch.ts'
import { chainDigest, digestLink, FIRST_DIGEST } from './decision-digest.ts'
import { strategyChoices, type StrategyLoader, type StrategyRegistry } from './strategy-registry.ts'
import { readState } from '../../../core/engine/upcast/written.ts'

type RecoverParts = {
  readonly snapshot: Snapshot | null
  readonly tail: Iterable<JournalRecord>
  readonly suspensions: readonly Suspension[]
  readonly strategyFor: (choice: StrategyChoice) => LoadedStrategy
  readonly calendar: Calendar
  /** As in the live loop, because changed code may hang in an old event. */
  readonly heartbeat?: Heartbeat
  /** Called with every replayed event and its result; a restart projects them again. */
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

/** Replays the journal after a snapshot, or from its start, event by event. No effect is performed. */
export function recover(parts: RecoverParts): Recovered {
  const { snapshot, suspensions } = parts
  const engine = createEngine({
    strategyFor: parts.strategyFor,
    calendar: parts.calendar,
    ...(snapshot === null ? {} : { from: { seq: snapshot.seq, state: readState(snapshot.state) } }),
  })
  const suspended = new Map(suspensions.map(({ seq, reason }) => [seq, reason]))
  let seq = snapshot?.seq ?? 0
  let digest = snapshot?.digest ?? FIRST_DIGEST
  let events = 0
  for (const record of parts.tail) {
    const reason = suspended.get(record.seq)
    if (reason !== undefined) engine.suspendStrategy(reason)
    const audit = processInside(parts.heartbeat, record.seq, () => engine.process(record.seq, record.event))
    digest = chainDigest(digest, digestLink(audit, engine.state()))
    seq = record.seq
    events += 1
    parts.onAudit?.(record, audit, digest, engine.state())
  }
  return { engine, seq, digest, events }
}

type RecoverPositionParts = Pick<RecoverParts, 'heartbeat' | 'onAudit'> & {
  readonly from: Omit<RestartPoint, 'lastSeq'>
  readonly strategies: StrategyRegistry
  readonly loadStrategy: StrategyLoader
}

/**
 * Recovers the core as of the last event on disk: the latest snapshot, the journal after it, and a suspension for the next event. Throws
 * StoreReadError.
 */
export async function recoverPosition(parts: RecoverPositionParts): Promise<Recovered> {
  const { from, strategies, loadStrategy, ...hooks } = parts
  const tail = [...from.tail]
  await strategies.preload(strategyChoices(from.snapshot, tail), loadStrategy)
  const { strategyFor } = strategies
  const recovered = recover({ ...from, ...hooks, tail, strategyFor, calendar: createCalendar() })
  // The strategy hung in an event that is not in the journal: suspend it first.
  const pending = from.suspensions.find(({ seq }) => seq > recovered.seq)
  if (pending !== undefined) recovered.engine.suspendStrategy(pending.reason)
  return recovered
}
