import fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { printableLines } from '../../../../../src/base/printable.ts'
import {
  listPathProblem,
  openRowFile,
  type RowColumn,
} from '../../../../../src/research/jobs/backtest/row-file.ts'
import { csvRows } from '../../../../../src/treasury/statement/read-csv.ts'

const folder = mkdtempSync(join(tmpdir(), 'mizani-rows-'))

type Row = {
  readonly t: number
  readonly text: string
  readonly exact: string
  readonly number: number | null
  readonly count: number | null
  readonly flag: boolean
}

const COLUMNS: readonly RowColumn<Row>[] = [
  { name: 'time', kind: 'time', valueOf: ({ t }) => t },
  { name: 'text', kind: 'text', valueOf: ({ text }) => text },
  { name: 'exact', kind: 'exact', valueOf: ({ exact }) => exact },
  { name: 'number', kind: 'number', valueOf: ({ number }) => number },
  { name: 'count', kind: 'count', valueOf: ({ count }) => count },
  { name: 'flag', kind: 'flag', valueOf: ({ flag }) => flag },
]

const row: fc.Arbitrary<Row> = fc.record({
  t: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  text: fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => `x${text}`),
  exact: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  number: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null }),
  count: fc.option(fc.integer({ min: -500, max: 500 }), { nil: null }),
  flag: fc.boolean(),
})

function write(name: string, rows: readonly Row[]): string {
  const path = join(folder, name)
  const file = openRowFile(path, COLUMNS)
  if (!file.ok) throw new Error(file.error)
  for (const one of rows) file.value.append(one)
  expect(file.value.finish()).toEqual({ ok: true, value: rows.length })
  return path
}

async function readParquet(path: string) {
  const bytes = new Uint8Array(readFileSync(path))
  const compressors = { ZSTD: (packed: Uint8Array) => new Uint8Array(zstdDecompressSync(packed)) }
  return parquetReadObjects({ file: bytes.buffer, compressors })
}

describe('a list that is written to a file', () => {
  test('comes back from Parquet as it was given, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        const read = await readParquet(write('any.parquet', rows))
        expect(read).toEqual(
          rows.map(({ t, text, exact, number, count, flag }) => ({
            time: new Date(t),
            text,
            exact,
            number,
            count,
            flag,
          })),
        )
      }),
      { numRuns: 50 },
    )
  })

  test('comes back from CSV as it was given, without control characters; commas, quotes and line breaks included', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        const [head, ...lines] = csvRows(readFileSync(write('any.csv', rows), 'utf8'), ',').rows
        expect(head?.cells).toEqual(['time', 'text', 'exact', 'number', 'count', 'flag'])
        expect(lines.map(({ cells }) => cells.map((cell) => cell.trim()))).toEqual(
          rows.map(({ t, text, exact, number, count, flag }) =>
            [new Date(t).toISOString(), text, exact, number ?? '', count ?? '', flag].map((value) =>
              printableLines(String(value)).trim(),
            ),
          ),
        )
      }),
    )
  })

  test('more rows than a row group holds are all there, in order', async () => {
    const rows = Array.from({ length: 12_345 }, (_, index): Row => {
      return { t: index, text: 'x', exact: '1', number: index / 3, count: index, flag: true }
    })
    const read = await readParquet(write('many.parquet', rows))
    expect(read.map(({ count }) => count)).toEqual(rows.map(({ count }) => count))
  })

  test('a list without rows has its columns in either form', async () => {
    expect(readFileSync(write('none.csv', []), 'utf8')).toBe('time,text,exact,number,count,flag\r\n')
    expect(await readParquet(write('none.parquet', []))).toEqual([])
  })

  test('a text that a spreadsheet would run as a formula begins with an apostrophe; a negative number does not', () => {
    const one = { t: 0, exact: '-1.5', number: -1e-7, count: -3, flag: false }
    const [, line] = readFileSync(write('formula.csv', [{ ...one, text: '=1+1' }]), 'utf8').split('\r\n')
    expect(line).toBe("1970-01-01T00:00:00.000Z,'=1+1,-1.5,-1e-7,-3,false")
  })

  test('until it is finished nothing has its name, and what is abandoned leaves nothing', () => {
    const place = join(folder, 'half')
    mkdirSync(place)
    writeFileSync(join(place, 'old.csv'), 'old')
    const file = openRowFile(join(place, 'old.csv'), COLUMNS)
    if (!file.ok) throw new Error(file.error)
    file.value.append({ t: 0, text: 'x', exact: '1', number: 1, count: 1, flag: true })
    expect(readFileSync(join(place, 'old.csv'), 'utf8')).toBe('old')
    file.value.abandon()
    file.value.abandon()
    expect(readdirSync(place)).toEqual(['old.csv'])
  })

  test('a folder in its place and a folder that is not there are refused before a row is written', () => {
    mkdirSync(join(folder, 'folder.csv'))
    const inPlace = openRowFile(join(folder, 'folder.csv'), COLUMNS)
    expect(inPlace).toMatchObject({ ok: false, error: expect.stringContaining('not a regular') })
    const missing = openRowFile(join(folder, 'nowhere', 'a.csv'), COLUMNS)
    expect(missing).toMatchObject({ ok: false, error: expect.stringContaining('in an existing folder') })
  })

  test('only names that end in .csv or .parquet name a list', () => {
    expect(listPathProblem('--trades', 'a.csv')).toBeNull()
    expect(listPathProblem('--trades', 'A.PARQUET')).toBeNull()
    for (const path of ['a.json', 'csv', 'a.csv.gz', '']) {
      expect(listPathProblem('--trades', path)).toContain('.csv or .parquet')
    }
  })
})
