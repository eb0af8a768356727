import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it, test } from 'vitest'
import { readOwnData } from '../../../../../src/research/jobs/backtest/own-data.ts'
import { balancesRow, MID, quoteRow, rateRow, runTape, START } from '../../../../support/backtest-tape.ts'
import { pureStrategy } from '../../../../support/test-strategy.ts'

const folder = mkdtempSync(join(tmpdir(), 'own-data-'))
const MINUTE = 60_000

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function read(path: string) {
  const read = await readOwnData(path)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

const day = (text: string) => Date.parse(`2026-11-${text}`)

describe('the own data of a strategy', () => {
  it('are the columns of a CSV file: of the latest row at or before a time, without its empty cells', async () => {
    const lines = [
      '\uFEFF"time",fx,flow',
      '2026-11-02T07:00:00Z,2510.5,3',
      '2026-11-02 10:00:00.000+02:00,,-4e2',
      '',
    ]
    const { at, sha256 } = await read(fileOf('own.csv', lines.join('\r\n')))
    expect(at(day('02T06:59:59.999Z'))).toEqual({})
    expect(at(day('02T07:00:00Z'))).toEqual({ fx: 2_510.5, flow: 3 })
    expect(at(day('02T07:59:59.999Z'))).toEqual({ fx: 2_510.5, flow: 3 })
    expect(at(day('03T00:00:00Z'))).toEqual({ flow: -400 })
    expect(at(day('02T07:30:00Z'))).toEqual({ fx: 2_510.5, flow: 3 })
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are the columns of a Parquet file', async () => {
    const bytes = parquetWriteBuffer({
      columnData: [
        { name: 'time', data: [new Date(START), new Date(START + MINUTE)], type: 'TIMESTAMP' },
        { name: 'fx', data: [2_510.5, 2_511], type: 'DOUBLE' },
        { name: 'fills', data: [3n, null], type: 'INT64' },
      ],
    })
    const { at } = await read(fileOf('own.parquet', new Uint8Array(bytes)))
    expect(at(START)).toEqual({ fx: 2_510.5, fills: 3 })
    expect(at(START + MINUTE)).toEqual({ fx: 2_511 })
  })

  it('cannot be changed by a strategy', async () => {
    const { at } = await read(fileOf('frozen.csv', `time,fx\n${START},1\n`))
    expect(Object.isFrozen(at(START))).toBe(true)
  })

  it.each([
    ['', 'it has no rows'],
    ['time,fx\n', 'it has no rows'],
    ['date,fx\n2026-11-02,1\n', 'it has no column time'],
    ['time,fx\n2026-11-02,1,5\n', 'row 1 has 3 cells where the head names 2 columns'],
    // Seconds would be days of 1970, so that the last row would be known from the start.
    ['time,fx\n1790000000,1\n', 'row 1: time 1790000000 is neither ISO 8601 with a zone nor milliseconds'],
    ['time,fx\n2026-11-02 07:00:00,1\n', 'row 1: time 2026-11-02 07:00:00 is neither'],
    ['time,fx\n2026-11-02,1\n2026-11-03,abc\n', 'row 2: fx = abc is not a number'],
    [
      'time,fx\n2026-11-03,1\n2026-11-02,2\n',
      'row 2: its time is before that of row 1; sort the file by time',
    ],
    ['time,fx rate\n2026-11-03,1\n', 'the column "fx rate": rename it'],
  ])('of %j are refused with the reason and the place', async (text, why) => {
    const path = fileOf('wrong.csv', text)
    expect(await readOwnData(path)).toEqual({
      ok: false,
      error: expect.stringContaining(`backtest.data: ${path} cannot be read: ${why}`),
    })
  })

  it('that do not exist are refused', async () => {
    expect(await readOwnData(join(folder, 'none.csv'))).toMatchObject({
      error: expect.stringContaining('ENOENT'),
    })
  })

  it('never show a later row, in whatever order they are asked', async () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 30 })
    const questions = fc.array(fc.integer({ min: -2, max: 60 }), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(steps, questions, async (gaps, asked) => {
        let t = START
        const times = gaps.map((gap) => (t += gap))
        const { at } = await read(
          fileOf('any.csv', `time,row\n${times.map((time, i) => `${time},${i}`).join('\n')}`),
        )
        for (const after of asked) {
          const row = times.findLastIndex((time) => time <= START + after)
          expect(at(START + after)).toEqual(row === -1 ? {} : { row })
        }
      }),
      { numRuns: 50 },
    )
  })
})

test('a strategy in a backtest reads at each decision the latest row until then, and no later one', async () => {
  const times = Array.from({ length: 40 }, (_, index) => START + index * 7 * MINUTE + 1)
  const { at: data } = await read(
    fileOf('run.csv', `time,since\n${times.map((t) => `${t},${t}`).join('\n')}`),
  )
  const seen: (readonly [number, number | undefined])[] = []
  const strategy = pureStrategy(({ now, data: own }) => {
    seen.push([now, own?.['since']])
    return { bidBps: 60, askBps: 60, reasons: ['a test'] }
  })
  const rows = [
    rateRow(START, MID),
    balancesRow(START),
    quoteRow(START, 500, 500),
    rateRow(START + 240 * MINUTE, MID),
  ]
  await runTape(rows, { strategy, data })
  expect(seen.length).toBeGreaterThan(900)
  for (const [now, since] of seen) expect(since).toBe(times.findLast((t) => t <= now))
})
