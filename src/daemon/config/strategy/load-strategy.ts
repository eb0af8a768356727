import { createHash } from 'node:crypto'
import { basename, dirname, resolve } from 'node:path'
import { keepNewest } from '../../../base/bounded-map.ts'
import { frozenCopy } from '../../../base/frozen.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { Ms } from '../../../base/time.ts'
import { bundleStrategy, readSources, type Source } from '../../confinement/bundle-strategy.ts'
import { rememberedScript } from '../../confinement/script-cache.ts'
import { evaluateApart, LOADING_TIMEOUT_MS } from '../../confinement/evaluate-apart.ts'
import { evaluateStrategy, lockDown } from '../../confinement/evaluate-strategy.ts'
import { kitScript } from '../../confinement/kit-script.ts'
import { StrategyLost } from '../../../core/strategy/ask-strategy.ts'
import type { LoadedStrategy, StrategyDefinition } from '../../../core/strategy/define-strategy.ts'
import { unkeptValue } from '../../../core/strategy/memory.ts'
import type { PathStep } from '../source/problem.ts'
import { describeIssues } from '../source/describe-issues.ts'
import type { Finding } from '../source/problem.ts'
import { findStrategy } from './find-strategy.ts'
import { OUTERMOST, placeOfInner, spreadsOutOfRange, type ReferencePlace } from './spreads-out-of-range.ts'

export type StrategyReference = { readonly use: string; readonly params: unknown }

export type LoadStrategyOptions = {
  /** The folder where names are looked up. */
  readonly folder: string
  /** The base of relative paths: the configuration file's folder. */
  readonly baseFolder: string
  /** sha-256 of the strategies that may be evaluated; null or absent = all. */
  readonly allow?: readonly string[] | null
  /**
   * The owner of the strategy. A user's file is evaluated separately for each owner, so that module variables cannot carry state from one
   * position to another. Shipped strategies have no state, so all positions of a thread share them.
   */
  readonly owner?: string
  /**
   * Evaluates a user's file in a process that can be killed, for at most this long. Absent = in this thread, which is faster for a million
   * questions but hangs if the strategy loops.
   */
  readonly apartWithinMs?: Ms
  /** Runs while that process starts up. */
  readonly meanwhile?: () => Promise<void>
  /** Evaluates a user's file anew, so that its module variables carry nothing from one simulated run to the next. */
  readonly isAnew?: boolean
}

/** A strategy and the absolute paths of all its sources, wrapped strategies included. */
export type StrategyWithSources = { readonly strategy: LoadedStrategy; readonly sources: readonly string[] }

type Loading = {
  readonly options: LoadStrategyOptions
  /** Files from the outermost strategy to this one; a repeated file is a cycle. */
  readonly above: readonly string[]
  readonly rawParams: unknown
}

/** Wrapping is meant for a few strategies; deeper nesting is a mistake. */
const MAX_DEPTH = 8

/**
 * Finds, evaluates and validates a strategy and those it wraps. Problems carry a path that begins with
 * `use` or `params`. The first strategy locks this thread down, see src/daemon/confinement. Runs the file's top-level
 * code here, which may loop: probe first where that matters.
 */
export async function loadStrategy(
  wish: StrategyReference,
  options: LoadStrategyOptions,
): Promise<Result<StrategyWithSources, readonly Finding[]>> {
  return load(wish, OUTERMOST, { options, above: [], rawParams: wish.params })
}

/** Like `loadStrategy`, but evaluates a user's file in a process that can be killed. */
export function loadStrategyApart(
  wish: StrategyReference,
  options: LoadStrategyOptions,
): ReturnType<typeof loadStrategy> {
  return loadStrategy(wish, { apartWithinMs: LOADING_TIMEOUT_MS, ...options })
}

/**
 * For research: evaluates a copy of its own in this thread, after a trial in a separate process has shown that it terminates. With a
 * shared copy, a variable of the file would show a variant what an earlier one saw of the same market's future.
 */
export async function loadStrategyHere(
  wish: StrategyReference,
  options: LoadStrategyOptions,
): ReturnType<typeof loadStrategy> {
  const tried = await loadStrategyApart(wish, { ...options, meanwhile: lockDown })
  return tried.ok ? loadStrategy(wish, { ...options, isAnew: true }) : tried
}

