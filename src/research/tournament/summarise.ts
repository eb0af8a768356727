import { invariant } from '../../base/result.ts'
import { holm, luckOfTheBest } from '../models/statistics/many-comparisons.ts'
import { flipTests } from '../models/statistics/sign-flips.ts'
import type { PreparedScenario } from '../scenarios/draw/world.ts'
import { type Ablation, contributionsOf } from './ablation.ts'
import type { PolicyDifference } from './core/compare-policy.ts'
import type { PlayedWorld } from './job.ts'
import type { TournamentFile, EntrantVariant } from './entrant.ts'
import { choiceOf, type Choices, type FinalSeeds, keyOf, testSeeds, type TournamentPlan } from './plan.ts'
import {
  meanOf,
  type MeanEstimate,
  pairedDifference,
  type PairedDifference,
} from '../models/statistics/paired-difference.ts'

/** Result of a tournament. Money in USD over the days of a world, as a mean over the test seeds unless stated otherwise. */
export type TournamentResult = Partial<FinalSeeds> & {
  readonly version: 1
  readonly product: string
  readonly settings: Omit<TournamentFile, 'strategies'>
  readonly scenarios: readonly {
    readonly name: string
    /** Root mean square gap between the true rate and the mid, bps. */
    readonly gapBps: number
    readonly standings: readonly Standing[]
  }[]
  /** Absent = no ablation. */
  readonly ablation?: Ablation
}

export type Standing = {
  readonly strategy: string
  readonly params: EntrantVariant['params']
  readonly feedTauBps: number | null
  readonly refills: EntrantVariant['refills']
  readonly calibration: EntrantVariant['calibration']
  /** Choice from the grid on the training seeds; null = a single variant. */
  readonly tuning: Tuning | null
  readonly pnl: MeanEstimate
  /** They sum to the mean PnL. */
  readonly parts: Pick<PlayedWorld, 'retailUsd' | 'informedUsd' | 'restockingUsd' | 'carryUsd'>
  /** Share of the seeds that end with a loss, and its standard error. */
  readonly losing: { readonly share: number; readonly se: number }
  /** Mean of the worst 1 % of all days of all seeds. */
  readonly worstDaysUsd: number
  readonly drawdown: { readonly meanUsd: number; readonly worstUsd: number }
  readonly inventoryUsd: number
  /** Share of the time at which a side could pay no more than 500 USD. */
  readonly emptyShare: number
  readonly fillsADay: number
  /** Difference of its spreads from exact ones in the first test world; null = not compared. */
  readonly policy: PolicyDifference | null
  readonly against: readonly Against[]
}

type Tuning = {
  readonly chosen: string
  readonly variants: number
  readonly trainingUsd: number
  /** Expected luck of the best of that many equal variants on the training seeds. */
  readonly luckUsd: number
  /** False if no variant trades as often as required. */
  readonly trades: boolean
}

/** The paired difference to a baseline; `holm` over the whole table, `stepDown` over the strategies of the scenario. */
export type Against = PairedDifference & {
  readonly baseline: string
  readonly holm: number
  readonly stepDown: number
  /** Difference of the mean of the worst 1 % of a seed's days, at least of the worst day; + = the strategy's are better. */
  readonly worstDays: PairedDifference
}

type Played = {
  readonly name: string
  readonly variant: EntrantVariant
  readonly results: readonly PlayedWorld[]
}
type Row = { readonly prepared: PreparedScenario; readonly played: readonly Played[] }

export function summarise(
  plan: TournamentPlan,
  choices: Choices,
  resultOf: (key: string) => PlayedWorld | undefined,
): TournamentResult {
  const seeds = testSeeds(plan)
  const rows: Row[] = plan.scenarios.map((prepared) => ({
    prepared,
    played: plan.entrants.map((entrant) => {
      const variant = choiceOf(choices, prepared.scenario.name, entrant)
      const results = seeds.map((seed) => {
        const result = resultOf(keyOf(plan, prepared, seed, entrant, variant))
        invariant(result !== undefined, `${entrant.name} has no result for seed ${seed}`)
        return result
      })
      return { name: entrant.name, variant, results }
    }),
  }))
  const { strategies, ...settings } = plan.file
  const baselines =
    settings.baselines.length > 0 ? settings.baselines : strategies.slice(0, 1).map(({ name }) => name)
  const compared = baselines.map((baseline) => differences(rows, baseline))
  return {
    version: 1,
    product: plan.product,
    ...plan.final,
    settings: { ...settings, baselines },
    scenarios: rows.map(({ prepared, played }, row) => ({
      name: prepared.scenario.name,
      gapBps: prepared.gapBps,
      standings: played.map((one) => ({
        ...standing(one, prepared.days),
        tuning: tuningOf(plan, choices, prepared.scenario.name, one.name),
        against: compared.flatMap((table) => table[row]?.get(one.name) ?? []),
      })),
    })),
    ...(plan.ablation === undefined ? {} : { ablation: contributionsOf(plan.ablation, rows) }),
  }
}

