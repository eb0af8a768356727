import { err, ok, type Result } from '../../../base/result.ts'

/** Metrics of a variant by name; names with dots are paths in a backtest's result. Null = too little data. */
export type VariantMetrics = Readonly<Record<string, number | null>>

/** A metric that the search maximises or minimises. */
export type Objective = { readonly metric: string; readonly goal: 'max' | 'min' }

/** A condition for every point of the front. */
export type Constraint = {
  readonly metric: string
  readonly relation: '>=' | '<='
  readonly bound: number
}

/** Combines the metrics of several tapes or scenarios: mean, worst, or those of one by name. */
export type Combination = 'mean' | 'worst' | { readonly of: string }

/** Metrics to minimise; all others are maximised. Longer names of the same metric count as well. */
const BETTER_LOWER = [
  'maxDrawdownUsd',
  'timeOneSided',
  'maxDrawdown',
  'timeAtLimit',
  'meanAbs',
  'p95',
  'quoteUpdates',
  'rejected',
  'staleness',
]

/** The 5 % quantile of the daily PnL less holding, the worst drawdown, and the time in which one side could not trade. */
export const DEFAULT_OBJECTIVES: readonly Objective[] = [
  { metric: 'q05LessHoldingUsd', goal: 'max' },
  { metric: 'maxDrawdownUsd', goal: 'min' },
  { metric: 'timeOneSided', goal: 'min' },
]

/** Reads `NAME`, `max NAME`, `min NAME`; without a goal, uses the metric's usual one. */
export function parseObjective(text: string): Result<Objective, string> {
  const [, goal, metric] = /^(?:(max|min)\s+)?([A-Za-z][\w.]*)$/.exec(text.trim()) ?? []
  if (metric === undefined)
    return err(
      `--objective ${text}: expected a metric, or max or min and a metric, such as 'min maxDrawdownUsd'`,
    )
  return ok({ metric, goal: goal === 'max' || goal === 'min' ? goal : usualGoal(metric) })
}

function usualGoal(metric: string): Objective['goal'] {
  return metric.split('.').some((part) => BETTER_LOWER.includes(part)) ? 'min' : 'max'
}

/** Reads `NAME>=NUMBER` or `NAME<=NUMBER`. */
export function parseConstraint(text: string): Result<Constraint, string> {
  const [, metric, relation, number] = /^\s*([A-Za-z][\w.]*)\s*(>=|<=)\s*(\S+)\s*$/.exec(text) ?? []
  const bound = Number(number)
  if (metric === undefined || !Number.isFinite(bound))
    return err(`--constraint ${text}: expected a metric, >= or <=, and a number, such as 'fillsADay>=1'`)
  return ok({ metric, relation: relation === '>=' ? '>=' : '<=', bound })
}

/** Returns the requested names that were not measured, with the measured ones; null = none is missing. */
export function missingMetric(
  wanted: readonly { readonly metric: string }[],
  measured: VariantMetrics,
): string | null {
  const missing = wanted.find(({ metric }) => !Object.hasOwn(measured, metric))
  return missing === undefined
    ? null
    : `nothing measures ${missing.metric}; expected one of ${Object.keys(measured).toSorted().join(', ')}`
}

/** Combines each metric of several grounds into one figure; `worst` uses the metric's own direction. */
export function combined(
  grounds: readonly { readonly name: string; readonly metrics: VariantMetrics }[],
  how: Combination,
  goalOf: (metric: string) => Objective['goal'],
): VariantMetrics {
  const names = Object.keys(grounds[0]?.metrics ?? {}).filter((name) =>
    grounds.every(({ metrics }) => Object.hasOwn(metrics, name)),
  )
  if (typeof how === 'object') return grounds.find(({ name }) => name === how.of)?.metrics ?? {}
  return Object.fromEntries(
    names.map((name) => {
      const values = grounds.flatMap(({ metrics }) => metrics[name] ?? [])
      if (values.length < grounds.length) return [name, null]
      if (how === 'mean') return [name, values.reduce((sum, one) => sum + one, 0) / values.length]
      return [name, goalOf(name) === 'max' ? Math.min(...values) : Math.max(...values)]
    }),
  )
}

/** Returns the goal of a metric: that of its objective, the side of its constraint, or the usual one. */
export function goalIn(
  objectives: readonly Objective[],
  constraints: readonly Constraint[],
): (metric: string) => Objective['goal'] {
  return (metric) => {
    const objective = objectives.find((one) => one.metric === metric)
    if (objective !== undefined) return objective.goal
    const constraint = constraints.find((one) => one.metric === metric)
    if (constraint !== undefined) return constraint.relation === '>=' ? 'max' : 'min'
    return usualGoal(metric)
  }
}

/** Violation of a variant without a required figure: larger than any real violation. */
const NO_FIGURE = 1e12

/** Returns the objectives as minimised by the search, and the constraint violations, each as a share of its bound. */
export function scoreOf(
  metrics: VariantMetrics,
  objectives: readonly Objective[],
  constraints: readonly Constraint[],
): { readonly objectives: readonly number[]; readonly violation: number } {
  let violation = 0
  const valueOf = (metric: string): number => {
    const value = metrics[metric] ?? null
    if (value === null) violation += NO_FIGURE
    return value ?? 0
  }
  for (const { metric, relation, bound } of constraints) {
    const value = valueOf(metric)
    const missed = relation === '>=' ? bound - value : value - bound
    violation += Math.max(0, missed) / Math.max(1e-9, Math.abs(bound))
  }
  const minimised = objectives.map(({ metric, goal }) =>
    goal === 'max' ? -valueOf(metric) : valueOf(metric),
  )
  return { objectives: minimised, violation }
}
