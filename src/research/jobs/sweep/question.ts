import { basename, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { readScenarios } from '../read-scenarios.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import { type Axis, parseSpace } from '../../sweep/grid.ts'
import type { Front } from '../../sweep/search/front.ts'
import { DEFAULT_OBJECTIVES, parseConstraint, parseObjective } from '../../sweep/search/objectives.ts'
import type { SearchOrder } from '../../sweep/search/run-search.ts'
import type { SweepRequest } from './order-sweep.ts'
import { sweepSpace } from './check-variants.ts'

export type SearchRequest = SweepRequest & {
  readonly tapes: readonly string[]
  readonly objective: readonly string[]
  readonly constraint: readonly string[]
  readonly population: number
  readonly generations: number
  readonly combine: string
  readonly scenarios?: readonly string[]
  readonly seeds?: number
  readonly days?: number
  readonly feedTau?: number
}

/** Input of a search. */
export type Question = Pick<SearchOrder, 'axes' | 'objectives' | 'constraints' | 'combination'> & {
  /** At least one, scenarios included, each with a unique name. */
  readonly tapes: readonly NamedTape[]
  readonly worlds: Worlds
}

/** The simulated markets of a search; every variant meets the same ones. */
export type Worlds = Omit<NonNullable<Front['worlds']>, 'scenarios'> & {
  readonly scenarios: readonly Scenario[]
}

const SEEDS = 10
const DAYS = 30

type NamedTape = { readonly name: string; readonly path: string }

/** Reads the options of a search. The error names valid values. */
export function readQuestion(options: SearchRequest, config: LoadedConfig): Result<Question, string> {
  const { grid, random, workers, queue, combine } = options
  if (grid !== undefined || random !== undefined) return err('--search excludes --grid and --random')
  if (workers === 0 && queue === undefined) return err('--workers 0 needs --queue, with workers elsewhere')
  const drawnFrom = options.space ?? sweepSpace(config.strategy)
  if (drawnFrom === null)
    return err('the strategy has no number to vary: give --space \'{"halfSpreadBps":[20,120]}\'')
  const axes = parseSpace(drawnFrom)
  if (!axes.ok) return axes
  const objectives = all(options.objective.map(parseObjective))
  if (!objectives.ok) return objectives
  const constraints = all(options.constraint.map(parseConstraint))
  if (!constraints.ok) return constraints
  const worlds = readWorlds(options, axes.value)
  if (!worlds.ok) return worlds
  const tapes = readTapes(options, config)
  if (!tapes.ok) return tapes
  const names = [...tapes.value, ...worlds.value.scenarios].map(({ name }) => name)
  const twice = tapes.value.find(({ name }) => worlds.value.scenarios.some((one) => one.name === name))
  if (twice !== undefined)
    return err(`--tape: ${twice.name} is a scenario of this search too; each needs its own name`)
  if (combine !== 'mean' && combine !== 'worst' && !names.includes(combine))
    return err(`--combine ${combine}: expected mean, worst, or one of ${names.join(', ')}`)
  return ok({
    axes: axes.value,
    objectives: objectives.value.length === 0 ? DEFAULT_OBJECTIVES : objectives.value,
    constraints: constraints.value,
    combination: combine === 'mean' || combine === 'worst' ? combine : { of: combine },
    tapes: tapes.value,
    worlds: worlds.value,
  })
}

/** Reads the scenarios and their worlds; paths are relative to the working directory. */
function readWorlds(options: SearchRequest, axes: readonly Axis[]): Result<Worlds, string> {
  const { scenarios, seeds, days, feedTau } = options
  if (scenarios === undefined)
    return seeds === undefined && days === undefined && feedTau === undefined
      ? ok({ scenarios: [], seeds: SEEDS, days: DAYS, feedTauBps: null })
      : err('--seeds, --days and --feed-tau apply to simulated markets: give --scenarios NAMES too')
  if (options.queue !== undefined || options.join === true)
    return err('--scenarios excludes --queue and --join: simulated markets are played on this machine')
  const other = axes.find(({ path }) => !path.startsWith('strategy.'))
  if (other !== undefined)
    return err(
      `--space: a simulated market uses only the strategy from the configuration, so ${other.path} has no effect there; use parameters of the strategy, or --tape without --scenarios`,
    )
  const read = readScenarios(scenarios.join() === 'all' ? 'all' : scenarios, resolve('here'), days ?? DAYS)
  if (!read.ok) return err(`--${read.error}`)
  return ok({
    scenarios: read.value,
    seeds: seeds ?? SEEDS,
    days: days ?? DAYS,
    feedTauBps: feedTau ?? null,
  })
}

/** With scenarios no tape is required, and the configured one is ignored. */
function readTapes(
  { tapes: asked, scenarios, from, to, fills }: SearchRequest,
  { backtest: { tape } }: LoadedConfig,
): Result<readonly NamedTape[], string> {
  const ofConfig = tape === null || scenarios !== undefined ? [] : [tape]
  const tapes = namedTapes(asked.length > 0 ? asked : ofConfig)
  if (tapes.length === 0 && scenarios === undefined)
    return err('no tape: give --tape PATH or --scenarios NAMES, or backtest.tape in the configuration')
  if (tapes.length === 0 && [from, to, fills].some((option) => option !== undefined))
    return err('--from, --to and --fills apply to a tape: give --tape PATH too')
  const twice = tapes.find(({ name }, i) => tapes.findIndex((one) => one.name === name) !== i)
  return twice === undefined
    ? ok(tapes)
    : err(`--tape: two tapes have the name ${twice.name}; each needs its own`)
}

function namedTapes(paths: readonly string[]): readonly NamedTape[] {
  return paths.map((path) => ({
    name: basename(path).replace(/\.(jsonl|parquet)$/, ''),
    path: resolve(path),
  }))
}

/** Returns all values, or the first error. */
function all<Value>(results: readonly Result<Value, string>[]): Result<readonly Value[], string> {
  const values: Value[] = []
  for (const result of results) {
    if (!result.ok) return result
    values.push(result.value)
  }
  return ok(values)
}