function standing({ name, variant, results }: Played, days: number): Omit<Standing, 'tuning' | 'against'> {
  const mean = (of: (result: PlayedWorld) => number) => meanOf(results.map(of)).mean
  const share = mean(({ pnlUsd }) => (pnlUsd < 0 ? 1 : 0))
  return {
    strategy: name,
    params: variant.params,
    feedTauBps: variant.feedTauBps,
    refills: variant.refills,
    calibration: variant.calibration,
    pnl: meanOf(results.map(({ pnlUsd }) => pnlUsd)),
    parts: {
      retailUsd: mean(({ retailUsd }) => retailUsd),
      informedUsd: mean(({ informedUsd }) => informedUsd),
      restockingUsd: mean(({ restockingUsd }) => restockingUsd),
      carryUsd: mean(({ carryUsd }) => carryUsd),
    },
    losing: { share, se: Math.sqrt((share * (1 - share)) / results.length) },
    worstDaysUsd: worstDays(results),
    drawdown: {
      meanUsd: mean(({ drawdownUsd }) => drawdownUsd),
      worstUsd: Math.max(...results.map(({ drawdownUsd }) => drawdownUsd)),
    },
    inventoryUsd: mean(({ inventoryUsd }) => inventoryUsd),
    emptyShare: mean(({ emptyShare }) => emptyShare),
    fillsADay: mean(({ fills }) => (fills.retail + fills.informed) / days),
    policy: results[0]?.policy ?? null,
  }
}

const WORST_SHARE = 0.01

function worstDays(results: readonly PlayedWorld[]): number {
  const days = results.flatMap(({ dailyUsd }) => dailyUsd).sort((a, b) => a - b)
  return meanOf(days.slice(0, Math.max(1, Math.round(days.length * WORST_SHARE)))).mean
}

function tuningOf(plan: TournamentPlan, choices: Choices, scenario: string, entrant: string): Tuning | null {
  const choice = choices.find((one) => one.scenario === scenario && one.entrant === entrant)
  if (choice === undefined) return null
  const variants = plan.entrants.find(({ name }) => name === entrant)?.variants.length ?? 1
  const { trades, variant, trainingUsd } = choice
  const { mean, sd } = meanOf(trainingUsd)
  return {
    chosen: variant.label,
    variants,
    trainingUsd: mean,
    luckUsd: luckOfTheBest(sd, trainingUsd.length, variants),
    trades,
  }
}

/** By row of the table: every strategy against the baseline, with both corrections. */
function differences(rows: readonly Row[], baseline: string): readonly ReadonlyMap<string, Against>[] {
  const pairs = rows.map(({ played }) => {
    const baseResults = played.find(({ name }) => name === baseline)?.results ?? []
    const base = baseResults.map(({ pnlUsd }) => pnlUsd)
    const baseDays = baseResults.map((result) => worstDays([result]))
    const others = played.filter(({ name }) => name !== baseline)
    const columns = others.map(({ results }) => results.map(({ pnlUsd }) => pnlUsd))
    const stepped = flipTests(columns.map((column) => column.map((value, seed) => value - (base[seed] ?? 0))))
    return others.map(({ name, results }, index) => ({
      name,
      worstDays: pairedDifference(
        results.map((result) => worstDays([result])),
        baseDays,
      ),
      stepDown: stepped[index]?.stepdown ?? 1,
      difference: pairedDifference(columns[index] ?? [], base),
    }))
  })
  const adjusted = holm(pairs.flat().map(({ difference }) => difference.p))
  let next = 0
  return pairs.map(
    (row) =>
      new Map(
        row.map(({ name, difference, stepDown: stepped, worstDays: worst }) => {
          const corrected = { holm: adjusted[next++] ?? 1, stepDown: stepped, worstDays: worst }
          return [name, { baseline, ...difference, ...corrected }] as const
        }),
      ),
  )
}
