import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepNewest } from '../../../base/bounded-map.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { loadStrategyApart } from '../../config/strategy/load-strategy.ts'
import type { StrategyChoice } from '../../../core/engine/model/config.ts'
import type { JournalRecord, Snapshot } from '../../../store/store.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import { readState } from '../../../core/engine/upcast/written.ts'

/** Loads the code of a strategy that a journal names; undefined = no longer available. */
export type StrategyLoader = (choice: StrategyChoice) => Promise<LoadedStrategy | undefined>

/**
 * Strategies loaded before the core asks for them: the core is synchronous and loading is not, so the shell registers each
 * strategy before the event that names it.
 */
export type StrategyRegistry = {
  readonly register: (choice: StrategyChoice, strategy: LoadedStrategy) => void
  /** Code that is no longer available cannot be replayed; its decisions are history, and the current strategy replaces it. */
  readonly strategyFor: (choice: StrategyChoice) => LoadedStrategy
  /** Returns a sentence for each choice whose code has changed since it was journalled. */
  readonly preload: (choices: readonly StrategyChoice[], load: StrategyLoader) => Promise<readonly string[]>
}

/** The core asks for a choice only in the event that names it and then keeps the strategy; each reload adds a past one. */
const MOST_KEPT = 64

/** The strategy of today's configuration is registered, and is the fallback. */
export function createStrategyRegistry({
  core,
  strategy: current,
}: Pick<LoadedConfig, 'core' | 'strategy'>): StrategyRegistry {
  const strategies = new Map([[keyOf(core.strategy), current]])
  return {
    register: (choice, strategy) => void keepNewest(strategies, keyOf(choice), strategy, MOST_KEPT),
    strategyFor: (choice) => strategies.get(keyOf(choice)) ?? current,
    async preload(choices, load) {
      const changed = new Set<string>()
      for (const choice of choices) {
        if (strategies.has(keyOf(choice))) continue
        const loaded = await load(choice)
        if (loaded !== undefined) strategies.set(keyOf(choice), loaded)
        const change = changeOf(choice, loaded, current)
        if (change !== null) changed.add(change)
      }
      return [...changed]
    },
  }
}

function keyOf({ use, params, sourceHash }: StrategyChoice): string {
  return JSON.stringify([use, sourceHash, params])
}

function changeOf(
  choice: StrategyChoice,
  loaded: LoadedStrategy | undefined,
  current: LoadedStrategy,
): string | null {
  const { use, sourceHash } = choice
  if (loaded === undefined)
    return `strategy ${use} is no longer available with the parameters it ran with; ${current.use} replaces it`
  if (loaded.sourceHash === sourceHash) return null
  const [then, now] = [sourceHash, loaded.sourceHash].map((hash) => hash.slice(0, 12))
  return `strategy ${use} was edited since: it ran with hash ${then} and now has ${now}`
}

/** The strategies that a replay from here asks for, each once. */
export function strategyChoices(
  snapshot: Snapshot | null,
  tail: Iterable<JournalRecord>,
): readonly StrategyChoice[] {
  const choices = new Map<string, StrategyChoice>()
  const add = (choice: StrategyChoice) => void choices.set(keyOf(choice), choice)
  if (snapshot !== null) add(readState(snapshot.state).config.strategy)
  for (const { event } of tail) {
    if (event.type === 'started' || event.type === 'reloaded') add(event.config.strategy)
  }
  return [...choices.values()]
}

/** Loads strategies as the configuration does: a shipped one by name, a file next to the configuration by path. */
export function strategyLoader(
  config: Pick<LoadedConfig, 'file' | 'core'> & Partial<Pick<LoadedConfig, 'allowedCode'>>,
  load = loadStrategyApart,
): StrategyLoader {
  const options = {
    folder: strategiesFolder(),
    baseFolder: dirname(resolve(config.file)),
    allow: config.allowedCode ?? null,
    owner: config.core.name,
  }
  return async ({ use, params }) => {
    const loaded = await load({ use, params }, options)
    return loaded.ok ? loaded.value.strategy : undefined
  }
}

/** The shipped strategies: `strategies/` of the checkout (.ts), or of the image beside the bundle (.js). */
export function strategiesFolder(): string {
  const fromHere = import.meta.url.endsWith('.ts') ? '../../../../strategies' : './strategies'
  return fileURLToPath(new URL(fromHere, import.meta.url))
}
