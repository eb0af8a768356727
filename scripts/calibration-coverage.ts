// Counts how often the 90 % intervals of A and k hold the truth and writes the tables in docs/calibration-model.md:
//   node scripts/calibration-coverage.ts [worlds | weeks] [DRAWS]
// DRAWS tapes a cell; when absent 1,000 weeks, and of worlds 100 or 400 (some minutes each). Draw n has seed n, so that a table can
// be made again.
import { readFileSync, writeFileSync } from 'node:fs'
import { COVERAGE_CELLS, coverageOf, type CoverageCell } from '../test/support/calibration-coverage.ts'
import { truthOfPrior, type Truth } from '../test/support/calibration-week.ts'
import { PLAYED_CELLS, playedCoverage } from '../test/support/played-coverage.ts'
import { type CoverageRow, type PlayedRow, withCoverageTable, withPlayedTable } from './coverage-table.ts'

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
const [what = 'worlds', count] = process.argv.slice(2)
const draws = count === undefined ? undefined : Number(count)
if (!['worlds', 'weeks'].includes(what)) throw new Error(`${what} is not a table; expected worlds or weeks`)
if (draws !== undefined && !(Number.isInteger(draws) && draws >= 1))
  throw new Error(`${count} is not a number of draws; expected 1 or more`)
const text = readFileSync(page, 'utf8')
const table =
  what === 'weeks' ? withCoverageTable(text, await weekRows()) : withPlayedTable(text, await worldRows())
writeFileSync(page, table)

async function weekRows(): Promise<readonly CoverageRow[]> {
  const rows: CoverageRow[] = []
  for (const { title, truthOf } of TRUTHS)
    for (const cell of Object.keys(COVERAGE_CELLS) as CoverageCell[]) {
      rows.push({
        truth: title,
        tape: COVERAGE_CELLS[cell].title,
        coverage: await coverageOf(cell, draws ?? 1_000, truthOf),
      })
      console.error(
        `${rows.length} of ${TRUTHS.length * Object.keys(COVERAGE_CELLS).length}: ${title}, ${cell}`,
      )
    }
  return rows
}

async function worldRows(): Promise<readonly PlayedRow[]> {
  const rows: PlayedRow[] = []
  for (const cell of Object.keys(PLAYED_CELLS) as (keyof typeof PLAYED_CELLS)[]) {
    rows.push({ tape: PLAYED_CELLS[cell].title, coverage: await playedCoverage(cell, draws) })
    console.error(cell, JSON.stringify(rows.at(-1)))
  }
  return rows
}
