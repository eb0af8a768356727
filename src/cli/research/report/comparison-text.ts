import { alignColumns } from '../../output/tables.ts'
import { type Comparison, pairedText, shownValue } from '../../../research/report/comparison/compare-runs.ts'
import { SIDE_BY_SIDE } from '../../../research/report/comparison/compared-run.ts'

/** Renders a comparison for a terminal. */
export function comparisonText({ a, b, paired, configuration, warnings }: Comparison): string {
  const cells = [['', 'A', 'B'], ...SIDE_BY_SIDE.map(([label, of]) => [label, of(a.result), of(b.result)])]
  return [
    ...warnings.map((warning) => `warning: ${warning}`),
    `A ${a.name}`,
    `B ${b.name}`,
    `${a.result.from} to ${a.result.to}`,
    ...alignColumns(cells, (column) => column === 0, '   '),
    ...(paired === null ? [] : [pairedText(paired)]),
    ...(configuration === null ? [] : configurationLines(configuration)),
  ].join('\n')
}

function configurationLines(rows: NonNullable<Comparison['configuration']>): readonly string[] {
  if (rows.length === 0) return ['configurations: equal']
  const cells = rows.map(({ key, a, b }) => [`  ${key}`, shownValue(a), shownValue(b)])
  return [
    'configurations differ in',
    ...alignColumns([['', 'A', 'B'], ...cells], (column) => column === 0, '   '),
  ]
}
