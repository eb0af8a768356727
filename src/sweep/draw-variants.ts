import { seededRandom, type Random } from '../base/random.ts'
import { err, ok, type Result } from '../base/result.ts'
import { MAX_VARIANTS, parseAxes, type Axis } from './parse-grid.ts'
import type { Changes, JsonValue } from './variant.ts'

/**
 * Draws `count` different combinations. `space` is `{"halfSpreadBps":[20,120],"quote.pairs":[["USDC"],null,["USDT"]]}`:
 * two ascending numbers are a range, drawn uniformly, in whole numbers where both ends are whole; anything
 * else is a list to choose from. The same seed draws the same combinations, and more of them begin with the
 * same ones.
 */
export function drawVariants(space: string, count: number, seed: number): Result<readonly Changes[], string> {
  const axes = parseAxes('--space', space)
  if (!axes.ok) return axes
  const empty = axes.value.find(({ values }) => values.length === 0)
  if (empty !== undefined)
    return err(`--space: ${empty.path} has no values; [from, to] or a list would be right`)
  if (count > MAX_VARIANTS) return err(`--random ${count} is more than ${MAX_VARIANTS}`)
  const room = axes.value.reduce((product, axis) => product * sizeOf(axis), 1)
  if (room < count)
    return err(`--random ${count}: --space has only ${room} different combinations; --grid tries them all`)
  const draws = axes.value.map((axis) => drawer(axis, seededRandom(seed, `sweep ${axis.path}`)))
  const drawn = new Map<string, Changes>()
  while (drawn.size < count) {
    const changes = Object.fromEntries(draws.map(({ path, draw }) => [path, draw()]))
    drawn.set(JSON.stringify(changes), changes)
  }
  return ok([...drawn.values()])
}

/** Each axis has a stream of its own, so that one more axis leaves the others' draws as they were. */
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

function rangeOf(values: readonly JsonValue[]): { low: number; high: number; whole: boolean } | null {
  const [low, high] = values
  const isRange = values.length === 2 && typeof low === 'number' && typeof high === 'number' && low < high
  return isRange ? { low, high, whole: Number.isSafeInteger(low) && Number.isSafeInteger(high) } : null
}
