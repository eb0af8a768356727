import { alignColumns } from '../../output/tables.ts'
import type { Standing, TournamentResult } from '../../../tournament/summarise.ts'
import { decimalText } from '../../../text/numbers.ts'

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

/** A finished tournament for a terminal: a table a scenario, then the paired differences. */
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

function againstLines(result: TournamentResult, baseline: string): readonly string[] {
  const rows = differenceRows(result, baseline)
  if (rows.length === 0) return []
  return [
    `against ${baseline}, seed by seed; p adjusted for the whole table (Holm) and for the scenario (step-down maximum)`,
    ...alignColumns([DIFFERENCE_HEAD, ...rows], (column) => column < 2),
  ]
}

/** The paired differences to a baseline, a row a scenario and strategy, in the order of `DIFFERENCE_HEAD`; - = it did not scatter. */
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

function isLeft(column: number): boolean {
  return column === 0 || column === HEAD.length - 1
}

/** Whole dollars. */
export function usd(value: number): string {
  return decimalText(value.toFixed(6), 0)
}

/** A p-value; none is 0. */
export function chance(p: number): string {
  return p < 0.0001 ? '<.0001' : p.toFixed(4)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}
