import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/random.ts'
import { DAY_MS, HOUR_MS } from '../../../../src/base/time.ts'
import { encodeRow } from '../../../../src/store/tape/model/encode-row.ts'
import { openTape } from '../../../../src/store/tape/folder/open-tape.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { createParquetFile } from '../../../../src/store/tape/parquet/write.ts'
import { writeTape } from '../../../../src/store/tape/writer/write-tape.ts'
import { filesBelow, fillRow, rateRow, readAll, scratch, START } from './tape-fixture.ts'

/** Text in a file of its own. */
function textFile(lines: readonly (string | TapeRow)[]): string {
  const file = join(scratch(), 'tape.jsonl')
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : encodeRow(line)}\n`).join(''))
  return file
}

/** A tape of `rows` in Parquet; the first file of it. */
async function parquetTape(
  rows: readonly TapeRow[],
): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = join(scratch(), 'tape')
  const written = await writeTape(folder, rows)
  if (!written.ok) throw new Error(written.error)
  return { folder, file: join(folder, filesBelow(folder)[0] ?? '') }
}

const seconds = (count: number): readonly TapeRow[] =>
  Array.from({ length: count }, (_, i) =>
    rateRow(START + i * 1_000, { mid: BigInt(2_500 + (i % 9)) * 10n ** 18n }),
  )

test.each([
  ['not JSON', '{"t":'],
  ['not a JSON object', '[]'],
  ['type is missing', '{"t":"2026-11-02T07:00:01.000Z"}'],
  ['type is "trade", not one of', '{"t":"2026-11-02T07:00:01.000Z","type":"trade"}'],
  ['t is missing', '{"type":"rate","midRateTZS":"2568"}'],
  ['t is "2026-11-02T07:00:01", not an ISO', '{"t":"2026-11-02T07:00:01","type":"rate","midRateTZS":"2568"}'],
  ['t is 1793602800000, not an ISO', '{"t":1793602800000,"type":"rate","midRateTZS":"2568"}'],
  ['t is "2026-02-30T07:00:01Z", not', '{"t":"2026-02-30T07:00:01Z","type":"rate","midRateTZS":"2568"}'],
  ['t is "1969-12-31T23:59:59Z", not', '{"t":"1969-12-31T23:59:59Z","type":"rate","midRateTZS":"2568"}'],
  ['midRateTZS is "0", not a rate', '{"t":"2026-11-02T07:00:01Z","type":"rate","midRateTZS":"0"}'],
  ['midRateTZS is true, not a decimal', '{"t":"2026-11-02T07:00:01Z","type":"rate","midRateTZS":true}'],
  [
    'amountIn is 250, not a decimal string',
    '{"t":"2026-11-02T07:00:01Z","type":"fill","id":"f","fromToken":"USDC","toToken":"NTZS","amountIn":250,"amountOut":"1"}',
  ],
  [
    'amountIn is "0.0000000000000000001", not an amount of USDC',
    '{"t":"2026-11-02T07:00:01Z","type":"fill","id":"f","fromToken":"USDC","toToken":"NTZS","amountIn":"0.0000000000000000001","amountOut":"1"}',
  ],
  [
    'fromToken is "DAI", not one of',
    '{"t":"2026-11-02T07:00:01Z","type":"fill","id":"f","fromToken":"DAI","toToken":"NTZS","amountIn":"1","amountOut":"1"}',
  ],
  ['ntzs is "-1", not an amount of 0 or more', '{"t":"2026-11-02T07:00:01Z","type":"balances","ntzs":"-1"}'],
  [
    'bidBps is 1.5, not a whole number',
    '{"t":"2026-11-02T07:00:01Z","type":"competition","from":"USDC","to":"NTZS","amount":"1","bidBps":1.5}',
  ],
  [
    'because is [1], not a list',
    '{"t":"2026-11-02T07:00:01Z","type":"decision","state":"ACTIVE","because":[1]}',
  ],
  ['source is "bank", not one of pool', '{"t":"2026-11-02T07:00:01Z","type":"balances","source":"bank"}'],
])('a line that is no row is skipped and said with its number: %s', async (message, line) => {
  const file = textFile([rateRow(START), line, rateRow(START + 2_000)])
  const { rows, problems } = await readAll(file)
  expect(rows).toEqual([rateRow(START), rateRow(START + 2_000)])
  const fills = line.includes('"type":"fill"') ? { fills: 1 } : {}
  expect(problems).toEqual([
    { file, at: 'line 2', message: expect.stringContaining(message), skipped: 1, ...fills },
  ])
})

test('bytes that are no text, and a line without end, are skipped and said', async () => {
  const file = join(scratch(), 'tape.jsonl')
  const row = Buffer.from(`${encodeRow(rateRow(START))}\n`)
  writeFileSync(
    file,
    Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), row, Buffer.alloc(3 << 20, 'x'), Buffer.from('\n'), row]),
  )
  const { rows, problems } = await readAll(file)
  expect(rows).toHaveLength(2)
  expect(problems.map(({ at, skipped }) => [at, skipped])).toEqual([
    ['line 1', 1],
    ['line 3', 1],
  ])
})

test('a last line without its end is a line all the same, and blank lines are ignored', async () => {
  const file = join(scratch(), 'tape.jsonl')
  writeFileSync(file, `\n  \n${encodeRow(rateRow(START))}\r\n\n${encodeRow(rateRow(START + 1))}`)
  expect(await readAll(file)).toEqual({ rows: [rateRow(START), rateRow(START + 1)], problems: [] })
})

test('fields that are not kept are reported once for the file', async () => {
  const line = encodeRow(rateRow(START)).replace('}', ',"mood":"calm"}')
  const { rows, problems } = await readAll(textFile([line, line, line]))
  expect(rows).toHaveLength(3)
  expect(problems).toMatchObject([
    { at: 'line 1', message: expect.stringContaining('field mood'), skipped: 0 },
  ])
})

test('a row that is older than one before it is skipped and said; equal times are put in order', async () => {
  const file = textFile([
    fillRow(START, 'b'),
    fillRow(START, 'a'),
    rateRow(START),
    rateRow(START - 1),
    rateRow(START + 1),
  ])
  const { rows, problems } = await readAll(file)
  expect(rows).toEqual([rateRow(START), fillRow(START, 'a'), fillRow(START, 'b'), rateRow(START + 1)])
  expect(problems).toEqual([
    {
      file,
      at: 'line 4',
      message: '2026-11-02T06:59:59.999Z comes after 2026-11-02T07:00:00.000Z: skipped',
      skipped: 1,
    },
  ])
})

test('a fill that is there twice counts once, and one that changed is called changed', async () => {
  const rows = [
    rateRow(START),
    fillRow(START, 'a'),
    fillRow(START, 'a'),
    fillRow(START + 5, 'a', { amountIn: 1n }),
    fillRow(START + 6, 'b'),
  ]
  for (const path of [textFile(rows), (await parquetTape(rows)).folder]) {
    const read = await readAll(path)
    expect(read.rows).toEqual([rows[0], rows[1], rows[4]])
    expect(read.problems).toMatchObject([
      { message: 'fill a is repeated, equal to the first: skipped', skipped: 1 },
      { message: 'fill a is repeated with other values: skipped, the first one counts', skipped: 1 },
    ])
  }
})

test('a fill that is repeated within a week is known, however much is between', async () => {
  const rows = [fillRow(START, 'a'), fillRow(START + 3 * DAY_MS, 'b'), fillRow(START + 7 * DAY_MS - 1, 'a')]
  expect((await readAll(textFile(rows))).rows).toEqual(rows.slice(0, 2))
})

test('hours without a rate are a gap that is reported and skips nothing', async () => {
  const file = textFile([rateRow(START), rateRow(START + HOUR_MS), rateRow(START + 3 * HOUR_MS + 1)])
  expect((await readAll(file)).problems).toEqual([
    {
      file,
      at: '2026-11-02T08:00:00.000Z to 2026-11-02T10:00:00.001Z',
      message: 'no rate for 2.0 h',
      skipped: 0,
    },
  ])
})

test('of many problems of one kind, the first twenty are reported and the rest are counted', async () => {
  const file = textFile([...Array.from({ length: 50 }, () => 'x'), '{}', rateRow(START)])
  const { problems } = await readAll(file)
  expect(problems).toHaveLength(21)
  expect(problems.at(-1)).toEqual({
    file,
    at: 'up to line 51',
    message: expect.stringContaining('31 more'),
    skipped: 31,
  })
})

test('fills among what was skipped are counted, with those that are reported together', async () => {
  const bad = '{"t":"2026-11-02T07:00:01Z", "type": "fill", "id":"f"}'
  const { problems } = await readAll(
    textFile(['x', ...Array.from({ length: 30 }, () => bad), rateRow(START)]),
  )
  expect(problems.reduce((sum, { fills = 0 }) => sum + fills, 0)).toBe(30)
})

test.each(['missing', 'tape.xlsx'])('what is no tape is refused with what would be one: %s', (name) => {
  const folder = scratch()
  writeFileSync(join(folder, 'tape.xlsx'), '')
  expect(openTape(join(folder, name))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/mizani record.*\.jsonl.*\.parquet.*\.csv/),
  })
})

test('a folder without a recording is refused', () => {
  expect(openTape(scratch())).toMatchObject({
    ok: false,
    error: expect.stringContaining('without a recording'),
  })
})

test('an empty file has no rows to read, and that is reported', async () => {
  for (const name of ['tape.jsonl', 'tape.rate.parquet']) {
    const file = join(scratch(), name)
    writeFileSync(file, '')
    const { rows, problems } = await readAll(file)
    expect(rows).toEqual([])
    expect(problems).toContainEqual({ file, at: 'all of it', message: 'no rows to read', skipped: 0 })
  }
})

test('half a Parquet file is skipped and said, and the others are read', async () => {
  const { folder, file } = await parquetTape([...seconds(500), fillRow(START + DAY_MS, 'a')])
  const whole = readFileSync(file)
  for (const bytes of [0, 3, 4, 11, 12, whole.length >> 1, whole.length - 1]) {
    writeFileSync(file, whole.subarray(0, bytes))
    const { rows, problems } = await readAll(folder)
    expect(rows).toEqual([fillRow(START + DAY_MS, 'a')])
    expect(problems).toMatchObject([
      { file, at: 'footer', skipped: null, message: expect.stringContaining('skipped') },
    ])
  }
})

test('a damaged row group is skipped and said with its number and rows, and the others are read', async () => {
  const rows = seconds(131_500).map((row, i) => ({ ...row, t: START + i * 100 }))
  const { file } = await parquetTape(rows)
  const bytes = readFileSync(file)
  bytes[200] = (bytes[200] ?? 0) ^ 1
  writeFileSync(file, bytes)
  const read = await readAll(file)
  expect(read.rows).toEqual(rows.slice(131_072))
  expect(read.problems).toMatchObject([
    { file, at: 'row group 1', message: expect.stringContaining('checksum'), skipped: 131_072 },
  ])
})

test('a row of balances with a negative amount is skipped and reported with its row, and the others are read', async () => {
  const file = join(scratch(), 'mine.balances.parquet')
  const rows = [7n, 7n, -1n, 8n].map((NTZS, i) => ({
    type: 'balances' as const,
    t: START + i,
    amounts: { NTZS, ...(i === 3 ? { USDC: 9n } : {}) },
    source: i === 1 ? ('wallet' as const) : null,
  }))
  const parquet = createParquetFile(file, 'balances')
  parquet.append(rows)
  parquet.finish()
  const read = await readAll(file)
  expect(read.rows).toEqual([rows[0], rows[1], rows[3]])
  expect(read.problems).toMatchObject([
    { file, at: 'row group 1, row 3', message: expect.stringMatching(/^ntzs is .*: skipped$/), skipped: 1 },
  ])
})

test('text beside the days of a tape is not read, and that is reported', async () => {
  const { folder } = await parquetTape(seconds(3))
  writeFileSync(join(folder, 'more.jsonl'), encodeRow(rateRow(START)))
  expect((await readAll(folder)).problems).toMatchObject([
    { file: join(folder, 'more.jsonl'), skipped: null },
  ])
})

test('rows in a folder that is not named by a date are not read, and that is reported', async () => {
  const { folder } = await parquetTape([...seconds(3), rateRow(START + DAY_MS)])
  mkdirSync(join(folder, 'notes'))
  renameSync(join(folder, '2026-11-02'), join(folder, '2026-11-2'))
  const { rows, problems } = await readAll(folder)
  expect(rows).toEqual([rateRow(START + DAY_MS)])
  expect(problems).toMatchObject([
    { file: join(folder, '2026-11-2'), message: expect.stringContaining('not a date'), skipped: null },
  ])
})

test('files of other tapes that overlap in time are merged into one order', async () => {
  const [first, second] = [
    await parquetTape(seconds(20)),
    await parquetTape([rateRow(START + 4_500), fillRow(START + 6_000, 'x')]),
  ]
  const day = join(first.folder, '2026-11-02')
  for (const name of filesBelow(second.folder))
    copyFileSync(join(second.folder, name), join(day, `copied-${name.slice(11)}`))
  const { rows, problems } = await readAll(first.folder)
  expect(problems).toEqual([])
  expect(rows).toHaveLength(22)
  expect(rows.map(({ t }) => t)).toEqual(rows.map(({ t }) => t).toSorted((a, b) => a - b))
  expect((await readAll(day)).rows).toEqual(rows)
})

test('a file in the folder of a wrong day is skipped where its rows are too old, and that is reported', async () => {
  const { folder } = await parquetTape([...seconds(20), rateRow(START + 10 * DAY_MS)])
  mkdirSync(join(folder, '2026-11-20'))
  copyFileSync(
    join(folder, '2026-11-02', '070000-1.rate.parquet'),
    join(folder, '2026-11-20', '070000-1.rate.parquet'),
  )
  const { rows, problems } = await readAll(folder)
  expect(rows).toHaveLength(21)
  expect(problems.filter(({ skipped }) => skipped !== 0)).toMatchObject([
    { at: 'row group 1', message: expect.stringContaining('20 rows are older'), skipped: 20 },
  ])
})

test('whatever bytes of a tape are changed, reading it throws nothing and invents nothing', async () => {
  const rows = [
    ...seconds(300),
    ...Array.from({ length: 50 }, (_, i) => fillRow(START + 400_000 + i, `f${i}`)),
  ]
  const { folder } = await parquetTape(rows)
  const texts = new Set(rows.map(encodeRow))
  const random = seededRandom(3, 'damage')
  for (const file of filesBelow(folder).map((name) => join(folder, name))) {
    const whole = readFileSync(file)
    for (let run = 0; run < 40; run++) {
      const bytes = Buffer.from(whole)
      const changes = 1 + Math.floor(random() * 3)
      for (let i = 0; i < changes; i++)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      writeFileSync(file, bytes)
      const read = await readAll(folder)
      for (const row of read.rows) expect(texts.has(encodeRow(row))).toBe(true)
      if (read.rows.length < rows.length) expect(read.problems.length).toBeGreaterThan(0)
    }
    writeFileSync(file, whole)
  }
}, 60_000)
