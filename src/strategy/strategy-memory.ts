import type { LoadedStrategy } from './loaded-strategy.ts'

/** The states of a strategy and of what it wraps: plain data, part of the core's snapshot. */
export type StrategyMemory = { own: unknown; inner: Record<string, StrategyMemory> }

/** Fresh states for a newly loaded strategy. May throw what the strategy's own `init` throws. */
export function freshMemory(strategy: LoadedStrategy): StrategyMemory {
  const inner: Record<string, StrategyMemory> = {}
  for (const [label, wrapped] of Object.entries(strategy.inner)) inner[label] = freshMemory(wrapped)
  return { own: strategy.definition.init(strategy.params), inner }
}
