import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { execFileSync } from 'node:child_process'
import { exampleWeek } from '../../scripts/example-week.ts'
import { type MarketName, MARKETS, recordMarket } from '../../scripts/record-market.ts'
import { DAY_MS } from '../../src/base/time.ts'
import { compareRows } from '../../src/store/tape/model/encode-row.ts'
import { openTape } from '../../src/store/tape/folder/open-tape.ts'
import { readRows } from '../../src/store/tape/folder/merge-tapes.ts'
import type { TapeWindow } from '../../src/store/tape/model/batch.ts'
import { ROW_KINDS, type TapeRow } from '../../src/store/tape/model/row.ts'

const ROOT = join(import.meta.dirname, '../..')
const WEEK = join(ROOT, 'examples/week')
const MONDAY = Date.UTC(2026, 8, 7)

async function committed(
  window: TapeWindow = {},
  path = WEEK,
): Promise<{ rows: TapeRow[]; problems: unknown }> {
  const opened = openTape(path, { decisions: true, window })
  if (!opened.ok) throw new Error(opened.error)
  const rows: TapeRow[] = []
  for await (const row of readRows(opened.value)) rows.push(row)
  return { rows, problems: opened.value.problems() }
}

/** The words of a strategy's reasons may change, and takers were not recorded at first; a tape keeps what it had on its day. */
function withoutWords(row: TapeRow): TapeRow {
  if (row.type === 'decision') return { ...row, because: [] }
  if (row.type !== 'fill') return row
  const { taker: _, ...fill } = row
  return fill
}

function expectSame(seen: readonly TapeRow[], made: readonly TapeRow[]): void {
  const other = seen.findIndex(
    (row, i) => compareRows(withoutWords(row), withoutWords(made[i] as TapeRow)) !== 0,
  )
  expect([seen[other], made[other]]).toEqual([undefined, undefined])
}

test('the shipped tape begins as the script makes it now (node scripts/make-example-tape.ts)', async () => {
  const to = MONDAY + DAY_MS
  const { rows } = await committed({ from: MONDAY, to })
  const made = await exampleWeek(1)
  // The script ends at midnight; a fill of the last moments was seen after it.
  const seen = rows.filter((row) => row.type !== 'fill' || (row.seenAt ?? 0) < to)
  expect(made.length).toBeGreaterThan(50_000)
  expect(seen).toHaveLength(made.length)
  expectSame(seen, made)
})

test('the shipped tape is a week of every kind of row, without a problem, in less than 1.5 MB', async () => {
  const { rows, problems } = await committed()
  expect(problems).toEqual([])
  expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(ROW_KINDS))
  const days = new Set(rows.filter(({ type }) => type === 'fill').map(({ t }) => Math.floor(t / DAY_MS)))
  expect([...days]).toEqual([0, 1, 2, 3, 4, 5, 6].map((day) => MONDAY / DAY_MS + day))
  const files = readdirSync(WEEK, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  expect(bytes).toBeLessThan(1_500_000)
})

describe.each(Object.keys(MARKETS) as MarketName[])('the recorded market %s', (name) => {
  const { folder, from, days } = MARKETS[name]
  const path = join(ROOT, 'examples', folder)

  test(`begins as the command makes it now (node scripts/record-market.ts ${name})`, async () => {
    const to = from + DAY_MS
    const { rows, problems } = await committed({ from, to }, path)
    expect(problems).toEqual([])
    const made = await recordMarket(name, 1)
    const seen = rows.filter((row) => row.type !== 'fill' || (row.seenAt ?? 0) < to)
    expect(seen).toHaveLength(made.length)
    expectSame(seen, made)
  })

  test('earns or loses in a backtest what README says', () => {
    const options = ['backtest', '--config', 'config/example-markets.yaml', '--tape', `examples/${folder}`]
    const env = { ...process.env, MIZANI_API_KEY: 'none' }
    const printed = execFileSync(process.execPath, ['src/main.ts', ...options], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    })
    const [, daily = ''] = /^daily PnL +(\S+ \+- \S+) USD over (\d+) days$/m.exec(printed) ?? []
    expect(printed).toContain(`over ${days} days`)
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ')).toContain(
      `${daily} USD a day`,
    )
  })
})

test('backtest reads a configuration from a pipe, which can be read only once', () => {
  const command = `cat config/backtest.yaml | "$0" src/main.ts backtest --json --config /dev/stdin --tape '${WEEK}'`
  const printed = execFileSync('sh', ['-c', command, process.execPath], {
    cwd: ROOT,
    env: { ...process.env, MIZANI_API_KEY: 'none' },
    encoding: 'utf8',
  })
  expect(JSON.parse(printed)).toMatchObject({ strategy: 'inventory-skew', fills: 1_180 })
})
