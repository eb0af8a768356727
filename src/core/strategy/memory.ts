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
const TOO_DEEP = `nested more than ${MAX_DEPTH} deep`

/** A value that encoding would not preserve, and its path. */
type UnkeptValue = { readonly path: readonly (string | number)[]; readonly what: string }

/**
 * Returns the first value that encoding would not preserve; null = all preserved. It preserves text, finite numbers, booleans,
 * null, and lists and plain objects of these, but not a Map, a Date, a function, Infinity or a circular value. `keepsBigint`:
 * snapshots preserve bigints, the console does not.
 */
export function unkeptValue(data: unknown, keepsBigint: boolean): UnkeptValue | null {
  const found = whatIsUnkept(data, keepsBigint, [])
  return found?.what === TOO_DEEP ? { ...found, path: found.path.slice(0, 3) } : found
}

/** Returns the getter of a property. Far faster on elements of a list than reading their descriptors. */
const getterOf = Function.prototype.call.bind(
  (Object.prototype as unknown as { __lookupGetter__: (key: string) => unknown }).__lookupGetter__,
) as (data: object, key: string) => unknown

function whatIsUnkept(data: unknown, keepsBigint: boolean, above: unknown[]): UnkeptValue | null {
  if (typeof data === 'number') return Number.isFinite(data) ? null : unkeptHere(String(data))
  if (typeof data === 'function' || typeof data === 'symbol') return unkeptHere(`a ${typeof data}`)
  if (typeof data === 'bigint') return keepsBigint ? null : unkeptHere('a bigint')
  if (typeof data !== 'object' || data === null) return null
  if (above.length > MAX_DEPTH) return unkeptHere(TOO_DEEP)
  if (above.includes(data)) return unkeptHere('a circle')
  const isList = Array.isArray(data)
  if (!isList && !isPlain(data)) return unkeptHere(`a ${kindOf(data)}`)
  const keys = Object.keys(data)
  if (isList && !isDense(data, keys)) return unkeptHere('a list with holes or named entries')
  above.push(data)
  for (const key of keys) {
    // Read so that no getter of the strategy runs.
    let value: unknown = isList && getterOf(data, key) === undefined ? data[key as `${number}`] : undefined
    let found: UnkeptValue | null = null
    if (value === undefined) {
      const own = Object.getOwnPropertyDescriptor(data, key)
      if (own?.get !== undefined || own?.set !== undefined) found = unkeptHere('a getter')
      value = own?.value
      if (isList && value === undefined) found ??= unkeptHere('undefined')
    }
    found ??= whatIsUnkept(value, keepsBigint, above)
    if (found !== null) return { ...found, path: [isList ? Number(key) : key, ...found.path] }
  }
  above.pop()
  return null
}

/** Keys of a list come in the order of its places, named ones last. */
function isDense({ length }: readonly unknown[], keys: readonly string[]): boolean {
  return keys.length === length && (length === 0 || keys[length - 1] === String(length - 1))
}

function unkeptHere(what: string): UnkeptValue {
  return { path: [], what }
}

function kindOf(data: object): string {
  try {
    const name: unknown = data.constructor.name
    return String(name)
  } catch {
    return 'thing'
  }
}
