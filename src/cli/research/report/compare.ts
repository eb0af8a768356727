import { EXIT_CODE } from '../../../base/exit-code.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { wroteOrExplained } from '../../output/write-file.ts'
import {
  compareRuns,
  type Comparison,
  pairedText,
  shownValue,
} from '../../../research/report/comparison/compare-runs.ts'
import { readBacktestResult } from '../../../research/report/comparison/read-result.ts'
import { alignColumns } from '../../output/tables.ts'
import { SIDE_BY_SIDE } from '../../../research/report/comparison/compared-run.ts'

type CompareOptions = OutputFormat & { readonly out?: string }

/** Compares two results of `mizani backtest --json`. */
export async function compareReports(first: string, second: string, options: CompareOptions): Promise<void> {
  const a = readBacktestResult(first)
  if (!a.ok) return fail(options, EXIT_CODE.usage, a.error)
  const b = readBacktestResult(second)
  if (!b.ok) return fail(options, EXIT_CODE.usage, b.error)
  const compared = compareRuns(a.value, b.value)
  if (!compared.ok) return fail(options, EXIT_CODE.usage, compared.error)
  const comparison = compared.value
  if (options.out !== undefined) {
    const { comparisonPage } = await import('../../../research/report/comparison/comparison-page.ts')
    if (!(await wroteOrExplained(options, options.out, comparisonPage(comparison)))) return
  }
  const { paired, configuration, warnings } = comparison
  const lines = [
    comparisonText(comparison),
    ...(options.out === undefined ? [] : ['', `written   ${options.out}`]),
  ]
  print(options, lines.join('\n'), {
    a: a.value.result,
    b: b.value.result,
    paired,
    configuration,
    warnings,
  })
}

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
