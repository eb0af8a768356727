import { alignColumns } from '../../output/tables.ts'
import { csvLine } from '../../../base/csv-text.ts'
import type { Ablation } from '../../../research/tournament/ablation.ts'
import type { Regret } from '../../../research/tournament/regret/play-regret.ts'
import type { Standing, TournamentResult } from '../../../research/tournament/summarise.ts'
import {
  CONTRIBUTION_HEAD,
  contributionRows,
  DIFFERENCE_HEAD,
  differenceRows,
  INGREDIENT_HEAD,
  ingredientRows,
  regretParts,
  seedsText,
  usd,
} from '../../../research/report/pages/difference-rows.ts'

const HEAD = [
  'strategy',
  'PnL',
  'se',
  'losing',
  'retail',
  'informed',
  'restock',
  'carry',
  'drawdown',
  'worst days',
  'empty',
  'fills/day',
  'chosen',
]

/** Renders a finished tournament for a terminal: one table per scenario, then the paired differences. */
export function renderTournament(result: TournamentResult, out: string): string {
  const { seeds, firstSeed, days, baselines } = result.settings
  if (result.ablation !== undefined) return renderAblation(result.ablation, result, out)
  return [
    `USD over ${days} days, mean of ${seeds} test seeds from ${firstSeed} (${seedsText(result)}); PnL = retail + informed + restock + carry`,
    ...result.scenarios.flatMap(({ name, gapBps, standings }) => [
      '',
      `${name}: gap between the true rate and the mid ${gapBps.toFixed(0)} bps`,
      ...alignColumns([HEAD, ...standings.map(rowOf)], isLeft),
      ...standings.flatMap(warningsOf),
    ]),
    ...baselines.flatMap((baseline) => ['', ...againstLines(result, baseline)]),
    '',
    `written   ${out}: result.json, report.html, results.jsonl`,
  ].join('\n')
}

function renderAblation(ablation: Ablation, result: TournamentResult, out: string): string {
  const { seeds, firstSeed, days } = result.settings
  return [
    `what ${ablation.of} earns with an ingredient less what it earns without it, USD per 90 days, seed by seed`,
    `(${seeds} test seeds from ${firstSeed}, ${seedsText(result)}; ${days} days each); surely: p below 0.05, adjusted for all scenarios and ingredients (Holm)`,
    '',
    ...alignColumns([INGREDIENT_HEAD, ...ingredientRows(ablation)], (column) => column === 0),
    '',
    ...alignColumns([CONTRIBUTION_HEAD, ...contributionRows(ablation)], (column) => column < 2),
    '',
    `written   ${out}: ablation.csv, result.json, report.html, results.jsonl`,
  ].join('\n')
}

/** Returns the contributions as CSV, a row per ingredient and scenario; the scenario `all` is the mean over all. */
export function ablationCsv({ contributions }: Ablation): string {
  return [
    csvLine(['ingredient', 'scenario', 'usd_per_90_days', 'se', 't', 'p_holm']),
    ...contributions.flatMap(({ ingredient, overall, scenarios }) =>
      [{ ...overall, name: 'all', holm: null }, ...scenarios].map(({ name, mean, se, t, holm }) =>
        csvLine([ingredient, name, mean, se, t, holm]),
      ),
    ),
  ].join('')
}

/** Renders the regret table: the markets for development and the others apart, worst cells first. */
export function renderRegret(regret: Regret, out: string): string {
  const { cells, settings } = regret
  const { firstSeed, trainingSeeds, firstTrainingSeed, reference } = settings
  return [
    `PnL less that of the best baseline tuned in the market, and of ${reference}: USD per 90 days, seed by seed, worst first`,
    `test seeds from ${firstSeed} (${seedsText(regret)}), ${trainingSeeds} training seeds from ${firstTrainingSeed}`,
    'bound: lower one-sided 95 %, passes above -allowed; p better adjusted for the whole table (Holm)',
    ...regretParts(cells).flatMap(({ title, rows }) => [
      '',
      title,
      ...alignColumns(rows, (column) => column < 4),
    ]),
    '',
    `written   ${out}: result.json, regret.csv, results.jsonl`,
  ].join('\n')
}

/** Returns the cells as CSV, with the names of their fields. */
export function regretCsv({ cells }: Regret): string {
  return [Object.keys(cells[0] ?? {}), ...cells.map(Object.values)].map(csvLine).join('')
}

function rowOf(standing: Standing): string[] {
  const { strategy, pnl, losing, parts, drawdown, worstDaysUsd, emptyShare, fillsADay, tuning } = standing
  return [
    strategy,
    usd(pnl.mean),
    usd(pnl.se),
    `${percent(losing.share)} +- ${percent(losing.se)}`,
    usd(parts.retailUsd),
    usd(parts.informedUsd),
    usd(parts.restockingUsd),
    usd(parts.carryUsd),
    usd(drawdown.meanUsd),
    usd(worstDaysUsd),
    percent(emptyShare),
    fillsADay.toFixed(1),
    tuning === null
      ? ''
      : `${tuning.chosen} (training ${usd(tuning.trainingUsd)}, luck of the best of ${tuning.variants} ${usd(tuning.luckUsd)})`,
  ]
}

function warningsOf({ strategy, tuning }: Standing): readonly string[] {
  return tuning?.trades === false
    ? [
        `warning: no variant of ${strategy} trades as often as leastFillsADay asks; the one that trades most was taken`,
      ]
    : []
}

/** Below this, a p-value depends on the assumption of normal differences. */
const FEW_SEEDS = 10

function againstLines(result: TournamentResult, baseline: string): readonly string[] {
  const rows = differenceRows(result, baseline)
  if (rows.length === 0) return []
  const { seeds } = result.settings
  const few = seeds < FEW_SEEDS ? [`p of ${seeds} seeds is rough: it assumes normal differences`] : []
  return [
    `against ${baseline}, seed by seed; p adjusted for the whole table (Holm) and for the scenario (step-down maximum)`,
    ...few,
    ...alignColumns([DIFFERENCE_HEAD, ...rows], (column) => column < 2),
  ]
}

function isLeft(column: number): boolean {
  return column === 0 || column === HEAD.length - 1
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}
