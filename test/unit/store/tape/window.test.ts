import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../../src/base/time.ts'
import { encodeRow } from '../../../../src/store/tape/model/encode-row.ts'
import type { QuoteRow, ReferenceRow, TapeRow } from '../../../../src/store/tape/model/row.ts'
import { writeTape } from '../../../../src/store/tape/writer/write-tape.ts'
import { fillRow, rateRow, readAll, scratch, START } from './tape-fixture.ts'

const quote = (t: number, bps: number): QuoteRow => ({
  type: 'quote',
  t,
  bidBps: bps,
  askBps: bps,
  quoteBid: true,
  quoteAsk: true,
  quotePairs: null,
})
const reference = (t: number, source: string, tzs: bigint): ReferenceRow => ({
  type: 'reference',
  t,
  source,
  mid: tzs * 10n ** 18n,
})

const FROM = START + 2 * DAY_MS
const BEFORE: readonly TapeRow[] = [
  rateRow(START),
  reference(START, 'bank', 2_500n),
  quote(START, 60),
  reference(START + 1_000, 'bank', 2_600n),
  fillRow(START + 1_500, 'before'),
  quote(START + 2_000, 70),
  reference(START + DAY_MS, 'feed', 2_700n),
]
const WITHIN: readonly TapeRow[] = [rateRow(FROM), fillRow(FROM + 1_000, 'within'), quote(FROM + 2_000, 80)]
const STANDING: readonly TapeRow[] = [
  reference(FROM, 'bank', 2_600n),
  reference(FROM, 'feed', 2_700n),
  quote(FROM, 70),
]

async function bothForms(rows: readonly TapeRow[]): Promise<readonly string[]> {
  const [folder, file] = [join(scratch(), 'tape'), join(scratch(), 'tape.jsonl')]
  await writeTape(folder, rows)
  writeFileSync(file, rows.map((row) => `${encodeRow(row)}\n`).join(''))
  return [folder, file]
}

test('a window that asks for it begins with the quote and the references that stood then', async () => {
  for (const path of await bothForms([...BEFORE, ...WITHIN])) {
    const { rows } = await readAll(path, { window: { from: FROM }, standing: true })
    expect(rows).toEqual([...STANDING, ...WITHIN])
  }
})

test('nothing stands before the first row, and without a beginning there is nothing to show again', async () => {
  for (const path of await bothForms(WITHIN)) {
    const fromFirst = await readAll(path, { window: { from: FROM }, standing: true })
    expect(fromFirst.rows).toEqual(WITHIN)
    const all = await readAll(path, { window: { to: FROM + 2_000 }, standing: true })
    expect(all.rows).toEqual(WITHIN.slice(0, 2))
  }
})

test('a window without a row is empty, whatever stood before it', async () => {
  for (const path of await bothForms(BEFORE)) {
    const { rows, problems } = await readAll(path, { window: { from: FROM }, standing: true })
    expect(rows).toEqual([])
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('no rows')])
  }
})

test('an unreadable file is reported once, before the window and within it', async () => {
  const folder = join(scratch(), 'tape')
  await writeTape(folder, [...BEFORE, ...WITHIN])
  const [first, ...others] = readdirSync(folder).toSorted()
  const last = others.at(-1)
  const fileOf = (day = '') => readdirSync(join(folder, day)).find((name) => name.includes('.quote.')) ?? ''
  const halves = [first, last].map((day = '') => join(folder, day, fileOf(day)))
  for (const half of halves) {
    expect(existsSync(half)).toBe(true)
    truncateSync(half, 40)
  }
  const { rows, problems } = await readAll(folder, { window: { from: FROM }, standing: true })
  expect(rows.filter(({ type }) => type === 'quote')).toEqual([])
  const told = problems.filter(({ at }) => at === 'footer').map(({ file }) => file)
  expect(told.toSorted()).toEqual(halves.toSorted())
})
