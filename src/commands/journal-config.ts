import { dirname, resolve } from 'node:path'
import { decodeJson, encodeJson } from '../base/codec.ts'
import { err, ok, type Result } from '../base/result.ts'
import { loadStrategy } from '../config/load-strategy.ts'
import type { CoreConfig } from '../engine/model/config.ts'
import type { EngineState } from '../engine/model/state.ts'
import { strategiesFolder } from '../runtime/strategies-folder.ts'
import type { StoreReader } from '../store/open-reader.ts'
import type { StandIn } from './stocked-shelf.ts'

/** A journal's own configuration, the last of those that were in force, and how many there were. */
export type JournalConfig = StandIn & {
  readonly configurations: number
  /** The strategy's code is not the one that ran: only today's can be loaded. */
  readonly codeChanged: boolean
}

/**
 * What a store says it ran with, with its strategy loaded: a name from strategies/, a path relative to
 * `configFile`. Throws StoreReadError; the error says what to give.
 */
export async function journalConfig(
  reader: StoreReader,
  configFile: string,
): Promise<Result<JournalConfig, string>> {
  const snapshot = reader.oldestSnapshot()
  let core: CoreConfig | null = snapshot === null ? null : (decodeJson(snapshot.state) as EngineState).config
  const seen = new Set<string>(core === null ? [] : [encodeJson(core)])
  for (const { event } of reader.journal(Math.max(1, reader.firstSeq()))) {
    if (event.type !== 'started' && event.type !== 'reloaded') continue
    core = event.config
    seen.add(encodeJson(core))
  }
  if (core === null) return err('the store has no journal yet: let the daemon run for a while')
  const { use, params } = core.strategy
  const folder = { folder: strategiesFolder(), baseFolder: dirname(resolve(configFile)) }
  const loaded = await loadStrategy({ use, params }, folder)
  if (!loaded.ok) {
    const why = loaded.error.map(({ message }) => message).join('; ')
    return err(
      `strategy ${use} cannot be loaded (${why}): give --config, the file that it is named relative to`,
    )
  }
  const { strategy } = loaded.value
  // Under today's hash: code that was edited since is then told from the code that ran.
  const codeChanged = strategy.sourceHash !== core.strategy.sourceHash
  const today = { ...core, strategy: { ...core.strategy, sourceHash: strategy.sourceHash } }
  return ok({ core: today, strategy, file: configFile, configurations: seen.size, codeChanged })
}
