import type { LoadedConfig } from '../config/loaded-config.ts'
import type { PositionView } from '../engine/position-view.ts'
import { viewOf } from '../engine/view.ts'
import { createCalendar } from '../runtime/calendar.ts'
import { recover } from '../runtime/recover.ts'
import { strategyChoices } from '../runtime/strategy-choices.ts'
import type { StoreReader } from '../store/open-reader.ts'
import { stockedShelf } from './stocked-shelf.ts'

/**
 * The position as its store remembers it, as of the last event on disk: the latest snapshot and the
 * journal after it. Null where nothing was ever journalled. Throws StoreReadError.
 */
export async function storedView(config: LoadedConfig, reader: StoreReader): Promise<PositionView | null> {
  const snapshot = reader.latestSnapshot()
  const tail = [...reader.journal((snapshot?.seq ?? 0) + 1)]
  const shelf = await stockedShelf(config, strategyChoices(snapshot, tail))
  const { engine, seq, digest } = recover({
    snapshot,
    tail,
    suspensions: reader.suspensions(),
    strategyFor: shelf.strategyFor,
    calendar: createCalendar(),
  })
  const state = engine.state()
  return state === null ? null : viewOf(state, state.now, { seq, digest })
}
