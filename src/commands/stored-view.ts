import type { LoadedConfig } from '../config/loaded-config.ts'
import type { PositionView } from '../engine/position-view.ts'
import { viewOf } from '../engine/view.ts'
import type { StoreReader } from '../store/open-reader.ts'
import { storedPosition } from './stored-position.ts'

/** What the store remembers of a position, as it would show itself. Null where nothing was ever journalled. */
export async function storedView(config: LoadedConfig, reader: StoreReader): Promise<PositionView | null> {
  const stored = await storedPosition(config, reader)
  return stored === null ? null : viewOf(stored.state, stored.state.now, stored)
}
