import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { err, ok, type Result } from '../base/result.ts'
import type { StrategyDefinition } from '../strategy/define-strategy.ts'
import type { LoadedStrategy } from '../strategy/loaded-strategy.ts'
import { unkeptValue } from '../strategy/unkept-value.ts'
import type { PathStep } from './config-problem.ts'
import { describeIssues, type DescribedIssue } from './describe-issues.ts'
import { findStrategy } from './find-strategy.ts'
import { installStrategyHooks } from './strategy-hooks.ts'
import { readSources, type Source } from './read-sources.ts'
import { OUTERMOST, placeOfInner, spreadsOutOfRange, type WishPlace } from './spreads-out-of-range.ts'

export type StrategyWish = { readonly use: string; readonly params: unknown }

export type LoadStrategyOptions = {
  /** Where names are looked up. */
  readonly folder: string
  /** What relative paths are relative to: the configuration file's folder. */
  readonly baseFolder: string
  /** A new number makes the code be read anew; the old one stays loaded beside it. */
  readonly generation: number
}

/** A strategy and the absolute paths of the sources that it and what it wraps were made from. */
export type StrategyWithSources = { readonly strategy: LoadedStrategy; readonly sources: readonly string[] }

type Loading = {
  readonly options: LoadStrategyOptions
  /** Files from the outermost strategy to here; one that comes again is a cycle. */
  readonly above: readonly string[]
  readonly rawParams: unknown
}

/** Wrapping is for composing a few; deeper is a mistake. */
const MAX_DEPTH = 8

/**
 * Finds, imports and validates a strategy and those it wraps. Problems carry a path that begins with
 * `use` or `params`. Runs the file's top-level code on this thread: probe code that is not trusted first.
 */
export async function loadStrategy(
  wish: StrategyWish,
  options: LoadStrategyOptions,
): Promise<Result<StrategyWithSources, readonly DescribedIssue[]>> {
  installStrategyHooks()
  return load(wish, OUTERMOST, { options, above: [], rawParams: wish.params })
}

async function load(
  wish: StrategyWish,
  place: WishPlace,
  loading: Loading,
): Promise<Result<StrategyWithSources, readonly DescribedIssue[]>> {
  const found = findStrategy(wish.use, loading.options.folder, loading.options.baseFolder)
  if (!found.ok) return problem(place.use, found.error)
  const file = found.value
  if (loading.above.includes(file))
    return problem(place.use, `${wish.use} wraps itself; name another strategy`)
  if (loading.above.length >= MAX_DEPTH)
    return problem(place.use, `strategies wrap each other ${MAX_DEPTH} deep; use fewer`)
  const sources = readSources(file)
  if (!sources.ok) return problem(place.use, sources.error)
  const definition = await importDefinition(file, loading.options.generation)
  if (!definition.ok) return problem(place.use, definition.error)
  const params = validate(definition.value, wish.params, place)
  if (!params.ok) return params
  const inner = await loadInner(definition.value, params.value, place, {
    ...loading,
    above: [...loading.above, file],
  })
  if (!inner.ok) return inner
  return ok(assemble(wish.use, definition.value, params.value, sources.value, inner.value))
}

function problem(path: readonly PathStep[], message: string) {
  return err([{ path, at: 'value' as const, message }])
}

async function importDefinition(
  file: string,
  generation: number,
): Promise<Result<StrategyDefinition<unknown, unknown>, string>> {
  try {
    const url = `${pathToFileURL(file).href}?gen=${generation}`
    const module = (await import(/* @vite-ignore */ url)) as { default?: unknown }
    const definition = module.default as Partial<StrategyDefinition<unknown, unknown>> | undefined
    const complete =
      typeof definition === 'object' &&
      definition !== null &&
      typeof definition.name === 'string' &&
      typeof definition.init === 'function' &&
      typeof definition.quote === 'function' &&
      typeof definition.params?.safeParse === 'function'
    if (complete) return ok(definition as StrategyDefinition<unknown, unknown>)
    return err(
      "its file has no strategy as default export; 'export default defineStrategy({ name, params, init, quote })' would be right",
    )
  } catch (thrown) {
    return err(`its file cannot be loaded: ${firstLine(thrown)}; repair the file`)
  }
}

