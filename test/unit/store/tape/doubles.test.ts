import { join } from 'node:path'
import { parquetWriteFile } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../../src/base/time.ts'
import { mergeTapes } from '../../../../src/store/tape/folder/merge-tapes.ts'
import { openTape } from '../../../../src/store/tape/folder/open-tape.ts'
import { createProblemLog } from '../../../../src/store/tape/model/problems.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { writeTape } from '../../../../src/store/tape/writer/write-tape.ts'
import { duckdb, fillRow, rateRow, readAll, scratch, START } from './tape-fixture.ts'

type Columns = Parameters<typeof parquetWriteFile>[0]['columnData']

const UNIT = 10n ** 18n
const OLD = join(import.meta.dirname, '../../../golden/0.1.0/tape/parquet')

async function writtenTape(rows: readonly TapeRow[]): Promise<string> {
  const folder = join(scratch(), 'tape')
  expect(await writeTape(folder, rows)).toMatchObject({ ok: true })
  return folder
}

test('one line of DuckDB gives the mids of all days as numbers, in the order of time', async (context) => {
  const query = await duckdb(context)
  const mids = [2_568_158_400_000_000_000_000n, 2_570_123_456_789_012_345_678n, 2_569n * UNIT]
  const folder = await writtenTape(mids.map((mid, i) => rateRow(START + i * DAY_MS, { mid })))
  expect(await query(`SELECT mid, typeof(mid) FROM '${folder}/*/*.rate.parquet' ORDER BY t`)).toEqual([
    [2568.1584, 'DOUBLE'],
    [2570.1234567890124, 'DOUBLE'],
    [2569, 'DOUBLE'],
  ])
})

test('a fill has its price in shillings per dollar, and none where dollars met dollars or none were paid', async (context) => {
  const query = await duckdb(context)
  const dollars = 100n * UNIT
  const shillings = 257_000n * UNIT
  const folder = await writtenTape([
    fillRow(START, 'a', { amountIn: dollars, amountOut: shillings }),
    fillRow(START + 1, 'b', { from: 'NTZS', to: 'USDT', amountIn: shillings, amountOut: dollars }),
    fillRow(START + 2, 'c', { to: 'USDT', amountIn: dollars, amountOut: 99n * UNIT, protocolFee: UNIT / 4n }),
    fillRow(START + 3, 'd', { amountIn: 0n, amountOut: shillings }),
  ])
  const columns = 'price, amountInFloat, amountOutFloat, protocolFeeFloat'
  expect(await query(`SELECT ${columns} FROM '${folder}/*/*.fill.parquet' ORDER BY t`)).toEqual([
    [2570, 100, 257_000, null],
    [2570, 257_000, 100, null],
    [null, 100, 99, 0.25],
    [null, 0, 257_000, null],
  ])
})

test('balances have a number for each amount that the venue reported', async (context) => {
  const query = await duckdb(context)
  const amounts = { NTZS: 5n * UNIT, 'USDT.bnb': 3n * 10n ** 17n }
  const folder = await writtenTape([{ type: 'balances', t: START, amounts, source: null }])
  const columns = 'ntzsFloat, usdcFloat, usdtFloat, usdtBnbFloat'
  expect(await query(`SELECT ${columns} FROM '${folder}/*/*.balances.parquet'`)).toEqual([
    [5, null, null, 0.3],
  ])
})

test('a merge gives a tape of 0.1.0 the numbers, and its rows stay equal', async (context) => {
  const query = await duckdb(context)
  const old = await readAll(OLD)
  const opened = openTape(OLD, { decisions: true })
  if (!opened.ok) throw new Error(opened.error)
  const folder = join(scratch(), 'tape')
  const rows = mergeTapes([{ path: OLD, source: opened.value }], createProblemLog(), () => undefined)
  expect(await writeTape(folder, rows)).toMatchObject({ ok: true })
  expect(await readAll(folder)).toEqual({ rows: old.rows, problems: [] })
  const differ = 'mid IS DISTINCT FROM CAST(midRateTZS AS DOUBLE)'
  const [counts] = await query(
    `SELECT count(*) > 0, count(*) FILTER (${differ}) FROM '${folder}/*/*.rate.parquet'`,
  )
  expect(counts).toEqual([true, '0'])
})

test('a mid is read from its exact text, whatever the number in the next column is', async () => {
  const mid = 2_570_123_456_789_012_345_678n
  const filename = join(scratch(), 'mine.rate.parquet')
  const numbers: Columns = [
    { name: 't', data: [new Date(START)], type: 'TIMESTAMP', nullable: false },
    { name: 'mid', data: [1], type: 'DOUBLE' },
  ]
  const text: Columns = [{ name: 'midRateTZS', data: ['2570.123456789012345678'], type: 'STRING' }]
  parquetWriteFile({ filename, columnData: [...numbers, ...text] })
  expect(await readAll(filename)).toEqual({
    rows: [rateRow(START, { mid, rateUpdatedAt: null, quotable: null })],
    problems: [],
  })
  parquetWriteFile({ filename, columnData: numbers })
  const { rows, problems } = await readAll(filename)
  expect(rows).toEqual([])
  expect(problems[0]).toMatchObject({ message: expect.stringContaining('no column midRateTZS') })
})

test('what a fill names of its taker is read back from Parquet, and unnamed parts as unknown', async () => {
  const taker = { wallet: '0xab', source: 'app', partner: null }
  const rows = [fillRow(START, 'a', { taker }), fillRow(START + 1, 'b')]
  expect((await readAll(await writtenTape(rows))).rows).toEqual(rows)
})
