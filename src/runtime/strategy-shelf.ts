import type { StrategyChoice } from '../engine/model/config.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'

/**
 * Strategies loaded before the core asks for them. The core is synchronous and loading is not, so the
 * shell puts each strategy on the shelf before the event that names it.
 */
export type StrategyShelf = {
  readonly put: (choice: StrategyChoice, strategy: LoadedStrategy) => void
  readonly find: (choice: StrategyChoice) => LoadedStrategy | undefined
}

export function createStrategyShelf(): StrategyShelf {
  const shelf = new Map<string, LoadedStrategy>()
  return {
    put: (choice, strategy) => void shelf.set(keyOf(choice), strategy),
    find: (choice) => shelf.get(keyOf(choice)),
  }
}

function keyOf({ use, params, sourceHash }: StrategyChoice): string {
  return JSON.stringify([use, sourceHash, params])
}