function firstLine(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return text.split('\n')[0] ?? text
}

/** The schema is the strategy's own code, which may throw. */
function validate(
  definition: StrategyDefinition<unknown, unknown>,
  params: unknown,
  place: WishPlace,
): Result<unknown, readonly DescribedIssue[]> {
  try {
    const parsed = definition.params.safeParse(params)
    const issues = parsed.success ? [] : describeIssues(parsed.error.issues, definition.params, params)
    const spreads = spreadsOutOfRange(params).filter(
      (spread) => !issues.some((issue) => JSON.stringify(issue.path) === JSON.stringify(spread.path)),
    )
    const all = [...issues, ...spreads].map((issue) => ({ ...issue, path: place.inParams(issue.path) }))
    if (!parsed.success || all.length > 0) return err(all)
    const unkept = unkeptValue(parsed.data, false)
    if (unkept === null) return ok(parsed.data)
    return problem(
      place.inParams(unkept.path),
      `the strategy makes ${unkept.what} of it, which no journal keeps; take it as text or a number`,
    )
  } catch (thrown) {
    return problem(
      place.inParams([]),
      `the strategy's own check of its parameters threw: ${firstLine(thrown)}; repair the file`,
    )
  }
}

async function loadInner(
  definition: StrategyDefinition<unknown, unknown>,
  params: unknown,
  place: WishPlace,
  loading: Loading,
): Promise<Result<ReadonlyMap<string, StrategyWithSources>, readonly DescribedIssue[]>> {
  const wishes = innerWishes(definition, params)
  if (!wishes.ok) return problem(place.inParams([]), wishes.error)
  const inner = new Map<string, StrategyWithSources>()
  for (const [label, wish] of wishes.value) {
    const loaded = await load(wish, placeOfInner(loading.rawParams, wish, place), loading)
    if (!loaded.ok) return loaded
    inner.set(label, loaded.value)
  }
  return ok(inner)
}

/** The answer is the strategy's own code's: its type is a promise that a .js file never made. */
function innerWishes(
  definition: StrategyDefinition<unknown, unknown>,
  params: unknown,
): Result<readonly (readonly [string, StrategyWish])[], string> {
  try {
    const answer: Readonly<Record<string, Partial<StrategyWish> | null>> = definition.inner?.(params) ?? {}
    const wishes: (readonly [string, StrategyWish])[] = []
    for (const [label, wish] of Object.entries(answer)) {
      if (typeof wish?.use !== 'string')
        return err(`what it wraps as '${label}' has no 'use'; { use, params } would be right`)
      wishes.push([label, { use: wish.use, params: wish.params ?? {} }])
    }
    return ok(wishes)
  } catch (thrown) {
    return err(`the strategy could not say what it wraps: ${firstLine(thrown)}; repair the file`)
  }
}

function assemble(
  use: string,
  definition: StrategyDefinition<unknown, unknown>,
  params: unknown,
  sources: readonly Source[],
  inner: ReadonlyMap<string, StrategyWithSources>,
): StrategyWithSources {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(`${source.name}\0${source.text.length}\0`).update(source.text)
  for (const [label, { strategy }] of inner) hash.update(`${label}\0${strategy.sourceHash}\0`)
  const wrapped = Object.fromEntries([...inner].map(([label, { strategy }]) => [label, strategy]))
  const files = [
    ...sources.map((source) => source.file),
    ...[...inner.values()].flatMap((one) => one.sources),
  ]
  return {
    strategy: { use, definition, params, inner: wrapped, sourceHash: hash.digest('hex') },
    sources: [...new Set(files)],
  }
}
