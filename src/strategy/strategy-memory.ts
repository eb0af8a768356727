import type { LoadedStrategy } from './loaded-strategy.ts'
import { unkeptValue } from './unkept-value.ts'

/** The states of a strategy and of what it wraps: plain data, part of the core's snapshot. */
export type StrategyMemory = { own: unknown; inner: Record<string, StrategyMemory> }

/**
 * Fresh states for a newly loaded strategy. May throw what the strategy's own `init` throws, and throws where a
 * state is no plain data: it would be another one after the next restart.
 */
export function freshMemory(strategy: LoadedStrategy): StrategyMemory {
  const inner: Record<string, StrategyMemory> = {}
  for (const [label, wrapped] of Object.entries(strategy.inner)) inner[label] = freshMemory(wrapped)
  const own = strategy.definition.init(strategy.params)
  const unkept = unkeptText(own)
  if (unkept !== null) throw new TypeError(unkept)
  return { own, inner }
}

/**
 * What of a memory is no plain data, in a sentence; null where all of it is. To be asked before a memory is written:
 * looking runs none of the strategy's code, while writing would run its getters.
 */
export function unkeptMemory({ own, inner }: StrategyMemory): string | null {
  const unkept = unkeptText(own)
  if (unkept !== null) return unkept
  for (const wrapped of Object.values(inner)) {
    const below = unkeptMemory(wrapped)
    if (below !== null) return below
  }
  return null
}

function unkeptText(own: unknown): string | null {
  const unkept = unkeptValue(own, true)
  return unkept === null
    ? null
    : `${['state', ...unkept.path].join('.')} is ${unkept.what}: a state is plain data (objects, lists, text, finite numbers), kept over restarts`
}
