import { err, ok, type Result } from '../../base/result.ts'
import { type VariantChanges, type JsonValue, pathOfKey } from './variant.ts'
import { seededRandom, type Random } from '../../base/random.ts'

/** A key of the configuration, as a path, with its values. */
export type Axis = { readonly path: string; readonly values: readonly JsonValue[] }

/** More variants are a mistake, or need `--random`. */
export const MAX_VARIANTS = 100_000

/** Settings that all variants of a sweep share, with the option for each. */
const IN_COMMON: ReadonlyMap<string, string> = new Map([
  ['backtest.tape', '--tape'],
  ['backtest.fills', '--fills'],
  ['backtest.seed', '--seed'],
])

/**
 * Reads `{"halfSpreadBps":[40,60],"quote.requoteThresholdBps":[3,5]}` and returns every combination; the last key
 * changes fastest. The error names valid values.
 */
export function parseGrid(text: string): Result<readonly VariantChanges[], string> {
  const axes = parseAxes('--grid', text)
  if (!axes.ok) return axes
  const lists = axes.value.map(({ path, values }) => (values.length === 0 ? path : null))
  const empty = lists.find((path) => path !== null)
  if (empty !== undefined) return err(`--grid: ${empty} has no values; expected a list of at least one`)
  const count = axes.value.reduce((product, { values }) => product * values.length, 1)
  if (count > MAX_VARIANTS)
    return err(`--grid has ${count} combinations, more than ${MAX_VARIANTS}; use fewer values, or --random N`)
  return ok(combinations(axes.value))
}

/** Reads an object of lists; keys become paths. `option` is named in errors. */
function parseAxes(option: string, text: string): Result<readonly Axis[], string> {
  const example = `expected something like {"halfSpreadBps":[40,60,80]}`
  const data = parseJson(text)
  if (data === undefined) return err(`${option} is not JSON; ${example}`)
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return err(`${option} is not an object of lists; ${example}`)
  const axes: Axis[] = []
  for (const [key, values] of Object.entries(data as Record<string, JsonValue>)) {
    if (!isList(values)) return err(`${option}: ${key} is not a list of values; ${example}`)
    const path = pathOfKey(key)
    const setBy = IN_COMMON.get(path)
    if (setBy !== undefined) return err(`${option}: ${key} is common to all variants; ${setBy} sets it`)
    if (axes.some((axis) => axis.path === path)) return err(`${option}: ${key} occurs twice`)
    const twice = values.find((value, index) => firstAt(values, value) !== index)
    if (twice !== undefined) return err(`${option}: ${key} has ${JSON.stringify(twice)} twice`)
    axes.push({ path, values })
  }
  return axes.length === 0 ? err(`${option} names no key; ${example}`) : ok(axes)
}

function combinations([axis, ...rest]: readonly Axis[]): readonly VariantChanges[] {
  if (axis === undefined) return [{}]
  const below = combinations(rest)
  return axis.values.flatMap((value) => below.map((changes) => ({ [axis.path]: value, ...changes })))
}

function firstAt(values: readonly JsonValue[], value: JsonValue): number {
  const text = JSON.stringify(value)
  return values.findIndex((other) => JSON.stringify(other) === text)
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Reads `--space`. Refuses a key without a value. */
export function parseSpace(text: string): Result<readonly Axis[], string> {
  const axes = parseAxes('--space', text)
  if (!axes.ok) return axes
  const empty = axes.value.find(({ values }) => values.length === 0)
  return empty === undefined
    ? axes
    : err(`--space: ${empty.path} has no values; expected [from, to] or a list`)
}

/**
 * Draws `count` different combinations. `space` is
 * `{"halfSpreadBps":[20,120],"quote.pairs":[["USDC"],null,["USDT"]]}`: two ascending numbers are a range, drawn
 * uniformly, in whole numbers if both ends are whole; anything else is a list to choose from. A seed always draws the
 * same sequence, so a larger `count` extends it.
 */
export function drawVariants(
  space: string,
  count: number,
  seed: number,
): Result<readonly VariantChanges[], string> {
  const axes = parseSpace(space)
  if (!axes.ok) return axes
  if (count > MAX_VARIANTS) return err(`--random ${count} is more than ${MAX_VARIANTS}`)
  const room = axes.value.reduce((product, axis) => product * sizeOf(axis), 1)
  if (room < count)
    return err(`--random ${count}: --space has only ${room} different combinations; --grid tries them all`)
  const draws = axes.value.map((axis) => drawer(axis, seededRandom(seed, `sweep ${axis.path}`)))
  const drawn = new Map<string, VariantChanges>()
  while (drawn.size < count) {
    const changes = Object.fromEntries(draws.map(({ path, draw }) => [path, draw()]))
    drawn.set(JSON.stringify(changes), changes)
  }
  return ok([...drawn.values()])
}

/** Each axis has its own random stream, so that adding an axis does not change the draws of the others. */
function drawer({ path, values }: Axis, random: Random): { path: string; draw: () => JsonValue } {
  const range = rangeOf(values)
  if (range === null) return { path, draw: () => values[Math.floor(random() * values.length)] ?? null }
  const { low, high, whole } = range
  if (whole) return { path, draw: () => low + Math.floor(random() * (high - low + 1)) }
  return { path, draw: () => low + random() * (high - low) }
}

function sizeOf({ values }: Axis): number {
  const range = rangeOf(values)
  if (range === null) return values.length
  return range.whole ? range.high - range.low + 1 : Infinity
}

/** Returns two ascending numbers as a range, of whole numbers if both are whole; null = anything else, which is a list. */
export function rangeOf(
  values: readonly JsonValue[],
): { readonly low: number; readonly high: number; readonly whole: boolean } | null {
  const [low, high] = values
  const isRange = values.length === 2 && typeof low === 'number' && typeof high === 'number' && low < high
  return isRange ? { low, high, whole: Number.isSafeInteger(low) && Number.isSafeInteger(high) } : null
}
