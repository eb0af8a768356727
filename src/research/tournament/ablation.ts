import { invariant } from '../../base/result.ts'
import { holm } from '../models/statistics/many-comparisons.ts'
import { meanOf, pairedDifference, type PairedDifference } from '../models/statistics/paired-difference.ts'
import type { Entrant, TournamentFile } from './entrant.ts'
import type { AblationPlan } from './plan.ts'

/** What each ingredient contributes: PnL with it less PnL without it, USD per 90 days, paired by seed. */
export type Ablation = {
  readonly of: string
  readonly contributions: readonly Contribution[]
}

export type Contribution = {
  readonly ingredient: string
  /** Seed by seed over the mean of the scenarios, whose worlds share the seed. */
  readonly overall: PairedDifference
  /** Scenarios with a mean above 0, and those beyond doubt: p below 0.05, adjusted for the whole table (Holm). */
  readonly helpsIn: number
  readonly surelyHelpsIn: number
  readonly surelyHurtsIn: number
  readonly scenarios: readonly (PairedDifference & { readonly name: string; readonly holm: number })[]
}

/** A scenario's test worlds, by strategy. */
type PlayedRow = {
  readonly prepared: { readonly scenario: { readonly name: string }; readonly days: number }
  readonly played: readonly { readonly results: readonly { readonly pnlUsd: number }[] }[]
}

const PER_DAYS = 90
const SURE = 0.05

type AblationRequest = {
  readonly ablate?: string
  readonly without?: readonly string[]
  readonly strategies?: readonly string[]
}

/**
 * Replaces the strategies of the file by `request.ablate` and the same without each of its ingredients, compared with it.
 * Returns every reason why that is impossible; a request without `ablate` changes nothing.
 */
export function ablate(
  file: TournamentFile,
  request: AblationRequest,
): {
  readonly file: TournamentFile
  readonly ablation: AblationPlan | null
  readonly problems: readonly string[]
} {
  const { ablate: name, without, strategies: named } = request
  if (name === undefined)
    return { file, ablation: null, problems: without === undefined ? [] : ['--without needs --ablate'] }
  const problems = named === undefined ? [] : ['--ablate and --strategies exclude each other']
  const declaring = file.strategies.filter(({ ingredients }) => Object.keys(ingredients).length > 0)
  const whole = declaring.find((one) => one.name === name) ?? declaring.find(({ use }) => use === name)
  if (whole === undefined) {
    const valid = [...new Set(declaring.flatMap((one) => [one.name, one.use]))].join(', ')
    problems.push(`--ablate: no strategy ${name} with ingredients; expected one of ${valid || '(none)'}`)
    return { file, ablation: null, problems }
  }
  const declared = Object.keys(whole.ingredients)
  const ingredients = [...new Set(without ?? declared)]
  for (const one of ingredients)
    if (!declared.includes(one))
      problems.push(
        `--without: ${whole.name} has no ingredient ${one}; expected one of ${declared.join(', ')}`,
      )
  // Exact quotes are slow, and an ablation does not show them.
  const full = { ...whole, exact: null }
  const strategies = [full, ...ingredients.map((ingredient) => lacking(full, ingredient))]
  return {
    file: { ...file, strategies, baselines: [full.name] },
    ablation: { of: full.name, ingredients },
    problems,
  }
}

function lacking(whole: Entrant, ingredient: string): Entrant {
  const { params = {}, withhold = [] } = whole.ingredients[ingredient] ?? {}
  return {
    ...whole,
    name: `without-${ingredient}`,
    params: { ...whole.params, ...params },
    withhold: [...whole.withhold, ...withhold],
  }
}

/** Returns the contributions from the played test worlds: in each row first the whole strategy, then each one without. */
export function contributionsOf({ of, ingredients }: AblationPlan, rows: readonly PlayedRow[]): Ablation {
  const tables = ingredients.map((ingredient, index) => {
    const pairs = rows.map(({ prepared: { scenario, days }, played }) => {
      const [whole, lacks] = [usdOf(played[0], days), usdOf(played[index + 1], days)]
      return { name: scenario.name, whole, lacks, ...pairedDifference(whole, lacks) }
    })
    return { ingredient, pairs }
  })
  const adjusted = holm(tables.flatMap(({ pairs }) => pairs.map(({ p }) => p)))
  return {
    of,
    contributions: tables.map(({ ingredient, pairs }, table) => {
      const scenarios = pairs.map(({ whole: _whole, lacks: _lacks, ...difference }, row) => ({
        ...difference,
        holm: adjusted[table * rows.length + row] ?? 1,
      }))
      const sure = scenarios.filter(({ holm: p }) => p < SURE)
      return {
        ingredient,
        overall: pairedDifference(
          bySeed(pairs.map(({ whole }) => whole)),
          bySeed(pairs.map(({ lacks }) => lacks)),
        ),
        helpsIn: scenarios.filter(({ mean }) => mean > 0).length,
        surelyHelpsIn: sure.filter(({ mean }) => mean > 0).length,
        surelyHurtsIn: sure.filter(({ mean }) => mean < 0).length,
        scenarios,
      }
    }),
  }
}

function usdOf(played: PlayedRow['played'][number] | undefined, days: number): readonly number[] {
  invariant(played !== undefined, 'an ablation plays the strategy and the same without each ingredient')
  return played.results.map(({ pnlUsd }) => (pnlUsd * PER_DAYS) / days)
}

/** Returns the mean over the scenarios for each seed. */
function bySeed(scenarios: readonly (readonly number[])[]): readonly number[] {
  return (scenarios[0] ?? []).map((_, seed) => meanOf(scenarios.map((usd) => usd[seed] ?? Number.NaN)).mean)
}
