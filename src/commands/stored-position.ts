import type { LoadedConfig } from '../config/loaded-config.ts'
import type { EngineState } from '../engine/model/state.ts'
import { createCalendar } from '../runtime/calendar.ts'
import { recover } from '../runtime/recover.ts'
import { strategyChoices } from '../runtime/strategy-choices.ts'
import type { StoreReader } from '../store/open-reader.ts'
import { stockedShelf } from './stocked-shelf.ts'

export type StoredPosition = { readonly state: EngineState; readonly seq: number; readonly digest: string }

/**
 * The core's state as the store remembers it, as of the last event on disk: the latest snapshot and the
 * journal after it. Null where nothing was ever journalled. Throws StoreReadError.
 */
export async function storedPosition(
  config: LoadedConfig,
  reader: StoreReader,
): Promise<StoredPosition | null> {
  const snapshot = reader.latestSnapshot()
  const tail = [...reader.journal((snapshot?.seq ?? 0) + 1)]
  const shelf = await stockedShelf(config, strategyChoices(snapshot, tail))
  const suspensions = reader.suspensions()
  const { engine, seq, digest } = recover({
    snapshot,
    tail,
    suspensions,
    strategyFor: shelf.strategyFor,
    calendar: createCalendar(),
  })
  // The strategy hung in an event that is not in the journal: the next start suspends it before anything else.
  const pending = suspensions.find((suspension) => suspension.seq > seq)
  if (pending !== undefined) engine.suspendStrategy(pending.reason)
  const state = engine.state()
  return state === null ? null : { state, seq, digest }
}
