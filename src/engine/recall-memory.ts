import type { StrategyMemory } from '../strategy/strategy-memory.ts'

/** What a strategy's memory was, to be held against what it is. */
export type Recalled = { readonly isStill: (memory: StrategyMemory) => boolean }

/**
 * Remembers a memory made of plain values, with those of wrapped strategies. Null where it is anything
 * deeper: then nobody can cheaply tell whether it changed, and it counts as changed.
 */
export function recallMemory(memory: StrategyMemory | null): Recalled | null {
  const values: unknown[] = []
  if (memory === null || !collect(memory, values)) return null
  return {
    isStill(now) {
      const later: unknown[] = []
      if (!collect(now, later) || later.length !== values.length) return false
      return later.every((value, index) => Object.is(value, values[index]))
    },
  }
}

/** Names and values in their order; false where something is not a plain value. */
function collect({ own, inner }: StrategyMemory, out: unknown[]): boolean {
  if (typeof own !== 'object' || own === null) out.push(own)
  else {
    for (const key in own) {
      const value = (own as Readonly<Record<string, unknown>>)[key]
      if (typeof value === 'object' && value !== null) return false
      out.push(key, value)
    }
  }
  for (const label in inner) {
    const wrapped = inner[label]
    out.push(label)
    if (wrapped === undefined || !collect(wrapped, out)) return false
  }
  return true
}
