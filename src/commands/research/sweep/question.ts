import { basename, resolve } from 'node:path'
import { err, ok, type Result } from '../../../base/result.ts'
import type { LoadedConfig } from '../../../config/load/loaded-config.ts'
import { type Axis, parseSpace } from '../../../sweep/grid.ts'
import {
  type Combination,
  type Constraint,
  DEFAULT_OBJECTIVES,
  type Objective,
  parseConstraint,
  parseObjective,
} from '../../../sweep/search/objectives.ts'
import type { SweepOptions } from './sweep.ts'
import { sweepSpace } from './variants.ts'

export type SearchOptions = SweepOptions & {
  readonly tapes: readonly string[]
  readonly objective: readonly string[]
  readonly constraint: readonly string[]
  readonly population: number
  readonly generations: number
  readonly combine: string
}

/** What a search is asked for. */
export type Question = {
  readonly axes: readonly Axis[]
  readonly objectives: readonly Objective[]
  readonly constraints: readonly Constraint[]
  readonly combination: Combination
  readonly tapes: readonly [NamedTape, ...NamedTape[]]
}

type NamedTape = { readonly name: string; readonly path: string }

/** Reads the options of a search. The error says what would be right. */
export function readQuestion(options: SearchOptions, config: LoadedConfig): Result<Question, string> {
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
  const paths =
    options.tapes.length > 0 ? options.tapes : config.backtest.tape === null ? [] : [config.backtest.tape]
  const [first, ...others] = namedTapes(paths)
  if (first === undefined) return err('no tape: give --tape PATH, or backtest.tape in the configuration')
  const tapes = [first, ...others] as const
  const twice = tapes.find(({ name }, i) => tapes.findIndex((one) => one.name === name) !== i)
  if (twice !== undefined) return err(`--tape: two tapes are called ${twice.name}; each needs its own name`)
  if (combine !== 'mean' && combine !== 'worst' && !tapes.some(({ name }) => name === combine))
    return err(
      `--combine ${combine}: mean, worst, or one of ${tapes.map(({ name }) => name).join(', ')} would be right`,
    )
  return ok({
    axes: axes.value,
    objectives: objectives.value.length === 0 ? DEFAULT_OBJECTIVES : objectives.value,
    constraints: constraints.value,
    combination: combine === 'mean' || combine === 'worst' ? combine : { of: combine },
    tapes,
  })
}

function namedTapes(paths: readonly string[]): readonly NamedTape[] {
  return paths.map((path) => ({
    name: basename(path).replace(/\.(jsonl|parquet)$/, ''),
    path: resolve(path),
  }))
}

/** All values, or the first error. */
function all<Value>(results: readonly Result<Value, string>[]): Result<readonly Value[], string> {
  const values: Value[] = []
  for (const result of results) {
    if (!result.ok) return result
    values.push(result.value)
  }
  return ok(values)
}
