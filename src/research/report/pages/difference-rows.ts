import type { PairedDifference } from '../../models/statistics/paired-difference.ts'
import type { Ablation } from '../../tournament/ablation.ts'
import type { FinalSeeds } from '../../tournament/plan.ts'
import type { RegretCell } from '../../tournament/regret/regret.ts'
import type { TournamentResult } from '../../tournament/summarise.ts'
import { decimalText } from '../../../base/text/numbers.ts'

/** Returns where the test seeds come from, with its caveats. */
export function seedsText({ commit, caveats = [] }: Partial<FinalSeeds>): string {
  return commit === undefined
    ? 'for development'
    : [`final: derived from commit ${commit}`, ...caveats].join('; ')
}

/** The columns of `differenceRows`. */
export const DIFFERENCE_HEAD = [
  'scenario',
  'strategy',
  'difference',
  'se',
  't',
  'p Holm',
  'p step-down',
  'sd paired',
  'sd unpaired',
  'worst days',
  'se worst',
]

/**
 * Returns the paired differences to a baseline, one row per scenario and strategy, in the order of `DIFFERENCE_HEAD`;
 * - = no variance.
 */
export function differenceRows({ scenarios }: TournamentResult, baseline: string): readonly string[][] {
  return scenarios.flatMap(({ name, standings }) =>
    standings.flatMap(({ strategy, against }) =>
      against
        .filter((one) => one.baseline === baseline)
        .map(({ mean, se, t, holm, stepDown, sdPaired, sdUnpaired, worstDays }) => [
          name,
          strategy,
          usd(mean),
          usd(se),
          t === null ? '-' : t.toFixed(1),
          chance(holm),
          chance(stepDown),
          usd(sdPaired),
          usd(sdUnpaired),
          usd(worstDays.mean),
          usd(worstDays.se),
        ]),
    ),
  )
}

const REGRET_HEAD =
  'market,strategy,against,tuned in,difference,se,bound,allowed,,p better,seeds,best baseline'.split(',')

/** Returns the regret table in two parts, each with its count and a head: markets for development, and the others. */
export function regretParts(cells: readonly RegretCell[]) {
  return [true, false].flatMap((isDevelopment) => {
    const own = cells.filter((cell) => cell.isDevelopment === isDevelopment)
    const counts = [...Map.groupBy(own, ({ strategy }) => strategy)].map(([strategy, all]) => {
      const markets = [...Map.groupBy(all, ({ market }) => market).values()]
      const passed = markets.filter((both) => both.every(({ passes }) => passes)).length
      return `${strategy} passes in ${passed} of ${markets.length}`
    })
    const title = `${isDevelopment ? 'markets for development' : 'other markets'}: ${counts.join('; ')}`
    return own.length === 0 ? [] : [{ title, rows: [REGRET_HEAD, ...own.map(regretRow)] }]
  })
}

function regretRow(cell: RegretCell): string[] {
  const { market, strategy, baseline, params, tunedIn, mean, se, lowerUsd, allowedUsd, seeds } = cell
  const usds = [mean, se, lowerUsd, allowedUsd].map(usd)
  const verdict = [cell.passes ? 'pass' : 'FAIL', chance(cell.betterHolm), String(seeds), usd(cell.bestUsd)]
  return [market, strategy, `${baseline} (${params})`, tunedIn, ...usds, ...verdict]
}

/** The columns of `contributionRows`. */
export const CONTRIBUTION_HEAD = ['without', 'scenario', 'contributes', 'se', 't', 'p Holm']

/** Returns what each ingredient contributes in each scenario, in the order of `CONTRIBUTION_HEAD`. */
export function contributionRows({ contributions }: Ablation): readonly string[][] {
  return contributions.flatMap(({ ingredient, scenarios }) =>
    scenarios.map(({ name, holm, ...difference }) => [
      ingredient,
      name,
      ...differenceCells(difference),
      chance(holm),
    ]),
  )
}

/** The columns of `ingredientRows`. */
export const INGREDIENT_HEAD = ['without', 'contributes', 'se', 't', 'helps in', 'surely', 'surely hurts']

/** Returns what each ingredient contributes over all scenarios, in the order of `INGREDIENT_HEAD`. */
export function ingredientRows({ contributions }: Ablation): readonly string[][] {
  return contributions.map(({ ingredient, overall, helpsIn, surelyHelpsIn, surelyHurtsIn, scenarios }) => [
    ingredient,
    ...differenceCells(overall),
    `${helpsIn} of ${scenarios.length}`,
    String(surelyHelpsIn),
    String(surelyHurtsIn),
  ])
}

function differenceCells({ mean, se, t }: PairedDifference): readonly string[] {
  return [usd(mean), usd(se), t === null ? '-' : t.toFixed(1)]
}

/** Formats whole dollars. */
export function usd(value: number): string {
  return decimalText(value.toFixed(6), 0)
}

/** Formats a p-value, never as 0. */
export function chance(p: number): string {
  return p < 0.0001 ? '<.0001' : p.toFixed(4)
}
