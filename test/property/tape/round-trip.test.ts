import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { compareRows, encodeRow } from '../../../src/store/tape/model/encode-row.ts'
import { decodeRow } from '../../../src/store/tape/model/decode-row.ts'
import { openTape, type TapeReading } from '../../../src/store/tape/folder/open-tape.ts'
import { readRows } from '../../../src/store/tape/folder/merge-tapes.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { writeTape } from '../../../src/store/tape/writer/write-tape.ts'
import { arbitraryRow } from './arbitrary-row.ts'

let folder: string
let made = 0
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-tape-property-'))))

/** Rows of a tape: in order, every fill with an id of its own. */
const arbitraryTape = fc
  .uniqueArray(arbitraryRow, { maxLength: 60, selector: (row) => (row.type === 'fill' ? row.id : row) })
  .map((rows) => rows.toSorted(compareRows))

async function read(path: string, reading: TapeReading = {}): Promise<TapeRow[]> {
  const opened = openTape(path, { decisions: true, ...reading })
  if (!opened.ok) throw new Error(opened.error)
  const rows: TapeRow[] = []
  for await (const row of readRows(opened.value)) rows.push(row)
  const unexpected = opened.value.problems().filter(({ skipped }) => skipped !== 0)
  expect(unexpected).toEqual([])
  return rows
}

test('a row that is written as text and read again is the same row', () => {
  fc.assert(
    fc.property(arbitraryRow, (row) => {
      expect(decodeRow(encodeRow(row))).toEqual({ ok: true, value: row })
    }),
    { numRuns: 150 },
  )
})

test('a tape in Parquet holds the rows that were written, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryTape, async (rows) => {
      const path = join(folder, String(++made))
      expect(await writeTape(path, rows)).toMatchObject({ ok: true, value: { rows: rows.length } })
      if (rows.length > 0) expect(await read(path)).toEqual(rows)
      rmSync(path, { recursive: true })
    }),
    { numRuns: 25 },
  )
})

test('canonical text goes through Parquet and comes back byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryTape, async (rows) => {
      fc.pre(rows.length > 0)
      const path = join(folder, String(++made))
      const text = rows.map((row) => `${encodeRow(row)}\n`).join('')
      writeFileSync(`${path}.jsonl`, text)
      await writeTape(path, await read(`${path}.jsonl`))
      const back = await read(path)
      expect(back.map((row) => `${encodeRow(row)}\n`).join('')).toBe(text)
    }),
    { numRuns: 20 },
  )
})

test('a window gives the rows in it and no others', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryTape, fc.nat(), fc.nat(), async (rows, a, b) => {
      fc.pre(rows.length > 1)
      const [from, to] = [rows[a % rows.length]?.t ?? 0, rows[b % rows.length]?.t ?? 0]
      const path = join(folder, String(++made))
      await writeTape(path, rows)
      const expected = rows.filter(({ t }) => t >= from && t < to)
      expect(await read(path, { window: { from, to } })).toEqual(expected)
    }),
    { numRuns: 20 },
  )
})
