import { invariant, ok, type Result } from '../../../base/result.ts'
import type { PreparedScenario } from '../../scenarios/draw/world.ts'
import { meanOf } from '../../models/statistics/paired-difference.ts'
import type { EntrantVariant, TournamentFile } from '../entrant.ts'
import { choiceOf, type Choices, type FinalSeeds, jobsOf, keyOf, type TournamentPlan } from '../plan.ts'
import type { KeptResults } from '../results/kept-results.ts'
import { chooseVariants, type PlayJobs, playTraining } from '../tuning.ts'
import { type RegretCell, regretCells, type Sample, seedsNeeded } from './regret.ts'

/** Regret of strategies that are no baselines, worst cell first. */
export type Regret = Partial<FinalSeeds> & {
  readonly version: 1
  readonly product: string
  readonly settings: Omit<TournamentFile, 'strategies' | 'scenarios'>
  readonly cells: readonly RegretCell[]
}

const PER_DAYS = 90
/** Seeds that a round adds at least. */
const LEAST_MORE = 10

type Player = { readonly entrant: TournamentPlan['entrants'][number]; readonly variant: EntrantVariant }
type Market = {
  readonly prepared: PreparedScenario
  readonly challengers: readonly Player[]
  /** The best baseline tuned here. */
  readonly best: Player
  readonly reference: Player
  seeds: number
  /** Seeds before this round. */
  before: number
}

/** Returns every reason why the strategies of a file have no regret. */
export function regretProblems({ strategies, baselines, reference }: TournamentFile): readonly string[] {
  const tuned = strategies.filter(({ grid }) => Object.keys(grid).length > 0).map(({ name }) => name)
  const fixed = baselines.find((name) => !tuned.includes(name))
  const problems: [boolean, string][] = [
    [fixed !== undefined, `the baseline ${fixed} needs a grid, because it is tuned in each market`],
    [!baselines.includes(reference ?? ''), '`reference` must be one of the `baselines` that play'],
    [strategies.length === baselines.length, 'every strategy is a baseline; add one to compare'],
  ]
  return problems.flatMap(([isWrong, text]) => (isWrong ? [`--adverse: ${text}`] : []))
}

/**
 * Tunes the baselines in each market and the reference in `base`, and adds seeds until the error of each difference is small
 * enough. Null = interrupted.
 */
export async function playRegret(
  plan: TournamentPlan,
  base: PreparedScenario,
  kept: KeptResults,
  play: PlayJobs,
): Promise<Result<Regret | null, string>> {
  const { file, product, final } = plan
  const entrants = plan.entrants.filter(({ name }) => name === file.reference)
  const atBase = { ...plan, scenarios: [base], entrants }
  const tuned = await playTraining([plan, atBase], kept.get, play)
  if (!tuned.ok || !tuned.value) return tuned.ok ? ok(null) : tuned
  const markets = marketsOf(plan, chooseVariants(plan, kept.get), chooseVariants(atBase, kept.get))
  while (markets.some(({ seeds, before }) => seeds > before)) {
    const played = await play(markets.flatMap((market) => jobsIn(plan, market)))
    if (!played.ok || !played.value) return played.ok ? ok(null) : played
    for (const market of markets) {
      const needed = Math.max(...samplesIn(plan, kept, market).map(seedsNeeded))
      market.before = market.seeds
      const more = needed > market.seeds ? Math.max(needed, market.seeds + LEAST_MORE) : 0
      market.seeds = Math.max(market.seeds, Math.min(more, file.mostSeeds))
    }
  }
  const { strategies: _strategies, scenarios: _scenarios, ...settings } = file
  const cells = regretCells(markets.flatMap((market) => samplesIn(plan, kept, market)))
  return ok({ version: 1, product, settings, ...final, cells })
}

function marketsOf(plan: TournamentPlan, choices: Choices, atBase: Choices): readonly Market[] {
  const { baselines, seeds } = plan.file
  return plan.scenarios.map((prepared) => {
    const { name } = prepared.scenario
    const players = plan.entrants.map((entrant) => ({ entrant, variant: choiceOf(choices, name, entrant) }))
    // The best is chosen on training seeds as well: a choice on test seeds would count its luck as regret.
    const trained = choices.filter((one) => one.scenario === name && baselines.includes(one.entrant))
    const [winner] = trained.toSorted((a, b) => meanOf(b.trainingUsd).mean - meanOf(a.trainingUsd).mean)
    const best = players.find(({ variant }) => variant === winner?.variant)
    const fallback = players.find(({ entrant }) => entrant.name === atBase[0]?.entrant)
    invariant(best && fallback && atBase[0], 'baselines are tuned')
    const challengers = players.filter(({ entrant }) => !baselines.includes(entrant.name))
    const reference = { ...fallback, variant: atBase[0].variant }
    return { prepared, challengers, best, reference, seeds, before: 0 }
  })
}

/** Returns the jobs of the seeds that this round adds. */
function jobsIn(plan: TournamentPlan, { prepared, challengers, best, reference, seeds, before }: Market) {
  const players = Map.groupBy([...challengers, best, reference], ({ entrant }) => entrant)
  return jobsOf({ ...plan, scenarios: [prepared] }, seedsOf(plan, seeds).slice(before), () =>
    [...players].map(([entrant, own]) => [entrant, [...new Set(own.map(({ variant }) => variant))]]),
  )
}

function seedsOf({ file }: TournamentPlan, seeds: number): readonly number[] {
  return Array.from({ length: seeds }, (_, index) => file.firstSeed + index)
}

/** Returns each challenger against both opponents, USD per 90 days by seed. */
function samplesIn(plan: TournamentPlan, kept: KeptResults, market: Market): readonly Sample[] {
  const { prepared, challengers, best, reference, seeds } = market
  const { name, development: isDevelopment = false } = prepared.scenario
  const usdOf = ({ entrant, variant }: Player): readonly number[] =>
    seedsOf(plan, seeds).map((seed) => {
      const result = kept.get(keyOf(plan, prepared, seed, entrant, variant))
      invariant(result !== undefined, `${entrant.name} has no result for seed ${seed}`)
      return (result.pnlUsd * PER_DAYS) / prepared.days
    })
  const baseName = plan.base?.scenario.name ?? name
  return challengers.flatMap((challenger) =>
    [best, reference].map(({ entrant, variant }, index) => ({
      market: name,
      isDevelopment,
      strategy: challenger.entrant.name,
      baseline: entrant.name,
      params: variant.label,
      tunedIn: index === 0 ? name : baseName,
      ours: usdOf(challenger),
      theirs: usdOf({ entrant, variant }),
      best: usdOf(best),
    })),
  )
}
