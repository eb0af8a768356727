import type { Result } from '../../../base/result.ts'
import { loadConfig, type LoadConfigOptions } from '../../config/load/load-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { ConfigProblem } from '../../config/source/problem.ts'
import { strategiesFolder } from '../position/strategy-registry.ts'
import type { PositionInit } from './messages.ts'

/** Loads the configuration that a worker starts with, before its journal is read. With `probe` the strategy is first tried in isolation. */
export async function loadInitialConfig(
  { configFile, changes = {}, texts }: Pick<PositionInit, 'configFile' | 'changes' | 'texts'>,
  probe?: LoadConfigOptions['probe'],
): Promise<Result<LoadedConfig, readonly ConfigProblem[]>> {
  return loadConfig(configFile, process.env, {
    strategiesFolder: strategiesFolder(),
    changes,
    forTrading: true,
    ...(texts === undefined ? {} : { texts }),
    ...(probe === undefined ? {} : { probe }),
  })
}
