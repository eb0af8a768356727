import { type Figure, pointsChart } from '../figures/figure.ts'
import { type HeatCell, renderHeatTable } from '../heat-table.ts'
import type { Markup } from '../../../base/text/markup.ts'
import { renderPage } from '../render-page.ts'
import type { ReportTable } from '../report-data.ts'
import type { Against, Standing, TournamentResult } from '../../tournament/summarise.ts'
import { studentQuantile } from '../../../core/models/distributions.ts'
import { countText } from '../../../base/text/numbers.ts'
import {
  chance,
  CONTRIBUTION_HEAD,
  contributionRows,
  DIFFERENCE_HEAD,
  differenceRows,
  INGREDIENT_HEAD,
  ingredientRows,
  seedsText,
  usd,
} from './difference-rows.ts'

/** Values at full colour. */
const FULL_COLOUR_USD = 2_000
const FULL_COLOUR_T = 6

type Scenario = TournamentResult['scenarios'][number]

/**
 * Renders a tournament as one self-contained HTML file: the heatmap, the paired differences to each baseline, and each
 * scenario with its intervals and the split of the PnL.
 */
export function tournamentPage(result: TournamentResult): string {
  const { seeds, firstSeed, days, baselines } = result.settings
  return renderPage({
    title: 'Tournament',
    warnings: warningsOf(result),
    headline: headlineOf(result),
    lead: [pnlMap(result), ...baselines.map((baseline) => differenceMap(result, baseline))],
    figures: result.scenarios.map((scenario, index) => scenarioFigure(scenario, index, seeds)),
    tables: [
      {
        title: 'Settings of the tournament',
        head: ['', ''],
        rows: [
          ['days per world', String(days)],
          ['test seeds', `${seeds} from ${firstSeed}, ${seedsText(result)}`],
          ['training seeds', String(result.settings.trainingSeeds)],
          ['baselines', baselines.join(', ')],
          ['version', result.product],
        ],
      },
      ...ablationTables(result),
      ...baselines.map((baseline) => differenceTable(result, baseline)),
      ...policyTable(result),
    ],
  })
}

function warningsOf({ scenarios }: TournamentResult): readonly string[] {
  return scenarios.flatMap(({ name, standings }) =>
    standings
      .filter(({ tuning }) => tuning?.trades === false)
      .map(
        ({ strategy }) =>
          `${name}: no variant of ${strategy} trades as often as leastFillsADay requires; the most active one was chosen`,
      ),
  )
}

function headlineOf({ scenarios, settings }: TournamentResult) {
  const wins = new Map<string, number>()
  for (const { standings } of scenarios) {
    const best = standings.toSorted((a, b) => b.pnl.mean - a.pnl.mean)[0]?.strategy
    if (best !== undefined) wins.set(best, (wins.get(best) ?? 0) + 1)
  }
  const [first] = [...wins].toSorted((a, b) => b[1] - a[1])
  return [
    {
      label: 'Best in the most scenarios',
      value: first?.[0] ?? 'none',
      note: `highest mean PnL in ${first?.[1] ?? 0} of ${scenarios.length}; the differences show whether that exceeds chance`,
    },
    { label: 'Scenarios', value: String(scenarios.length) },
    { label: 'Strategies', value: String(scenarios[0]?.standings.length ?? 0) },
    { label: 'Test seeds', value: String(settings.seeds), note: `from ${settings.firstSeed}` },
    { label: 'Days per world', value: String(settings.days) },
  ]
}

/** Returns the strategies in the order of the first scenario; all play the same worlds. */
function namesOf({ scenarios }: TournamentResult): readonly string[] {
  return scenarios[0]?.standings.map(({ strategy }) => strategy) ?? []
}

function pnlMap(result: TournamentResult): Markup {
  const { seeds, days } = result.settings
  const names = namesOf(result)
  return renderHeatTable({
    title: 'PnL by scenario',
    words: `Mean over ${days} days and ${seeds} test seeds in USD, its standard error, and the share of losing seeds. Blue earns, red loses, full colour at ${usd(FULL_COLOUR_USD)} USD; framed is the best of the scenario.`,
    corner: 'Scenario',
    columns: names,
    rows: result.scenarios.map(({ name, standings }) => ({
      name,
      cells: names.map((strategy) => pnlCell(standings, strategy)),
    })),
  })
}

function pnlCell(standings: readonly Standing[], strategy: string): HeatCell {
  const standing = standings.find((one) => one.strategy === strategy)
  if (standing === undefined) return null
  const { pnl, losing } = standing
  return {
    text: usd(pnl.mean),
    note: `± ${usd(pnl.se)}, loses in ${(100 * losing.share).toFixed(0)} %`,
    share: pnl.mean / FULL_COLOUR_USD,
    isBest: standings.every((other) => other.pnl.mean <= pnl.mean),
  }
}

