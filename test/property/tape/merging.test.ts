import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { compareRows } from '../../../src/store/tape/model/encode-row.ts'
import { openTape } from '../../../src/store/tape/folder/open-tape.ts'
import { rowsOfBatch } from '../../../src/store/tape/model/batch.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { writeTape } from '../../../src/store/tape/writer/write-tape.ts'
import { arbitraryRow } from './arbitrary-row.ts'

let folder: string
let made = 0
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'mizani-tape-merging-'))))

/** Rows, and which of three recordings each is from. */
const arbitraryParts = fc.uniqueArray(fc.tuple(arbitraryRow, fc.nat(2)), {
  maxLength: 60,
  minLength: 1,
  selector: ([row]) => (row.type === 'fill' ? row.id : row),
})

/** One folder with the files of several recordings, which overlap in time. */
async function layTogether(parts: readonly (readonly TapeRow[])[]): Promise<string> {
  const path = join(folder, String(++made))
  for (const [i, rows] of parts.entries()) {
    const part = `${path}-${i}`
    await writeTape(part, rows.toSorted(compareRows))
    for (const day of readdirSync(part)) {
      mkdirSync(join(path, day), { recursive: true })
      for (const name of readdirSync(join(part, day))) {
        copyFileSync(join(part, day, name), join(path, day, name.replace('-1.', `-${i + 1}.`)))
      }
    }
    rmSync(part, { recursive: true })
  }
  return path
}

test('files that overlap in time are read as one tape: every row, in order, in batches that do not overlap', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryParts, async (tagged) => {
      const parts = [0, 1, 2].map((part) => tagged.filter(([, of]) => of === part).map(([row]) => row))
      const path = await layTogether(parts)
      const opened = openTape(path, { decisions: true })
      if (!opened.ok) throw new Error(opened.error)
      const rows: TapeRow[] = []
      let last = Number.NEGATIVE_INFINITY
      for await (const batch of opened.value.batches()) {
        const own = [...rowsOfBatch(batch)]
        expect(batch.rows).toBe(own.length)
        expect(own[0]?.t).toBeGreaterThan(last)
        last = own.at(-1)?.t ?? last
        rows.push(...own)
      }
      expect(rows).toEqual(tagged.map(([row]) => row).toSorted(compareRows))
      expect(opened.value.problems().filter(({ skipped }) => skipped !== 0)).toEqual([])
      rmSync(path, { recursive: true })
    }),
    { numRuns: 20 },
  )
})
