import { invariant, ok, type Result } from '../../base/result.ts'
import { type MeanEstimate, meanOf, pairedDifference } from '../models/statistics/paired-difference.ts'
import type { PreparedScenario } from '../scenarios/draw/world.ts'
import type { EntrantVariant } from './entrant.ts'
import type { TournamentJob } from './job.ts'
import { type Choices, jobsOf, keyOf, type TournamentPlan, trainingSeeds } from './plan.ts'
import type { KeptResults } from './results/kept-results.ts'

/** Variants drop out after this many training seeds, after twice as many, and so on. */
const FIRST_CUT = 10
/** A variant drops out that is behind the leader by more than these USD and this many standard errors together. */
const LEVEL_USD = 5
const SURE_ERRORS = 4

/** Plays jobs, before `later` others; false = interrupted. */
export type PlayJobs = (jobs: readonly TournamentJob[], later?: number) => Promise<Result<boolean, string>>

type ResultOf = KeptResults['get']

/**
 * Plays the training seeds of these plans, which have one file, with every variant that is still in the race. Whether one is
 * depends on results alone, so every process of a queue has the same jobs.
 */
export async function playTraining(
  plans: readonly TournamentPlan[],
  get: ResultOf,
  play: PlayJobs,
): Promise<Result<boolean, string>> {
  const { firstTrainingSeed, trainingSeeds: most } = (plans[0] as TournamentPlan).file
  for (let from = 0, to = FIRST_CUT; from < most; from = to, to *= 2) {
    const left = plans.flatMap((plan) => trainingJobs(plan, get, from))
    const jobs = left.filter(({ seed }) => seed < firstTrainingSeed + to)
    const played = await play(jobs, playsOf(left) - playsOf(jobs))
    if (!played.ok || !played.value) return played
  }
  return ok(true)
}

export function playsOf(jobs: readonly TournamentJob[]): number {
  return jobs.reduce((sum, { plays }) => sum + plays.length, 0)
}

/** Returns the jobs of every training world after the first `from` seeds, with the variants still in. */
export function trainingJobs(plan: TournamentPlan, get: ResultOf, from: number): readonly TournamentJob[] {
  const tuned = plan.entrants.filter(({ variants }) => variants.length > 1)
  return jobsOf(plan, trainingSeeds(plan).slice(from), (prepared) =>
    tuned.map((entrant) => [entrant, race(plan, prepared, entrant, get, from).map(({ variant }) => variant)]),
  )
}

/**
 * Chooses, scenario by scenario, the variant with the highest mean PnL on the training seeds among those that trade and are
 * still in the race.
 */
export function chooseVariants(plan: TournamentPlan, get: ResultOf): Choices {
  const { trainingSeeds: seeds, leastFillsADay } = plan.file
  return plan.scenarios.flatMap((prepared) =>
    plan.entrants
      .filter(({ variants }) => variants.length > 1)
      .map((entrant) => {
        const tried = race(plan, prepared, entrant, get, seeds)
        const trading = tried.filter(({ fills }) => meanOf(fills).mean >= leastFillsADay * prepared.days)
        const best = bestOf(trading, 'usd') ?? bestOf(tried, 'fills')
        const { variant, usd: trainingUsd } = best as Trial
        const [scenario, trades] = [prepared.scenario.name, trading.length > 0]
        return { scenario, entrant: entrant.name, variant, trainingUsd, trades }
      }),
  )
}

/** A variant, and its PnL and fills by training seed. */
type Trial = { readonly variant: EntrantVariant } & Readonly<Record<'usd' | 'fills', readonly number[]>>

/** Returns the trial with the highest mean, the first of equal ones. */
function bestOf(trials: readonly Trial[], by: 'usd' | 'fills'): Trial | undefined {
  return trials.toSorted((a, b) => meanOf(b[by]).mean - meanOf(a[by]).mean)[0]
}

/** Returns the variants still in after the first `played` training seeds, with their results on these. */
function race(
  plan: TournamentPlan,
  prepared: PreparedScenario,
  entrant: TournamentPlan['entrants'][number],
  get: ResultOf,
  played: number,
): readonly Trial[] {
  const [seeds, leastFills] = [trainingSeeds(plan), plan.file.leastFillsADay * prepared.days]
  const trialOf = (variant: EntrantVariant, until: number): Trial => {
    const results = seeds.slice(0, until).map((seed) => {
      const result = get(keyOf(plan, prepared, seed, entrant, variant))
      invariant(result !== undefined, `${entrant.name} has no result for training seed ${seed}`)
      return result
    })
    const fills = results.map(({ fills: { retail, informed } }) => retail + informed)
    return { variant, usd: results.map(({ pnlUsd }) => pnlUsd), fills }
  }
  let left = entrant.variants
  for (let cut = FIRST_CUT; cut <= played && cut < seeds.length; cut *= 2) {
    const trials = left.map((variant) => trialOf(variant, cut))
    left = notWorse(trials, leastFills)
  }
  return left.map((variant) => trialOf(variant, played))
}

const surelyOf = ({ mean, se }: Pick<MeanEstimate, 'mean' | 'se'>): number => mean - SURE_ERRORS * se

/** Returns the variants that may still win. The leader surely trades enough, so that the choice cannot pass it over. */
function notWorse(trials: readonly Trial[], leastFills: number): readonly EntrantVariant[] {
  const trading = trials.filter(({ fills }) => surelyOf(meanOf(fills)) >= leastFills)
  const leader = bestOf(trading, 'usd')
  return trials
    .filter(({ usd }) => leader === undefined || surelyOf(pairedDifference(leader.usd, usd)) <= LEVEL_USD)
    .map(({ variant }) => variant)
}
