import { alignColumns } from '../../output/tables.ts'
import type { Standing, TournamentResult } from '../../../research/tournament/summarise.ts'
import { DIFFERENCE_HEAD, differenceRows, usd } from '../../../research/report/pages/difference-rows.ts'

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
  return [
    `USD over ${days} days, mean of ${seeds} test seeds from ${firstSeed}; PnL = retail + informed + restock + carry`,
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

function rowOf({
  strategy,
  pnl,
  losing,
  parts,
  drawdown,
  worstDaysUsd,
  emptyShare,
  fillsADay,
  tuning,
}: Standing): string[] {
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

function againstLines(result: TournamentResult, baseline: string): readonly string[] {
  const rows = differenceRows(result, baseline)
  if (rows.length === 0) return []
  return [
    `against ${baseline}, seed by seed; p adjusted for the whole table (Holm) and for the scenario (step-down maximum)`,
    ...alignColumns([DIFFERENCE_HEAD, ...rows], (column) => column < 2),
  ]
}

function isLeft(column: number): boolean {
  return column === 0 || column === HEAD.length - 1
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}
