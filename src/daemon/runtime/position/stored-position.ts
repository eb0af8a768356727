import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { EngineState } from '../../../core/engine/model/state.ts'
import type { StoreReader } from '../../../store/open-reader.ts'
import { buildView, type PositionView } from '../../view/position-view.ts'
import { createResultReader } from './result-files.ts'
import { recoverPosition } from './recover-position.ts'
import { createStrategyRegistry, strategyLoader } from './strategy-registry.ts'

/** Returns the view of a position from its store; null = nothing was ever journalled. */
export async function storedView(config: LoadedConfig, reader: StoreReader): Promise<PositionView | null> {
  const stored = await storedPosition(config, reader)
  if (stored === null) return null
  return { ...buildView(stored.state, stored.state.now, stored), ...createResultReader()(config, Date.now()) }
}

type StoredPosition = { readonly state: EngineState; readonly seq: number; readonly digest: string }

/**
 * Returns the core's state as of the last event on disk: the latest snapshot and the journal after it. Null = nothing was ever journalled.
 * Throws StoreReadError.
 */
export async function storedPosition(
  config: LoadedConfig,
  reader: StoreReader,
): Promise<StoredPosition | null> {
  const { engine, seq, digest } = await recoverPosition({
    from: reader.recover(),
    strategies: createStrategyRegistry(config),
    loadStrategy: strategyLoader(config),
  })
  const state = engine.state()
  return state === null ? null : { state, seq, digest }
}