async function load(
  wish: StrategyReference,
  place: ReferencePlace,
  loading: Loading,
): Promise<Result<StrategyWithSources, readonly Finding[]>> {
  const found = findStrategy(wish.use, loading.options.folder, loading.options.baseFolder)
  if (!found.ok) return problem(place.use, found.error)
  const file = found.value
  if (loading.above.includes(file))
    return problem(place.use, `${wish.use} wraps itself; name another strategy`)
  if (loading.above.length >= MAX_DEPTH)
    return problem(place.use, `strategies wrap each other ${MAX_DEPTH} deep; use fewer`)
  const sources = readSources(file)
  if (!sources.ok) return problem(place.use, sources.error)
  const hash = hashOf(sources.value)
  const { allow = null } = loading.options
  if (allow !== null && !allow.includes(hash))
    return problem(
      place.use,
      `its code is sha-256 ${hash}, which strategy.allow does not list; read it, then list it`,
    )
  const definition = await definitionOf(file, hash, sources.value, loading.options)
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

function isShipped(file: string, { folder }: LoadStrategyOptions): boolean {
  return dirname(file) === resolve(folder)
}

/** By owner, file and hash. */
const evaluated = new Map<string, Promise<Result<StrategyDefinition<unknown, unknown>, string>>>()
const MAX_EVALUATED = 32

async function definitionOf(
  file: string,
  hash: string,
  sources: readonly Source[],
  options: LoadStrategyOptions,
): Promise<Result<StrategyDefinition<unknown, unknown>, string>> {
  const owner = isShipped(file, options) ? '' : (options.owner ?? '')
  const withinMs = isShipped(file, options) ? undefined : options.apartWithinMs
  const evaluation = { file, sources, hash, owner, withinMs, meanwhile: options.meanwhile }
  if (options.isAnew === true && !isShipped(file, options)) return evaluate(evaluation)
  const key = `${owner} ${hash} ${file} ${withinMs !== undefined}`
  const known = evaluated.get(key)
  if (known !== undefined) return known
  const definition = await keepNewest(evaluated, key, evaluate(evaluation), MAX_EVALUATED)
  if (!definition.ok) evaluated.delete(key)
  return definition
}

type Evaluation = {
  readonly file: string
  readonly sources: readonly Source[]
  readonly hash: string
  readonly owner: string
  readonly withinMs: Ms | undefined
  readonly meanwhile: LoadStrategyOptions['meanwhile']
}

async function evaluate({
  file,
  sources,
  hash,
  owner,
  withinMs,
  meanwhile,
}: Evaluation): Promise<Result<StrategyDefinition<unknown, unknown>, string>> {
  const name = basename(file)
  const origin = { kind: 'strategy' as const, entry: name, sources }
  const script = await rememberedScript(origin, () => bundleStrategy(file, sources))
  if (!script.ok) return err(`its file cannot be loaded: ${script.error}; repair the file`)
  if (withinMs === undefined) return evaluateStrategy(name, script.value, await kitScript())
  return evaluateApart({ name, script: script.value, hash, owner }, withinMs, meanwhile)
}

function firstLine(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return text.split('\n')[0] ?? text
}

/** The schema is strategy code, which may throw. */
function validate(
  definition: StrategyDefinition<unknown, unknown>,
  params: unknown,
  place: ReferencePlace,
): Result<unknown, readonly Finding[]> {
  try {
    const parsed = definition.params.safeParse(frozenCopy(params))
    const issues = parsed.success ? [] : describeIssues(parsed.error.issues, definition.params, params)
    const spreads = spreadsOutOfRange(params).filter(
      (spread) => !issues.some((issue) => JSON.stringify(issue.path) === JSON.stringify(spread.path)),
    )
    const all = plain(
      [...issues, ...spreads].map((issue) => ({ ...issue, path: place.inParams(issue.path) })),
    )
    if (!parsed.success || all.length > 0) return err(all)
    const unkept = unkeptValue(parsed.data, false)
    if (unkept === null) return ok(frozenCopy(parsed.data))
    return problem(
      place.inParams(unkept.path),
      `the strategy makes ${unkept.what} of it, which no journal keeps; take it as text or a number`,
    )
  } catch (thrown) {
    if (thrown instanceof StrategyLost) return problem(place.use, thrown.message)
    return problem(
      place.inParams([]),
      `the strategy's own check of its parameters threw: ${firstLine(thrown)}; repair the file`,
    )
  }
}

/** Copies findings made by a strategy's schema into plain data. */
function plain(issues: readonly Finding[]): readonly Finding[] {
  return JSON.parse(JSON.stringify(issues)) as readonly Finding[]
}

async function loadInner(
  definition: StrategyDefinition<unknown, unknown>,
  params: unknown,
  place: ReferencePlace,
  loading: Loading,
): Promise<Result<ReadonlyMap<string, StrategyWithSources>, readonly Finding[]>> {
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

/** The answer comes from strategy code, and a .js file may violate its declared type. */
function innerWishes(
  definition: StrategyDefinition<unknown, unknown>,
  params: unknown,
): Result<readonly (readonly [string, StrategyReference])[], string> {
  try {
    const answer: Readonly<Record<string, Partial<StrategyReference> | null>> =
      definition.inner?.(params) ?? {}
    const wishes: (readonly [string, StrategyReference])[] = []
    for (const [label, wish] of Object.entries(answer)) {
      if (typeof wish?.use !== 'string')
        return err(`the strategy wrapped as '${label}' has no 'use'; expected { use, params }`)
      wishes.push([label, { use: wish.use, params: frozenCopy(wish.params ?? {}) }])
    }
    return ok(wishes)
  } catch (thrown) {
    return err(`the strategy could not list the strategies it wraps: ${firstLine(thrown)}; repair the file`)
  }
}

/** Hashes the bundled sources and the wrapped strategies. */
function hashOf(
  sources: readonly Source[],
  inner: ReadonlyMap<string, StrategyWithSources> = new Map(),
): string {
  const hash = createHash('sha256')
  for (const source of sources) hash.update(`${source.name}\0${source.text.length}\0`).update(source.text)
  for (const [label, { strategy }] of inner) hash.update(`${label}\0${strategy.sourceHash}\0`)
  return hash.digest('hex')
}

function assemble(
  use: string,
  definition: StrategyDefinition<unknown, unknown>,
  params: unknown,
  sources: readonly Source[],
  inner: ReadonlyMap<string, StrategyWithSources>,
): StrategyWithSources {
  const wrapped = Object.fromEntries([...inner].map(([label, { strategy }]) => [label, strategy]))
  const files = [
    ...sources.map((source) => source.file),
    ...[...inner.values()].flatMap((one) => one.sources),
  ]
  return {
    strategy: { use, definition, params, inner: wrapped, sourceHash: hashOf(sources, inner) },
    sources: [...new Set(files)],
  }
}
