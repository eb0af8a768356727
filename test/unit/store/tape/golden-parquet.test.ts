import { join } from 'node:path'
import { expect, test } from 'vitest'
import { columnProblem, readColumns } from '../../../../src/store/tape/parquet/columns/read-columns.ts'
import { readBytes, readFooter } from '../../../../src/store/tape/parquet/footer.ts'
import { rateRow, readAll } from './tape-fixture.ts'

/** Files of pyarrow and polars, which `make.py` beside them writes. */
const GOLDEN = join(import.meta.dirname, '../../../golden/foreign')
const golden = (name: string): string => join(GOLDEN, `${name}.rate.parquet`)
const AT = Date.parse('2026-11-02T10:00:00Z')
const RATES = ['2568.158400000000000000', '2569.000000000000000000', '2570.123456789012345678'].map(
  (mid, i) =>
    rateRow(AT + i * 1_000, { mid: BigInt(mid.replace('.', '')), rateUpdatedAt: null, quotable: null }),
)

test.each([
  'pyarrow-none',
  'pyarrow-snappy',
  'pyarrow-zstd',
  'pyarrow-gzip',
  'pyarrow-brotli',
  'decimal-fixed',
  'nanoseconds',
  'spark-int96',
  'polars',
])('the file %s is read exactly', async (name) => {
  expect(await readAll(golden(name))).toEqual({ rows: RATES, problems: [] })
})

test.each([
  ['decimal-int64', ['25681584', '25690000'], 4],
  ['decimal-int32', ['256810', '256900', '257050'], 2],
] as const)(
  'the whole numbers of the DECIMAL column in %s are read exactly',
  async (name, mids, decimals) => {
    const { rows } = await readAll(golden(name))
    expect(rows.map((row) => (row.type === 'rate' ? row.mid : null))).toEqual(
      mids.map((mid) => BigInt(mid) * 10n ** BigInt(18 - decimals)),
    )
  },
)

test.each([
  ['pyarrow-lz4', 'footer', 'column t is compressed with LZ4_RAW; write it with zstd'],
  ['naive', 'footer', 'column t has times without a time zone'],
  ['polars-naive', 'footer', 'column t has times without a time zone'],
  ['int96', 'footer', 'column t has times without a time zone'],
  ['date', 'footer', 'column t has times without a time zone'],
  ['huge-group', 'row group 1', 'it has 2200000 rows, but at most 1048576 are read'],
])('the file %s is refused by name', async (name, at, message) => {
  const { rows, problems } = await readAll(golden(name))
  expect(rows).toEqual([])
  expect(problems[0]).toMatchObject({ file: golden(name), at, message: expect.stringContaining(message) })
})

test('a DECIMAL of bytes without a length is refused by name', () => {
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'midRateTZS', type: 'BYTE_ARRAY', converted_type: 'DECIMAL', scale: 2 },
  ] as const
  const metadata = { version: 1, schema: [...schema], num_rows: 0n, row_groups: [], metadata_length: 0 }
  expect(columnProblem(metadata, { name: 'midRateTZS', holds: 'decimal' })).toMatch(/midRateTZS is a DECIMAL/)
})

test('pages with more values than the footer promises are refused before they are unpacked', async () => {
  const footer = readFooter(golden('huge-group'))
  if (!footer.ok) throw new Error(footer.error)
  const { metadata, bytes: size } = footer.value
  const [group] = metadata.row_groups
  if (group === undefined) throw new Error('no row group')
  const bytes = readBytes(golden('huge-group'), 0, size)
  const lying = { metadata, group: { ...group, num_rows: 3n }, bytes, from: 0 }
  await expect(readColumns(lying, ['t'])).rejects.toThrow('more than 2097152 values')
})
