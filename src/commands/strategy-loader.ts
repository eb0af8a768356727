import { dirname, resolve } from 'node:path'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { loadStrategy } from '../config/load-strategy.ts'
import type { StrategyChoice } from '../engine/model/config.ts'
import { strategiesFolder } from '../runtime/strategies-folder.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'

/** Loads the code of strategies that a journal names; undefined when it is not to be had any more. */
export function strategyLoader(
  config: Pick<LoadedConfig, 'file'> & Partial<Pick<LoadedConfig, 'allowedCode'>>,
): (choice: StrategyChoice) => Promise<LoadedStrategy | undefined> {
  return async ({ use, params }) => {
    const loaded = await loadStrategy(
      { use, params },
      {
        folder: strategiesFolder(),
        baseFolder: dirname(resolve(config.file)),
        allow: config.allowedCode ?? null,
      },
    )
    return loaded.ok ? loaded.value.strategy : undefined
  }
}
