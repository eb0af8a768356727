import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteFile } from 'hyparquet-writer'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../../src/base/time.ts'
import { compareRows } from '../../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { writeTape } from '../../../../src/store/tape/writer/write-tape.ts'
import { duckdb, filesBelow, fillRow, rateRow, readAll, scratch, START } from './tape-fixture.ts'

type Column = Parameters<typeof parquetWriteFile>[0]['columnData'][number]

const times = (...t: readonly number[]): Column => ({
  name: 't',
  data: t.map((each) => new Date(each)),
  type: 'TIMESTAMP',
  nullable: false,
})

/** A Parquet file as another program would write it. */
function foreign(
  name: string,
  columnData: Column[],
  metadata: Readonly<Record<string, string>> = {},
): string {
  const filename = join(scratch(), name)
  const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }))
  parquetWriteFile({ filename, columnData, kvMetadata })
  return filename
}

test('a file of another program is read by its name and columns', async () => {
  const file = foreign('mine.quote.parquet', [
    times(START, START + 1),
    { name: 'bidBps', data: [60n, 61n], type: 'INT64' },
    { name: 'askBps', data: [50, 51], type: 'DOUBLE' },
    { name: 'quoteBid', data: [true, false], type: 'BOOLEAN' },
    { name: 'quoteAsk', data: [true, true], type: 'BOOLEAN' },
  ])
  const quote = { type: 'quote', quoteAsk: true, quotePairs: null } as const
  expect(await readAll(file)).toEqual({
    rows: [
      { ...quote, t: START, bidBps: 60, askBps: 50, quoteBid: true },
      { ...quote, t: START + 1, bidBps: 61, askBps: 51, quoteBid: false },
    ],
    problems: [],
  })
})

test('rows of another program that lie about are put in order at equal times, and skipped where they go back', async () => {
  const file = foreign('mine.rate.parquet', [
    times(START, START + 5, START + 5, START + 4, START + 9),
    { name: 'midRateTZS', data: ['2500', '2502', '2501', '2503', '2504'], type: 'STRING', nullable: false },
  ])
  const { rows, problems } = await readAll(file)
  expect(rows.map((row) => (row.type === 'rate' ? [row.t - START, row.mid / 10n ** 18n] : []))).toEqual([
    [0, 2500n],
    [5, 2501n],
    [5, 2502n],
    [9, 2504n],
  ])
  expect(problems).toMatchObject([{ file, at: 'row group 1', skipped: 1 }])
})

test('values that no row can hold are skipped and said with their row group and row', async () => {
  const file = foreign('mine.competition.parquet', [
    times(START, START + 1, START + 2, START + 3, START + 4),
    { name: 'from', data: ['USDC', 'DAI', 'USDC', 'USDC', 'USDC'], type: 'STRING' },
    { name: 'to', data: ['NTZS', 'NTZS', null, 'NTZS', 'NTZS'], type: 'STRING' },
    { name: 'amount', data: ['1', '1', '1', '0.0000000000000000001', '1'], type: 'STRING' },
    { name: 'bidBps', data: [1, 1, 1, 1, -1], type: 'INT32' },
  ])
  const { rows, problems } = await readAll(file)
  expect(rows).toHaveLength(1)
  expect(problems.map(({ at, message }) => `${at}: ${message}`)).toEqual([
    'row group 1, row 2: from is "DAI", not one of NTZS, USDC, USDT, USDT.bnb: skipped',
    'row group 1, row 3: to is missing: skipped',
    'row group 1, row 4: amount is "0.0000000000000000001", not an amount of USDC: 0.0000000000000000001 has more than 18 decimals: skipped',
    'row group 1, row 5: bidBps is -1, not a whole number from 0 to 32767: skipped',
  ])
})

test('whose quote a probe shows has to be a flag: a number is skipped and said', async () => {
  const columns: Column[] = [
    times(START, START + 1),
    { name: 'from', data: ['USDC', 'USDC'], type: 'STRING', nullable: false },
    { name: 'to', data: ['NTZS', 'NTZS'], type: 'STRING', nullable: false },
    { name: 'amount', data: ['1', '1'], type: 'STRING', nullable: false },
  ]
  const flags = await readAll(
    foreign('mine.competition.parquet', [...columns, { name: 'own', data: [true, null], type: 'BOOLEAN' }]),
  )
  expect(flags.rows).toMatchObject([{ own: true }, {}])
  expect(flags.rows[1]).not.toHaveProperty('own')
  const numbers = foreign('mine.competition.parquet', [
    ...columns,
    { name: 'own', data: [1, null], type: 'INT32' },
  ])
  const { rows, problems } = await readAll(numbers)
  expect(rows).toHaveLength(1)
  expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(/^own is 1, .*skipped$/)])
})

test.each([
  ['its kind of rows is not stated', 'rates.parquet', undefined],
  ['its kind of rows, tide, is not one of rate,', 'x.tide.parquet', undefined],
  ['its kind of rows, wave, is not one of rate,', 'x.rate.parquet', { 'mizani.tape.kind': 'wave' }],
  ['schema version 2 is newer', 'x.rate.parquet', { 'mizani.tape.version': '2' }],
])('a file of rows that no one knows is skipped and said: %s', async (message, name, metadata) => {
  const mids: Column = { name: 'midRateTZS', data: ['2500'], type: 'STRING' }
  const file = foreign(name, [times(START), mids], metadata)
  expect(await readAll(file)).toMatchObject({
    rows: [],
    problems: [{ file, at: 'footer', message: expect.stringContaining(message), skipped: 1 }, {}],
  })
})

