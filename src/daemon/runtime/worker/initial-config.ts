import type { Result } from '../../../base/result.ts'
import { loadConfig, type LoadConfigOptions } from '../../config/load/load-config.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { ConfigProblem } from '../../config/source/problem.ts'
import { strategiesFolder } from '../position/strategy-registry.ts'
import type { PositionInit } from './messages.ts'

/**
 * The configuration a worker starts with, before its journal is known. With `probe` the strategy is tried first where it
 * can do no harm.
 */
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
