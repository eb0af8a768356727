import { comparisonFigures } from '../figures/comparison.ts'
import { renderPage } from '../render-page.ts'
import type { ReportTable } from '../report-data.ts'
import { countText, floatText } from '../../../base/text/numbers.ts'
import { type Comparison, pairedText, shownValue } from './compare-runs.ts'
import { type ComparedRun, SIDE_BY_SIDE } from './compared-run.ts'

/** Returns two runs as one HTML file, in the style of a single run's report. `names` label the runs on the charts. */
export function comparisonPage(
  comparison: Comparison,
  names: readonly [string, string] = ['A', 'B'],
): string {
  const { a, b, warnings } = comparison
  const [first, second] = names
  return renderPage({
    title: `${strategiesOf(comparison, names)}, ${a.result.from.slice(0, 10)} to ${a.result.to.slice(0, 10)}`,
    warnings,
    headline: headlineOf(comparison, names),
    figures:
      a.daily === null || b.daily === null
        ? []
        : comparisonFigures({
            names,
            openedAt: Date.parse(a.result.from),
            days: a.daily.map(({ day, to }) => ({ day: Date.parse(day), to: Date.parse(to) })),
            a: a.daily.map(({ pnlUsd }) => pnlUsd),
            b: b.daily.map(({ pnlUsd }) => pnlUsd),
          }),
    tables: [
      {
        title: 'Side by side',
        head: ['', first, second],
        rows: [
          ['run', a.name, b.name],
          ...SIDE_BY_SIDE.map(([label, of]) => [label, of(a.result), of(b.result)]),
          ['PnL less holding, USD a day', lessHolding(a), lessHolding(b)],
          ['edge bps at the bid', edgeAt(a, 'bid'), edgeAt(b, 'bid')],
          ['edge bps at the ask', edgeAt(a, 'ask'), edgeAt(b, 'ask')],
        ],
      },
      configurationTable(comparison, names),
    ],
  })
}

function strategiesOf({ a, b }: Comparison, [first, second]: readonly [string, string]): string {
  const [ours, theirs] = [a.result.strategy, b.result.strategy]
  return ours === theirs ? `${ours}: ${first} and ${second}` : `${ours} and ${theirs}`
}

function headlineOf({ a, b, paired }: Comparison, [first, second]: readonly [string, string]) {
  const edge = ({ result }: ComparedRun) =>
    result.edgeBps.mean === null ? 'nothing traded' : `${floatText(result.edgeBps.mean, 2, 'plus')} bps`
  return [
    {
      label: `${second} less ${first}, a day`,
      value: paired === null ? 'not known' : `${floatText(paired.meanUsd, 2, 'plus')} USD`,
      note: paired === null ? 'a result has no days' : pairedText(paired).replace('B less A', 'mean'),
    },
    { label: `Edge, ${first}`, value: edge(a), note: a.name },
    { label: `Edge, ${second}`, value: edge(b), note: b.name },
  ]
}

function lessHolding({ daily }: ComparedRun): string {
  if (daily === null || daily.length === 0) return '-'
  return floatText(daily.reduce((sum, day) => sum + day.lessHoldingUsd, 0) / daily.length, 2, 'plus')
}

function edgeAt({ result: { bySide } }: ComparedRun, side: 'bid' | 'ask'): string {
  const edgeBps = bySide?.[side].edgeBps ?? null
  return edgeBps === null ? '-' : `${floatText(edgeBps, 2)}, ${countText(bySide?.[side].fills ?? 0, 'fill')}`
}

function configurationTable(
  { a, b, configuration }: Comparison,
  names: readonly [string, string],
): ReportTable {
  const rows =
    configuration === null
      ? [['parameters', JSON.stringify(a.result.params), JSON.stringify(b.result.params)]]
      : configuration.map((row) => [row.key, shownValue(row.a), shownValue(row.b)])
  return {
    title: configuration === null ? 'Parameters' : 'Differences of the configurations',
    head: ['Key', ...names],
    rows,
  }
}