function differenceMap(result: TournamentResult, baseline: string): Markup {
  const names = namesOf(result).filter((name) => name !== baseline)
  const against = ({ standings }: Scenario, name: string) =>
    standings.find(({ strategy }) => strategy === name)?.against.find((one) => one.baseline === baseline)
  return renderHeatTable({
    title: `Against ${baseline}, seed by seed`,
    words: `Mean paired difference in USD with its standard error, t, and p adjusted for the whole table (Holm). Blue is better than ${baseline}, red worse, full colour at |t| = ${FULL_COLOUR_T}; framed: p below 0.05.`,
    corner: 'Scenario',
    columns: names,
    rows: result.scenarios.map((scenario) => ({
      name: scenario.name,
      cells: names.map((name) => differenceCell(against(scenario, name))),
    })),
  })
}

function differenceCell(against: Against | undefined): HeatCell {
  if (against === undefined) return null
  const { mean, se, t, holm } = against
  return {
    text: usd(mean),
    note: `± ${usd(se)}, t ${t === null ? '-' : t.toFixed(1)}, p ${chance(holm)}`,
    share: t === null ? Math.sign(mean) : t / FULL_COLOUR_T,
    isBest: holm < 0.05,
  }
}

const SPLIT_HEAD = [
  'Strategy',
  'PnL',
  'Retail edge',
  'Informed edge',
  'Restocking',
  'Carry',
  'Drawdown',
  'Worst 1 % of days',
  'Inventory',
  'Empty side',
  'Fills a day',
  'Chosen on training seeds',
  'There',
  'Luck of the best',
]

/** One scenario: mean PnL of each strategy with its interval, and the split of the PnL below it. */
function scenarioFigure({ name, gapBps, standings }: Scenario, index: number, seeds: number): Figure {
  const reach = studentQuantile(0.95, Math.max(1, seeds - 1))
  const best = standings.toSorted((a, b) => b.pnl.mean - a.pnl.mean)[0]
  return {
    id: `scenario-${index}`,
    title: name,
    unit: 'USD, mean with 90 % interval',
    digits: 0,
    words: `The gap between the true rate and the mid is ${gapBps.toFixed(0)} bps. ${best === undefined ? 'No strategy played.' : `Best: ${best.strategy} with ${usd(best.pnl.mean)} USD.`}`,
    ...(standings.length > 9 ? { height: 'tall' } : {}),
    chart: pointsChart(
      'rows',
      'fills a day',
      standings.map(({ strategy, pnl, fillsADay }) => ({
        label: strategy,
        value: pnl.mean,
        interval: [pnl.mean - reach * pnl.se, pnl.mean + reach * pnl.se],
        note: fillsADay.toFixed(1),
      })),
    ),
    table: {
      title: `The split of the PnL, ${countText(standings.length, 'row')}`,
      head: SPLIT_HEAD,
      rows: standings.map(splitRow),
      folded: true,
    },
  }
}

function splitRow(standing: Standing): readonly string[] {
  const { strategy, pnl, parts, drawdown, worstDaysUsd, inventoryUsd, emptyShare, fillsADay, tuning } =
    standing
  return [
    strategy,
    usd(pnl.mean),
    usd(parts.retailUsd),
    usd(parts.informedUsd),
    usd(parts.restockingUsd),
    usd(parts.carryUsd),
    usd(drawdown.meanUsd),
    usd(worstDaysUsd),
    usd(inventoryUsd),
    `${(100 * emptyShare).toFixed(0)} %`,
    fillsADay.toFixed(1),
    tuning?.chosen ?? 'not tuned',
    tuning === null ? '' : usd(tuning.trainingUsd),
    tuning === null ? '' : usd(tuning.luckUsd),
  ]
}

function differenceTable(result: TournamentResult, baseline: string): ReportTable {
  return {
    title: `Against ${baseline}, all figures, USD`,
    head: DIFFERENCE_HEAD,
    rows: differenceRows(result, baseline),
    folded: true,
  }
}

function ablationTables({ ablation }: TournamentResult): readonly ReportTable[] {
  if (ablation === undefined) return []
  const title = `What each ingredient of ${ablation.of} contributes, USD per 90 days`
  return [
    { title, head: INGREDIENT_HEAD, rows: ingredientRows(ablation) },
    {
      title: `${title}, by scenario`,
      head: CONTRIBUTION_HEAD,
      rows: contributionRows(ablation),
      folded: true,
    },
  ]
}

/** Compares rounded with exact quotes, if the tournament did. */
function policyTable({ scenarios, settings }: TournamentResult): readonly ReportTable[] {
  const rows = scenarios.flatMap(({ name, standings }) =>
    standings.flatMap(({ strategy, policy }) =>
      policy === null
        ? []
        : [
            [
              name,
              strategy,
              String(policy.compared),
              policy.meanBps.toFixed(2),
              policy.p99Bps.toFixed(0),
              `${(100 * policy.switchedShare).toFixed(1)} %`,
            ],
          ],
    ),
  )
  if (rows.length === 0) return []
  return [
    {
      title: `Spreads against those of the exact parameters, seed ${settings.firstSeed}`,
      head: [
        'Scenario',
        'Strategy',
        'Spreads compared',
        'Mean difference, bps',
        '99 % within, bps',
        'On in one, off in the other',
      ],
      rows,
      folded: true,
    },
  ]
}
