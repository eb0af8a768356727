import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { measureTape } from '../../../../src/store/tape/summary/summary.ts'
import { rateRow, readAll, scratch, START } from './tape-fixture.ts'

function csvFile(text: string): string {
  const file = join(scratch(), 'mids.csv')
  writeFileSync(file, text)
  return file
}

const UNDATED = { rateUpdatedAt: null, quotable: null }
const RATES = [
  rateRow(START, { mid: 2568_15n * 10n ** 16n, ...UNDATED }),
  rateRow(START + 60_000, { mid: 2570n * 10n ** 18n, ...UNDATED }),
]

describe('a CSV file with the columns time and mid', () => {
  test.each([
    ['times of ISO 8601', 'time,mid\n2026-11-02T07:00:00Z,2568.15\n2026-11-02T07:01:00Z,2570\n'],
    [
      'a BOM, CRLF and quotes',
      '\uFEFF"time","mid"\r\n"2026-11-02T07:00:00Z","2568.15"\r\n"2026-11-02T07:01:00Z","2570"\r\n',
    ],
    [
      'an index and times of pandas',
      ',time,mid\n0,2026-11-02 07:00:00+00:00,2568.15\n1,2026-11-02 10:01:00+03:00,2570.0\n',
    ],
    [
      'other columns and no last line end',
      'mid,volume,time\n2568.15,,2026-11-02T07:00:00Z\n2570,3,2026-11-02T07:01:00Z',
    ],
  ])('is read as a tape of rates: %s', async (_what, text) => {
    const file = csvFile(text)
    const { rows, problems } = await readAll(file)
    expect(rows).toEqual(RATES)
    expect(problems).toEqual([])
    expect(measureTape(file)).toMatchObject({ files: 1, bytes: Buffer.byteLength(text) })
  })

  test('has one mid for each time: the first, and the next ones are reported with both lines', async () => {
    const text =
      'time,mid\n2026-11-02T07:00:00Z,2568.15\n2026-11-02T07:00:00Z,2600\n2026-11-02T07:01:00Z,2570\n'
    const { rows, problems } = await readAll(csvFile(text))
    expect(rows).toEqual(RATES)
    expect(problems).toMatchObject([{ at: 'line 3', message: expect.stringContaining('line 2'), skipped: 1 }])
  })

  test.each([
    [
      'semicolons',
      'time;mid\n2026-11-02T07:00:00Z;2568\n',
      'the columns are time;mid; time and mid, with commas, are needed',
    ],
    [
      'another name',
      'date,mid\n2026-11-02T07:00:00Z,2568\n',
      'the columns are date, mid; time and mid, with commas, are needed',
    ],
    [
      'a decimal comma',
      'time,mid\n2026-11-02T07:00:00Z,2568,15\n',
      '3 cells where the first line names 2 columns: skipped',
    ],
    [
      'no zone',
      'time,mid\n2026-11-02 07:00:00,2568\n',
      'time is "2026-11-02T07:00:00", not an ISO 8601 time with a zone, from 1970 on: skipped',
    ],
    [
      'no number',
      'time,mid\n2026-11-02T07:00:00Z,\n',
      'mid is "", not a rate: "" is not a plain decimal number: skipped',
    ],
    [
      'a negative mid',
      'time,mid\n2026-11-02T07:00:00Z,-5\n',
      'mid is "-5", not a rate: -5 is not between 1 and 1000000 TZS per USD: skipped',
    ],
  ])('is reported and gives no row: %s', async (_what, text, message) => {
    const { rows, problems } = await readAll(csvFile(text))
    expect(rows).toEqual([])
    expect(problems[0]).toMatchObject({ message })
  })

  test('reports and skips a line that is older than one before it', async () => {
    const text = 'time,mid\n2026-11-02T07:01:00Z,2570\n2026-11-02T07:00:00Z,2568.15\n'
    const { rows, problems } = await readAll(csvFile(text))
    expect(rows).toEqual(RATES.slice(1))
    expect(problems).toMatchObject([{ at: 'line 3', skipped: 1 }])
  })
})
