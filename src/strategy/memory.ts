import { encodeJson } from '../base/codec.ts'
import type { InnerChoice, LoadedStrategy, StrategyDefinition } from './define-strategy.ts'

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
 * The memory after a change of parameters alone, of the same code: a strategy whose own parameters changed begins anew, and one
 * that it wraps with the same parameters as before goes on. May throw what `init`, `inner` and the schemas of strategies throw.
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

const MAX_DEPTH = 100

/** What would not come back as it is, and where. */
export type UnkeptValue = { readonly path: readonly (string | number)[]; readonly what: string }

/**
 * The first value in the data that would not come back from where it is written as it is; null where all does:
 * text, finite numbers, yes and no, null, lists and plain objects of these. A Map, a Date, a function, Infinity or
 * what holds itself does not. Snapshots keep bigints, what the console reads does not: `keepsBigint`.
 */
export function unkeptValue(
  data: unknown,
  keepsBigint: boolean,
  path: UnkeptValue['path'] = [],
  above: readonly unknown[] = [],
): UnkeptValue | null {
  if (typeof data === 'number') return Number.isFinite(data) ? null : { path, what: String(data) }
  if (typeof data === 'function' || typeof data === 'symbol') return { path, what: `a ${typeof data}` }
  if (typeof data === 'bigint') return keepsBigint ? null : { path, what: 'a bigint' }
  if (typeof data !== 'object' || data === null) return null
  if (above.length > MAX_DEPTH) return { path: path.slice(0, 3), what: `nested more than ${MAX_DEPTH} deep` }
  if (above.includes(data)) return { path, what: 'a circle' }
  if (!Array.isArray(data) && !isPlain(data)) return { path, what: `a ${kindOf(data)}` }
  // By descriptor: a getter is a strategy's code, which must not run while its data is looked through.
  for (const key of Object.keys(data)) {
    const step = Array.isArray(data) ? Number(key) : key
    const own = Object.getOwnPropertyDescriptor(data, key)
    if (own?.get !== undefined || own?.set !== undefined) return { path: [...path, step], what: 'a getter' }
    const found = unkeptValue(own?.value, keepsBigint, [...path, step], [...above, data])
    if (found !== null) return found
  }
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

function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data)
  return prototype === null || prototype === Object.prototype
}
