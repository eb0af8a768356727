// Counts how often the 90 % intervals of A and k hold the truth and writes the table in docs/calibration-model.md:
//   node scripts/calibration-coverage.ts [WEEKS]
// WEEKS simulated weeks a cell, 1,000 when absent (some minutes). Week n has seed n, so that a table can be made again.
import { readFileSync, writeFileSync } from 'node:fs'
import { COVERAGE_CELLS, coverageOf, type CoverageCell } from '../test/support/calibration-coverage.ts'
import { truthOfPrior, type Truth } from '../test/support/calibration-week.ts'
import { type CoverageRow, withCoverageTable } from './coverage-table.ts'

const DEFAULT_WEEKS = 1_000

const TRUTHS: readonly { readonly title: string; readonly truthOf: (week: number) => Truth }[] = [
  { title: 'as the prior', truthOf: truthOfPrior },
  ...(
    [
      [40, 60],
      [100, 30],
      [20, 120],
    ] as const
  ).map(([a, inverseK]) => ({
    title: `A ${a}, 1/k ${inverseK} bps`,
    truthOf: () => ({ a, k: 1 / inverseK }),
  })),
]

const page = new URL('../docs/calibration-model.md', import.meta.url)
const weeks = Number(process.argv[2] ?? DEFAULT_WEEKS)
if (!Number.isInteger(weeks) || weeks < 1) {
  throw new Error(`${process.argv[2]} is not a number of weeks; expected 1 or more`)
}
const rows: CoverageRow[] = []
for (const { title, truthOf } of TRUTHS) {
  for (const cell of Object.keys(COVERAGE_CELLS) as CoverageCell[]) {
    const coverage = await coverageOf(cell, weeks, truthOf)
    rows.push({ truth: title, tape: COVERAGE_CELLS[cell].title, coverage })
    console.error(
      `${rows.length} of ${TRUTHS.length * Object.keys(COVERAGE_CELLS).length}: ${title}, ${cell}`,
    )
  }
}
writeFileSync(page, withCoverageTable(readFileSync(page, 'utf8'), rows))
