import { dirname, resolve } from 'node:path'
import { encodeJson } from '../../../base/codec.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { loadStrategyHere } from '../../../daemon/config/strategy/load-strategy.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import { readState } from '../../../core/engine/upcast/written.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import type { StrategyWatch } from '../apart/watch-strategy.ts'
import type { StoreReader } from '../../../store/open-reader.ts'
import type { FallbackStrategy } from './replay-journal.ts'

/** A journal's own configuration: the last one in force, and the number of configurations. */
export type JournalConfig = FallbackStrategy & {
  readonly configurations: number
  /** The strategy's code has changed since; only the current code can be loaded. */
  readonly codeChanged: boolean
}

/**
 * Returns the configuration with which a store's position ran, with its strategy loaded: a name from strategies/, a
 * path relative to `configFile`. Throws StoreReadError; the error names the option to give.
 */
export async function journalConfig(
  reader: StoreReader,
  configFile: string,
  watch: StrategyWatch,
): Promise<Result<JournalConfig, string>> {
  const snapshot = reader.oldestSnapshot()
  let core: CoreConfig | null = snapshot === null ? null : readState(snapshot.state).config
  const seen = new Set<string>(core === null ? [] : [encodeJson(core)])
  for (const { event } of reader.journal(Math.max(1, reader.firstSeq()))) {
    if (event.type !== 'started' && event.type !== 'reloaded') continue
    core = event.config
    seen.add(encodeJson(core))
  }
  if (core === null) return err('the store has no journal yet; run the daemon first')
  const { use, params } = core.strategy
  const folder = { folder: strategiesFolder(), baseFolder: dirname(resolve(configFile)) }
  const loaded = await watch.loading(() => loadStrategyHere({ use, params }, folder))
  if (!loaded.ok) {
    const why = loaded.error.map(({ message }) => message).join('; ')
    return err(
      `strategy ${use} cannot be loaded (${why}): give --config, the file that its path is relative to`,
    )
  }
  const strategy = watch.watched(loaded.value.strategy)
  // Under the current hash, so that edited code differs from the code that ran.
  const codeChanged = strategy.sourceHash !== core.strategy.sourceHash
  const today = { ...core, strategy: { ...core.strategy, sourceHash: strategy.sourceHash } }
  return ok({ core: today, strategy, file: configFile, configurations: seen.size, codeChanged })
}
