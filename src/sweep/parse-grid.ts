import { err, ok, type Result } from '../base/result.ts'
import { pathOfKey } from './short-key.ts'
import type { Changes, JsonValue } from './variant.ts'

/** A key of the configuration, as a path, and the values it takes. */
export type Axis = { readonly path: string; readonly values: readonly JsonValue[] }

/** More than this is a mistake, or wants `--random`. */
export const MAX_VARIANTS = 100_000

/** What all variants of a sweep have in common, and the option that says it. */
const IN_COMMON: ReadonlyMap<string, string> = new Map([
  ['backtest.tape', '--tape'],
  ['backtest.fills', '--fills'],
  ['backtest.seed', '--seed'],
])

/**
 * Reads `{"halfSpreadBps":[40,60],"quote.requoteThresholdBps":[3,5]}` and gives every combination: the last
 * key changes fastest. The error says what would be right.
 */
export function parseGrid(text: string): Result<readonly Changes[], string> {
  const axes = parseAxes('--grid', text)
  if (!axes.ok) return axes
  const lists = axes.value.map(({ path, values }) => (values.length === 0 ? path : null))
  const empty = lists.find((path) => path !== null)
  if (empty !== undefined) return err(`--grid: ${empty} has no values; a list of at least one would be right`)
  const count = axes.value.reduce((product, { values }) => product * values.length, 1)
  if (count > MAX_VARIANTS)
    return err(
      `--grid has ${count} combinations, more than ${MAX_VARIANTS}; fewer values, or --random N, would be right`,
    )
  return ok(combinations(axes.value))
}

/** Reads an object of lists; keys become paths. `option` is named in errors. */
export function parseAxes(option: string, text: string): Result<readonly Axis[], string> {
  const example = `{"halfSpreadBps":[40,60,80]} would be right`
  const data = parseJson(text)
  if (data === undefined) return err(`${option} is not JSON; ${example}`)
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return err(`${option} is not an object of lists; ${example}`)
  const axes: Axis[] = []
  for (const [key, values] of Object.entries(data as Record<string, JsonValue>)) {
    if (!isList(values)) return err(`${option}: ${key} is not a list of values; ${example}`)
    const path = pathOfKey(key)
    const said = IN_COMMON.get(path)
    if (said !== undefined) return err(`${option}: ${key} is one for all variants; ${said} says it`)
    if (axes.some((axis) => axis.path === path)) return err(`${option}: ${key} is named twice`)
    const twice = values.find((value, index) => firstAt(values, value) !== index)
    if (twice !== undefined) return err(`${option}: ${key} has ${JSON.stringify(twice)} twice`)
    axes.push({ path, values })
  }
  return axes.length === 0 ? err(`${option} names no key; ${example}`) : ok(axes)
}

function combinations([axis, ...rest]: readonly Axis[]): readonly Changes[] {
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

/** Undefined where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
