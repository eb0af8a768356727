import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { StrategyChoice } from '../../engine/model/config.ts'
import { createStrategyRegistry, strategiesFolder } from '../../runtime/position/strategy-registry.ts'
import type { LoadedStrategy } from '../../strategy/define-strategy.ts'
import { dirname, resolve } from 'node:path'
import { loadStrategy } from '../../config/strategy/load-strategy.ts'

export type PreloadedStrategies = {
  readonly strategyFor: (choice: StrategyChoice) => LoadedStrategy
  /** Choices whose code is not what it was when they were journalled; one sentence each. */
  readonly changed: readonly string[]
}

/** What stands in for code that is gone, and where strategies are found. */
export type FallbackStrategy = Pick<LoadedConfig, 'core' | 'strategy' | 'file'>

/** Loads every strategy that a replay will ask for. Code that is gone or edited is stood in for by today's. */
export async function preloadStrategies(
  config: FallbackStrategy,
  choices: readonly StrategyChoice[],
): Promise<PreloadedStrategies> {
  const shelf = createStrategyRegistry()
  shelf.register(config.core.strategy, config.strategy)
  const load = strategyLoader(config)
  const changed = new Set<string>()
  for (const choice of choices) {
    if (shelf.find(choice) !== undefined) continue
    const loaded = await load(choice)
    if (loaded === undefined) {
      changed.add(
        `strategy ${choice.use} is not to be had any more with the parameters it ran with; ${config.strategy.use} stands in`,
      )
    } else {
      shelf.register(choice, loaded)
      if (loaded.sourceHash !== choice.sourceHash)
        changed.add(
          `strategy ${choice.use} was edited since: it ran as ${short(choice)}, it is ${short(loaded)} today`,
        )
    }
  }
  return { strategyFor: (choice) => shelf.find(choice) ?? config.strategy, changed: [...changed] }
}

function short({ sourceHash }: { readonly sourceHash: string }): string {
  return sourceHash.slice(0, 12)
}

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
