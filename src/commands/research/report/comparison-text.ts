import { alignColumns } from '../../output/tables.ts'
import { floatText } from '../../../text/numbers.ts'
import { type Comparison, type PairedDays, shownValue } from './compare-runs.ts'
import { SIDE_BY_SIDE } from './compared-run.ts'

/** For a terminal. */
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

/** B less A in a sentence. */
export function pairedText({ days, meanUsd, seUsd, t, p, ci90Usd }: PairedDays): string {
  const mean = `B less A: ${floatText(meanUsd, 2, 'plus')} USD a day over ${floatText(days, 0)} ${days === 1 ? 'day' : 'days'}`
  if (days < 2) return `${mean}, too few for an error`
  const interval =
    ci90Usd === null
      ? 'too few days for an interval'
      : `90 % CI ${ci90Usd.map((usd) => floatText(usd, 2, 'plus')).join(' to ')}`
  const significance =
    t === null ? '' : `, t ${floatText(t, 2)}, p ${p < 0.0001 ? '<.0001' : floatText(p, 4)}`
  return `${mean}, se ${floatText(seUsd, 2)} (${interval})${significance}`
}

function configurationLines(rows: NonNullable<Comparison['configuration']>): readonly string[] {
  if (rows.length === 0) return ['configurations: equal']
  const cells = rows.map(({ key, a, b }) => [`  ${key}`, shownValue(a), shownValue(b)])
  return [
    'configurations differ in',
    ...alignColumns([['', 'A', 'B'], ...cells], (column) => column === 0, '   '),
  ]
}
