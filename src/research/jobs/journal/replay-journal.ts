import { loadStrategyHere } from '../../../daemon/config/strategy/load-strategy.ts'
import type { StrategyWatch } from '../apart/watch-strategy.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { createCalendar } from '../../../daemon/runtime/position/calendar.ts'
import { recover } from '../../../daemon/runtime/position/recover-position.ts'
import {
  createStrategyRegistry,
  strategyChoices,
  strategyLoader,
  type StrategyLoader,
} from '../../../daemon/runtime/position/strategy-registry.ts'
import type { StoreReader } from '../../../store/open-reader.ts'
import type { JournalRecord } from '../../../store/store.ts'
import type { Audit } from '../../../core/engine/engine.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'

/** Replacement for strategy code that is gone, and the places to search for strategies. */
export type FallbackStrategy = Pick<LoadedConfig, 'core' | 'strategy' | 'file'>

type Checkpoint = { readonly seq: number; readonly stored: string; readonly replayed: string }

/** Result of a replay. `parted` is the first range of events with different decisions. */
export type Replayed = Awaited<ReturnType<typeof replayJournal>>

/** Receives every replayed event, the core's output, and the core's state afterwards. */
export type OnRecord = (record: JournalRecord, audit: Audit, state: EngineState | null) => void

/**
 * Replays the stored journal through the core: from event 1, or from the oldest snapshot after retention. Compares
 * digests at every later snapshot. Reads the journal twice, because code must be loaded before the synchronous core
 * calls it. Throws StoreReadError.
 */
export async function replayJournal(
  config: FallbackStrategy,
  reader: StoreReader,
  watch: StrategyWatch,
  note: (done: number) => void,
  onRecord?: OnRecord,
) {
  const snapshots = [reader.oldestSnapshot(), reader.latestSnapshot()].filter((one) => one !== null)
  const start = reader.firstSeq() === 1 ? null : (snapshots[0] ?? null)
  const from = (start?.seq ?? 0) + 1
  const to = reader.lastSeq()
  const strategies = createStrategyRegistry(config)
  const choices = strategyChoices(start, upTo(reader.journal(from), to))
  const warnings = await strategies.preload(choices, watchedLoader(config, watch))
  /** Number of decided effects by kind. */
  const effects: Record<string, number> = {}
  const digests = new Map<number, string>()
  const { digest, events } = recover({
    snapshot: start,
    tail: upTo(reader.journal(from), to),
    suspensions: reader.suspensions(),
    strategyFor: strategies.strategyFor,
    calendar: createCalendar(),
    onAudit(record, audit, digestThere, state) {
      const { seq } = record
      onRecord?.(record, audit, state)
      for (const { type } of audit.effects) effects[type] = (effects[type] ?? 0) + 1
      if (snapshots.some((snapshot) => snapshot.seq === seq)) digests.set(seq, digestThere)
      note(seq - from + 1)
    },
  })
  const checkpoints = snapshots
    .filter(({ seq }, index) => seq >= from && snapshots.findIndex((one) => one.seq === seq) === index)
    .map(({ seq, digest: stored }) => ({ seq, stored, replayed: digests.get(seq) ?? '' }))
  return {
    from,
    to,
    events,
    effects,
    digest,
    checkpoints,
    parted: firstParting(checkpoints, from - 1),
    warnings,
  }
}

/** Watches the code of earlier configurations like the current one's. */
function watchedLoader(config: FallbackStrategy, watch: StrategyWatch): StrategyLoader {
  const load = strategyLoader(config, loadStrategyHere)
  return async (choice) => {
    const loaded = await watch.loading(() => load(choice))
    return loaded === undefined ? undefined : watch.watched(loaded)
  }
}

/** The daemon continues writing; both readings end at the same event. */
function* upTo(records: Iterable<JournalRecord>, last: number): Generator<JournalRecord> {
  for (const record of records) {
    if (record.seq > last) return
    yield record
  }
}

function firstParting(
  checkpoints: readonly Checkpoint[],
  before: number,
): { readonly after: number; readonly upTo: number } | null {
  let after = before
  for (const { seq, stored, replayed } of checkpoints) {
    if (stored !== replayed) return { after, upTo: seq }
    after = seq
  }
  return null
}
