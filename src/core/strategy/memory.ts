import { encodeJson } from '../../base/codec.ts'
import { isPlain } from '../../base/frozen.ts'
import type { InnerChoice, LoadedStrategy, StrategyDefinition } from './define-strategy.ts'

/** The states of a strategy and of the strategies it wraps: plain data, part of the core's snapshot. */
export type StrategyMemory = { own: unknown; inner: Record<string, StrategyMemory> }

/**
 * Returns initial states for a newly loaded strategy. Throws errors of the strategy's own `init`, and throws if a state is not
 * plain data, because it would differ after the next restart.
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
 * Returns the memory after a change of parameters only, with the same code: a strategy whose own parameters changed starts with
 * a new state, and a wrapped strategy with unchanged parameters keeps its state. Throws errors of the strategies' `init`,
 * `inner` and schemas.
 */
export function memoryAfterChange(
  strategy: LoadedStrategy,
  before: { readonly params: unknown; readonly memory: StrategyMemory },
): StrategyMemory {
  const { definition, params } = strategy
  if (encodeJson(params) === encodeJson(before.params)) return before.memory
  const fresh = freshMemory(strategy)
  const [chosen, chosenBefore] = [choicesOf(definition, params), choicesOf(definition, before.params)]
  for (const [label, wrapped] of Object.entries(strategy.inner)) {
    const memory = before.memory.inner[label]
    const choice = chosenBefore[label]
    if (memory === undefined || choice === undefined || choice.use !== chosen[label]?.use) continue
    const parsed = wrapped.definition.params.safeParse(choice.params)
    if (parsed.success) fresh.inner[label] = memoryAfterChange(wrapped, { params: parsed.data, memory })
  }
  return fresh
}

function choicesOf(
  { inner }: StrategyDefinition<unknown, unknown>,
  params: unknown,
): Readonly<Record<string, InnerChoice>> {
  return inner?.(params) ?? {}
}

/**
 * Returns a sentence about the first value of a memory that is not plain data; null = all plain data. Call it before a memory is
 * written: it runs no code of the strategy, whereas writing would run its getters.
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

/** Returns the same for the own state of one strategy. */
export function unkeptText(own: unknown): string | null {
  const unkept = unkeptValue(own, true)
  return unkept === null
    ? null
    : `${['state', ...unkept.path].join('.')} is ${unkept.what}: a state is plain data (objects, lists, text, finite numbers), kept over restarts`
}

const MAX_DEPTH = 100

/** A value that encoding would not preserve, and its path. */
type UnkeptValue = { readonly path: readonly (string | number)[]; readonly what: string }

/**
 * Returns the first value that encoding would not preserve; null = all preserved. It preserves text, finite numbers, booleans,
 * null, and lists and plain objects of these, but not a Map, a Date, a function, Infinity or a circular value. `keepsBigint`:
 * snapshots preserve bigints, the console does not.
 */
export function unkeptValue(data: unknown, keepsBigint: boolean): UnkeptValue | null {
  const path: (string | number)[] = []
  const what = whatIsUnkept(data, keepsBigint, path, [])
  return what === null ? null : { path, what }
}

/** Leaves `path` at the value that it found. Nothing is copied, because memories are checked often. */
function whatIsUnkept(
  data: unknown,
  keepsBigint: boolean,
  path: (string | number)[],
  above: unknown[],
): string | null {
  if (typeof data === 'number') return Number.isFinite(data) ? null : String(data)
  if (typeof data === 'function' || typeof data === 'symbol') return `a ${typeof data}`
  if (typeof data === 'bigint') return keepsBigint ? null : 'a bigint'
  if (typeof data !== 'object' || data === null) return null
  if (above.length > MAX_DEPTH) {
    path.length = 3
    return `nested more than ${MAX_DEPTH} deep`
  }
  if (above.includes(data)) return 'a circle'
  if (!Array.isArray(data) && !isPlain(data)) return `a ${kindOf(data)}`
  above.push(data)
  // Read by descriptor, so no getter of the strategy runs.
  for (const key of Object.keys(data)) {
    path.push(Array.isArray(data) ? Number(key) : key)
    const own = Object.getOwnPropertyDescriptor(data, key)
    if (own?.get !== undefined || own?.set !== undefined) return 'a getter'
    const found = whatIsUnkept(own?.value, keepsBigint, path, above)
    if (found !== null) return found
    path.pop()
  }
  above.pop()
  return null
}

function kindOf(data: object): string {
  try {
    const name: unknown = data.constructor.name
    return String(name)
  } catch {
    return 'thing'
  }
}
