import type { PairedDifference } from '../../models/statistics/paired-difference.ts'
import type { Ablation } from '../../tournament/ablation.ts'
import type { TournamentResult } from '../../tournament/summarise.ts'
import { decimalText } from '../../../base/text/numbers.ts'

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
