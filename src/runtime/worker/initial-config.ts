import type { Result } from '../../base/result.ts'
import { loadConfig, type LoadConfigOptions } from '../../config/load/load-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { ConfigProblem } from '../../config/source/problem.ts'
import { strategiesFolder } from '../position/strategy-registry.ts'
import type { PositionInit } from './messages.ts'

/**
 * The configuration a worker starts with, with what operators have set. Where the file was changed since so that the
 * two do not fit together any more, the file alone counts: a position that runs by its file is better than none.
 * With `probe` the strategy is tried first where it can do no harm.
 */
export async function loadInitialConfig(
  init: PositionInit,
  probe?: LoadConfigOptions['probe'],
): Promise<Result<LoadedConfig, readonly ConfigProblem[]>> {
  const { configFile, changes = {}, set = {}, texts } = init
  const load = (all: typeof changes) =>
    loadConfig(configFile, process.env, {
      strategiesFolder: strategiesFolder(),
      changes: all,
      forTrading: true,
      ...(texts === undefined ? {} : { texts }),
      ...(probe === undefined ? {} : { probe }),
    })
  if (Object.keys(set).length === 0) return load(changes)
  const loaded = await load({ ...changes, ...set })
  return loaded.ok ? loaded : load(changes)
}