test('a file that says it is ours and is not sealed is damaged', async () => {
  const mids: Column = { name: 'midRateTZS', data: ['2500'], type: 'STRING' }
  const filename = join(scratch(), 'x.rate.parquet')
  parquetWriteFile({ filename, columnData: [times(START), mids], createdBy: 'mizani' })
  expect((await readAll(filename)).problems[0]).toMatchObject({
    message: 'the footer is damaged (its checksum is wrong): the file is skipped',
  })
})

test('a file without a column that its rows need is skipped and said, one with more is read and that is reported', async () => {
  const mids: Column = { name: 'midRateTZS', data: ['2500'], type: 'STRING' }
  expect((await readAll(foreign('a.rate.parquet', [mids]))).problems[0]).toMatchObject({
    message: expect.stringContaining('no column t'),
    skipped: 1,
  })
  const more = await readAll(foreign('b.rate.parquet', [times(START), mids, { ...mids, name: 'mood' }]))
  expect(more.rows).toHaveLength(1)
  expect(more.problems).toMatchObject([{ message: expect.stringContaining('column mood'), skipped: 0 }])
})

/** Every kind of row, with and without what is optional. */
const EVERY_KIND: readonly TapeRow[] = Array.from({ length: 300 }, (_, i): readonly TapeRow[] => {
  const t = START + i * 60_000
  const odd = i % 2 === 1
  return [
    rateRow(t, {
      mid: BigInt(2_500 + (i % 7)) * 10n ** 18n,
      quotable: odd ? null : true,
      rateUpdatedAt: odd ? null : t,
    }),
    { type: 'reference', t, source: 'bank', mid: 2_590n * 10n ** 18n },
    {
      type: 'competition',
      t,
      from: 'USDC',
      to: 'NTZS',
      amount: BigInt(i % 3) * 100n * 10n ** 18n,
      bidBps: odd ? null : i,
      askBps: 58,
      ...(i % 3 === 0 ? {} : { own: odd }),
    },
    {
      type: 'balances',
      t,
      amounts: odd ? { NTZS: 10n ** 77n } : { USDC: 5n * 10n ** 12n, 'USDT.bnb': 1n },
      source: odd ? 'pool' : null,
    },
    {
      type: 'quote',
      t,
      bidBps: 60,
      askBps: i,
      quoteBid: true,
      quoteAsk: odd,
      quotePairs: odd ? null : i % 3 === 0 ? [] : ['USDC', 'USDT'],
    },
    fillRow(t, `f${i}`, {
      amountIn: BigInt(i) ** 7n,
      amountOut: 10n ** 18n + BigInt(i),
      protocolFee: odd ? 7n : null,
      seenAt: odd ? t : null,
    }),
    {
      type: 'decision',
      t,
      state: 'ACTIVE',
      bidBps: odd ? null : 60,
      askBps: 55,
      because: odd ? [] : ['inventory', 'umbali'],
    },
  ]
})
  .flat()
  .toSorted(compareRows)

test('DuckDB reads a tape and sums its amounts exactly', async (context) => {
  const query = await duckdb(context)
  const folder = join(scratch(), 'tape')
  await writeTape(folder, EVERY_KIND)
  const files = (kind: string): string => `read_parquet('${folder}/*/*.${kind}.parquet')`
  const fills = EVERY_KIND.filter((row) => row.type === 'fill')
  const paid = fills.reduce((sum, { amountIn }) => sum + amountIn, 0n)
  const got = fills.reduce((sum, { amountOut }) => sum + amountOut, 0n)
  const [sums] = await query(
    `SELECT sum(CAST(amountIn AS DECIMAL(38,18))), sum(CAST(amountOut AS DECIMAL(38,18))), count(*) FROM ${files('fill')}`,
  )
  const whole = (text: unknown): bigint => BigInt(String(text).replace('.', ''))
  expect(whole(sums?.[0])).toBe(paid)
  expect(whole(sums?.[1])).toBe(got)
  expect(Number(sums?.[2])).toBe(fills.length)
  expect(await query(`SELECT epoch_ms(min(t)), epoch_ms(max(t)) FROM ${files('rate')}`)).toEqual([
    [String(START), String(START + 299 * 60_000)],
  ])
  const [pairs] = await query(
    `SELECT count(*) FILTER (quotePairs IS NULL), count(*) FILTER (len(quotePairs) = 0), count(*) FROM ${files('quote')}`,
  )
  expect(pairs?.map(Number)).toEqual([150, 50, 300])
  for (const kind of ['reference', 'competition', 'balances', 'decision']) {
    expect(await query(`SELECT count(*) FROM ${files(kind)}`)).toEqual([['300']])
  }
})

test('the DuckDB query of docs/tape-queries.md works and sums what was paid', async (context) => {
  const query = await duckdb(context)
  const folder = join(scratch(), 'tape')
  await writeTape(folder, [fillRow(START, 'a'), fillRow(START + DAY_MS, 'b')])
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/tape-queries.md'), 'utf8')
  const sql = /```sql\n(.*?)```/s.exec(page)?.[1] ?? ''
  expect(await query(sql.replace("'tape/", `'${folder}/`))).toEqual([
    ['USDC', 'NTZS', '2', '500.000000000000000000'],
  ])
})

test('a tape that DuckDB wrote again holds the same rows, whatever it is compressed with', async (context) => {
  const query = await duckdb(context)
  const folder = join(scratch(), 'tape')
  await writeTape(folder, EVERY_KIND)
  for (const codec of ['zstd', 'snappy', 'uncompressed']) {
    const again = scratch()
    for (const file of filesBelow(folder)) {
      const name = file.replace('/', '-')
      await query(
        `COPY (SELECT * FROM '${join(folder, file)}') TO '${join(again, name)}' (FORMAT parquet, CODEC '${codec}', ROW_GROUP_SIZE 64)`,
      )
    }
    expect(await readAll(again)).toEqual({ rows: EVERY_KIND, problems: [] })
  }
})
