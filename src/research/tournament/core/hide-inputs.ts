import type { StrategyContext } from '../../../core/strategy/context.ts'
import type { LoadedStrategy } from '../../../core/strategy/define-strategy.ts'
import type { HiddenInput } from '../entrant.ts'

const NO_RIVALS = { bid: null, ask: null } as const

/** Hidden inputs as a strategy sees them: no probe has shown a provider, and the whole value is held as the target says. */
const SHOWN: Readonly<Record<HiddenInput, (context: StrategyContext) => Partial<StrategyContext>>> = {
  rivals: () => ({ competition: NO_RIVALS }),
  inventory: ({ mid, inventory: { target, capitalCost, totalTzs } }) => ({
    inventory: {
      target,
      capitalCost,
      totalTzs,
      usd: (target * totalTzs) / mid,
      ntzs: (1 - target) * totalTzs,
      usdShare: target,
      imbalance: 0,
    },
  }),
}

/** Returns the strategy without these inputs, or itself if nothing is hidden. What it wraps reads the same context. */
export function hiding(strategy: LoadedStrategy, hidden: readonly HiddenInput[]): LoadedStrategy {
  if (hidden.length === 0) return strategy
  const { definition } = strategy
  const quote: typeof definition.quote = (context, memory, params, inner) => {
    const shown = Object.assign(
      {},
      ...hidden.map((input) => SHOWN[input](context)),
    ) as Partial<StrategyContext>
    // The other inputs stay in place, so that the core still computes only those that are read.
    const seen = Object.create(context, Object.getOwnPropertyDescriptors(shown)) as StrategyContext
    return definition.quote(seen, memory, params, inner)
  }
  return { ...strategy, definition: { ...definition, quote } }
}
