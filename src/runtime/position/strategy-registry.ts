import type { StrategyChoice } from '../../engine/model/config.ts'
import type { LoadedStrategy } from '../../strategy/define-strategy.ts'
import { decodeJson } from '../../base/codec.ts'
import type { EngineState } from '../../engine/model/state.ts'
import type { JournalRecord, Snapshot } from '../../store/store.ts'
import { fileURLToPath } from 'node:url'

/**
 * Strategies loaded before the core asks for them. The core is synchronous and loading is not, so the
 * shell puts each strategy on the shelf before the event that names it.
 */
export type StrategyRegistry = {
  readonly register: (choice: StrategyChoice, strategy: LoadedStrategy) => void
  readonly find: (choice: StrategyChoice) => LoadedStrategy | undefined
}

export function createStrategyRegistry(): StrategyRegistry {
  const shelf = new Map<string, LoadedStrategy>()
  return {
    register: (choice, strategy) => void shelf.set(keyOf(choice), strategy),
    find: (choice) => shelf.get(keyOf(choice)),
  }
}

function keyOf({ use, params, sourceHash }: StrategyChoice): string {
  return JSON.stringify([use, sourceHash, params])
}

/** The strategies that a replay from here will ask for. */
export function strategyChoices(snapshot: Snapshot | null, tail: readonly JournalRecord[]): StrategyChoice[] {
  const choices = snapshot === null ? [] : [(decodeJson(snapshot.state) as EngineState).config.strategy]
  for (const { event } of tail) {
    if (event.type === 'started' || event.type === 'reloaded') choices.push(event.config.strategy)
  }
  return choices
}

/** The shipped strategies: `strategies/` of the checkout (.ts), or of the image beside the bundle (.js). */
export function strategiesFolder(): string {
  const fromHere = import.meta.url.endsWith('.ts') ? '../../../strategies' : './strategies'
  return fileURLToPath(new URL(fromHere, import.meta.url))
}
