import type { StrategyMemory } from '../../strategy/memory.ts'

/** A memory of more values than this counts as changed: comparing it would cost more than asking again. */
const MOST_COMPARED = 64

/**
 * Whether a strategy left its memory, with those of the strategies that it wraps, as it was. Compares plain values without
 * running a getter; what is nested deeper counts as changed, for nobody can cheaply find out. One object serves every
 * question: what was found after one is what there was before the next.
 */
export class MemoryWatch {
  #memory: StrategyMemory | null = null
  #before: unknown[] = []
  #after: unknown[] = []
  #count: number | null = null

  /** The strategy is about to be asked. */
  begin(memory: StrategyMemory | null): void {
    if (memory === this.#memory) return
    this.#memory = memory
    this.#count = memory === null ? null : collect(memory, this.#before)
  }

  /** The strategy has answered: whether its memory is another one, as far as can be told. */
  hasChanged(memory: StrategyMemory): boolean {
    const [before, after, countBefore] = [this.#before, this.#after, this.#count]
    this.#memory = memory
    this.#count = collect(memory, after)
    this.#before = after
    this.#after = before
    if (this.#count === null || this.#count !== countBefore) return true
    for (let index = 0; index < countBefore; index++) {
      if (!Object.is(before[index], after[index])) return true
    }
    return false
  }
}

/** Writes names and values in their order, and returns how many; null where it is nested, too long or no plain data. */
function collect(memory: StrategyMemory, out: unknown[]): number | null {
  try {
    return collectFrom(memory, out, 0)
  } catch {
    // A proxy in the memory is a strategy's code and may throw: it counts as changed, and the strategy is asked.
    return null
  }
}

function collectFrom({ own, inner }: StrategyMemory, out: unknown[], from: number): number | null {
  let count = from
  if (typeof own !== 'object' || own === null) out[count++] = own
  else {
    for (const key in own) {
      const part = Object.getOwnPropertyDescriptor(own, key)
      if (part === undefined || part.get !== undefined || count >= MOST_COMPARED) return null
      const value: unknown = part.value
      if (typeof value === 'object' && value !== null) return null
      out[count++] = key
      out[count++] = value
    }
  }
  for (const label in inner) {
    const wrapped = inner[label]
    if (wrapped === undefined || count >= MOST_COMPARED) return null
    out[count++] = label
    const after = collectFrom(wrapped, out, count)
    if (after === null) return null
    count = after
  }
  return count
}
