import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, type TestContext } from 'vitest'
import { openTape, type TapeReading } from '../../../../src/store/tape/folder/open-tape.ts'
import { readRows } from '../../../../src/store/tape/folder/merge-tapes.ts'
import type { TapeProblem } from '../../../../src/store/tape/model/batch.ts'
import type { TapeFill, RateRow, TapeRow } from '../../../../src/store/tape/model/row.ts'

/** 2026-11-02, 07:00 UTC. */
export const START = Date.parse('2026-11-02T07:00:00.000Z')

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** An empty folder for the length of one test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-tape-'))
  folders.push(folder)
  return folder
}

export function rateRow(t: number, rest: Partial<RateRow> = {}): RateRow {
  const mid = 2_568_158_400_000_000_000_000n
  return { type: 'rate', t, mid, rateUpdatedAt: START, quotable: true, ...rest }
}

export function fillRow(t: number, id: string, rest: Partial<TapeFill> = {}): TapeFill {
  return {
    type: 'fill',
    t,
    id,
    from: 'USDC',
    to: 'NTZS',
    amountIn: 250n * 10n ** 18n,
    amountOut: 638_187_360_000_000_000_000_000n,
    protocolFee: null,
    feesEarned: '3852.24',
    txHash: null,
    seenAt: null,
    ...rest,
  }
}

/** Everything that a tape gives, and what it says. */
export async function readAll(
  path: string,
  reading: TapeReading = {},
): Promise<{ readonly rows: readonly TapeRow[]; readonly problems: readonly TapeProblem[] }> {
  const opened = openTape(path, { decisions: true, ...reading })
  if (!opened.ok) throw new Error(opened.error)
  const rows: TapeRow[] = []
  for await (const row of readRows(opened.value)) rows.push(row)
  return { rows, problems: opened.value.problems() }
}

/** The files below a folder, by their paths in it. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

type Query = (sql: string) => Promise<readonly (readonly unknown[])[]>

/** DuckDB, an optional package: without it a test is skipped for that reason, but not where CI=true. */
export async function duckdb(context: TestContext): Promise<Query> {
  let api: typeof import('@duckdb/node-api')
  try {
    api = await import('@duckdb/node-api')
  } catch (error) {
    if (process.env['CI'] === 'true') throw error
    return context.skip('@duckdb/node-api is not installed')
  }
  const connection = await (await api.DuckDBInstance.create(':memory:')).connect()
  return async (sql) => (await connection.runAndReadAll(sql)).getRowsJson()
}
