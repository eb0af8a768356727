import type { PreparedScenario } from '../scenarios/draw/world.ts'
import type { TournamentFile, EntrantVariant } from './entrant.ts'
import type { Play, TournamentJob } from './job.ts'
import { resultKey } from './results/kept-results.ts'

/** An ablation: the entrants are the strategy `of` and then, in this order, the same without each ingredient. */
export type AblationPlan = { readonly of: string; readonly ingredients: readonly string[] }

/** The test seeds derive from this commit. `caveats` are for their reader. */
export type FinalSeeds = { readonly commit: string; readonly caveats: string[] }

/** Plan of a tournament: its scenarios, the variants of each entrant, and their code. */
export type TournamentPlan = {
  readonly file: TournamentFile
  readonly product: string
  /** File of the tournament; paths of strategies are relative to its folder. */
  readonly configFile: string
  readonly scenarios: readonly PreparedScenario[]
  /** In the order of the file; one variant without a grid. */
  readonly entrants: readonly {
    readonly name: string
    readonly sourceHash: string
    readonly variants: readonly EntrantVariant[]
  }[]
  /** Absent = no ablation. */
  readonly ablation?: AblationPlan
  /** The market in which the reference is tuned; absent = a tournament without regret. */
  readonly base?: PreparedScenario
  /** Absent = development seeds. */
  readonly final?: FinalSeeds
}

type PlanEntrant = TournamentPlan['entrants'][number]

export function keyOf(
  { product }: TournamentPlan,
  { scenario, days }: PreparedScenario,
  seed: number,
  { sourceHash }: PlanEntrant,
  variant: EntrantVariant,
): string {
  return resultKey({ product, sourceHash }, { scenario, days, seed }, variant)
}

export function trainingSeeds({ file }: TournamentPlan): readonly number[] {
  return Array.from({ length: file.trainingSeeds }, (_, index) => file.firstTrainingSeed + index)
}

export function testSeeds({ file }: TournamentPlan): readonly number[] {
  return Array.from({ length: file.seeds }, (_, index) => file.firstSeed + index)
}

/** Returns the jobs of every test world, with the chosen variant of each entrant. */
export function testJobs(plan: TournamentPlan, choices: Choices): readonly TournamentJob[] {
  const [first] = testSeeds(plan)
  const tests = jobsOf(plan, testSeeds(plan), ({ scenario }) =>
    plan.entrants.map((entrant) => [entrant, [choiceOf(choices, scenario.name, entrant)]]),
  )
  return tests.map((job) => (job.seed === first ? { ...job, plays: job.plays.map(comparing) } : job))
}

/** Exact quotes are slow, and one world per scenario suffices for the comparison. */
function comparing(play: Play): Play {
  return play.variant.exact === undefined ? play : { ...play, compares: true }
}

/** Returns the jobs of these seeds in every scenario of the plan, one a world. */
export function jobsOf(
  plan: TournamentPlan,
  seeds: readonly number[],
  playersOf: (prepared: PreparedScenario) => readonly (readonly [PlanEntrant, readonly EntrantVariant[]])[],
): readonly TournamentJob[] {
  return plan.scenarios.flatMap((prepared) =>
    seeds.map((seed) => ({
      configFile: plan.configFile,
      prepared,
      seed,
      plays: playersOf(prepared).flatMap(([entrant, variants]) =>
        variants.map((variant) => ({
          key: keyOf(plan, prepared, seed, entrant, variant),
          variant,
          sourceHash: entrant.sourceHash,
        })),
      ),
    })),
  )
}

/** The variant chosen for an entrant in a scenario, and its result on the training seeds. */
type Choice = {
  readonly scenario: string
  readonly entrant: string
  readonly variant: EntrantVariant
  /** By training seed, USD. */
  readonly trainingUsd: readonly number[]
  /** False if no variant trades as often as required; then the most active variant is chosen. */
  readonly trades: boolean
}

export type Choices = readonly Choice[]

/** Returns the chosen variant, or the only one. */
export function choiceOf(
  choices: Choices,
  scenario: string,
  { name, variants }: PlanEntrant,
): EntrantVariant {
  const chosen = choices.find((one) => one.scenario === scenario && one.entrant === name)
  return chosen?.variant ?? (variants[0] as EntrantVariant)
}
