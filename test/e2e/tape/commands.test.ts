import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/base/time.ts'
import { encodeRow } from '../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { writeTape } from '../../../src/store/tape/writer/write-tape.ts'
import { runHere } from '../daemon/run-here.ts'
import type { Finished } from '../daemon/run-mizani.ts'
import { filesBelow, fillRow, rateRow, readAll, scratch, START } from '../../unit/store/tape/tape-fixture.ts'

const tape = (...args: readonly string[]): Promise<Finished> => runHere(['tape', ...args])

async function folderOf(rows: readonly TapeRow[]): Promise<string> {
  const folder = join(scratch(), 'tape')
  const written = await writeTape(folder, rows)
  if (!written.ok) throw new Error(written.error)
  return folder
}

function textOf(rows: readonly (TapeRow | string)[]): string {
  const file = join(scratch(), 'tape.jsonl')
  writeFileSync(file, rows.map((row) => `${typeof row === 'string' ? row : encodeRow(row)}\n`).join(''))
  return file
}

const OTHER_MID = { mid: 2_570n * 10n ** 18n }
const ROWS: readonly TapeRow[] = [
  rateRow(START),
  fillRow(START + 1, 'ask'),
  rateRow(START + 2, OTHER_MID),
  fillRow(START + 3, 'bid', { from: 'NTZS', to: 'USDT.bnb', amountIn: 10n ** 20n, amountOut: 10n ** 16n }),
  fillRow(START + 4, 'swap', { to: 'USDT', amountOut: 249n * 10n ** 18n }),
  rateRow(START + 5, OTHER_MID),
  rateRow(START + DAY_MS),
  { type: 'decision', t: START + DAY_MS, state: 'ACTIVE', bidBps: 60, askBps: null, because: ['calm'] },
]

test('inspect says what is on a tape, in numbers and in words', async () => {
  const path = await folderOf(ROWS)
  const { code, out } = await tape('inspect', path, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    from: '2026-11-02T07:00:00.000Z',
    to: '2026-11-03T07:00:00.000Z',
    rows: 8,
    rowsByKind: { rate: 4, fill: 3, decision: 1, competition: 0 },
    days: 2,
    files: 4,
    fills: {
      ask: { fills: 1, dollars: '250' },
      bid: { fills: 1, dollars: '0.01' },
      other: { fills: 1, dollars: '250' },
    },
    prints: 3,
    gaps: [{ from: '2026-11-02T07:00:00.005Z', to: '2026-11-03T07:00:00.000Z' }],
    skipped: 0,
    problems: [{ message: expect.stringContaining('24.0 h') }],
  })
  const text = await tape('inspect', path)
  expect(text.out).toContain('8: 4 rate, 3 fill')
  expect(text.out).toContain(
    'fills      1 ask (250.00 dollars), 1 bid (0.01 dollars), 1 other (250.00 dollars)',
  )
  expect(text.out).toContain('gaps       1, 24.0 h together')
})

test('inspect shows what cannot be read and ends well all the same', async () => {
  const { code, out } = await tape(
    'inspect',
    textOf([rateRow(START), 'x', rateRow(START + HOUR_MS)]),
    '--json',
  )
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ rows: 2, skipped: 1, problems: [{ at: 'line 2' }] })
})

test('what is no tape ends with exit code 2 and says what would be one', async () => {
  const { code, err } = await tape('inspect', join(scratch(), 'nothing'))
  expect(code).toBe(2)
  expect(err).toContain('`mizani record`')
})

test('text converted to Parquet and back is the same text, byte for byte', async () => {
  const text = textOf(ROWS)
  const [folder, back] = [join(scratch(), 'made'), join(scratch(), 'back.jsonl')]
  expect(await tape('convert', text, folder)).toMatchObject({ code: 0, err: '' })
  expect(await tape('convert', folder, back)).toMatchObject({ code: 0, err: '' })
  expect(readFileSync(back, 'utf8')).toBe(readFileSync(text, 'utf8'))
})

test('convert overwrites nothing and leaves nothing half done', async () => {
  const folder = await folderOf(ROWS)
  const home = scratch()
  writeFileSync(join(home, 'there.jsonl'), 'mine')
  expect(await tape('convert', folder, join(home, 'there.jsonl'))).toMatchObject({ code: 1 })
  expect(await tape('convert', folder, home)).toMatchObject({ code: 1 })
  expect(await tape('convert', folder, join(home, 'missing', 'x.jsonl'))).toMatchObject({ code: 1 })
  expect(await tape('convert', folder, join(home, 'missing', 'x'))).toMatchObject({ code: 1 })
  expect(await tape('convert', folder, join(home, 'x.parquet'))).toMatchObject({ code: 1 })
  expect(filesBelow(home)).toEqual(['there.jsonl'])
  expect(readFileSync(join(home, 'there.jsonl'), 'utf8')).toBe('mine')
})

test('merge makes one tape of several: equal rows once, changed fills as they were first', async () => {
  const changed = fillRow(START + 20, 'ask', { amountIn: 1n })
  const second = textOf([rateRow(START), rateRow(START + 1), fillRow(START + 1, 'ask'), changed])
  const out = join(scratch(), 'merged')
  const merged = await tape('merge', await folderOf(ROWS), second, '--out', out, '--json')
  expect(merged.code).toBe(0)
  expect(JSON.parse(merged.out)).toMatchObject({
    rows: 9,
    repeated: 2,
    problems: expect.arrayContaining([
      expect.objectContaining({ skipped: 1, message: expect.stringContaining('other values') }),
    ]),
  })
  const { rows } = await readAll(out)
  expect(rows).toEqual([ROWS[0], rateRow(START + 1), ...ROWS.slice(1)])
})

test('merge needs every tape to be one', async () => {
  const out = join(scratch(), 'merged')
  expect(await tape('merge', await folderOf(ROWS), join(scratch(), 'none'), '--out', out)).toMatchObject({
    code: 2,
  })
  expect(existsSync(out)).toBe(false)
})
