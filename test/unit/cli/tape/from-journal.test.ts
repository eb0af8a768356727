import { expect, test } from 'vitest'
import { createSortedRuns } from '../../../../src/store/tape/writer/sorted-runs.ts'
import { compareRows } from '../../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { fillRow, rateRow, readAll, scratch, START } from '../../store/tape/tape-fixture.ts'

const EVERY_MS = 7 * 60_000

test('rows given late come out in their place, however far back that is, and none is lost', async () => {
  const folder = scratch()
  const runs = createSortedRuns(folder, 100)
  const rates = Array.from({ length: 1_000 }, (_, i) => rateRow(START + i * EVERY_MS))
  // Fills of the first two days that are reported at the very end, the youngest first.
  const fills = Array.from({ length: 30 }, (_, i) => fillRow(START + (400 - i * 13) * EVERY_MS + 1, `f${i}`))
  const given: TapeRow[] = [...rates, ...fills]
  for (const row of given) runs.add([row])
  expect(runs.end()).toBe(given.length)
  const { rows, problems } = await readAll(folder)
  expect(rows).toEqual(given.toSorted(compareRows))
  expect(problems).toEqual([])
})

test('where nothing was given nothing is written', async () => {
  const folder = scratch()
  const runs = createSortedRuns(folder)
  runs.add([])
  expect(runs.end()).toBe(0)
  await expect(readAll(folder)).rejects.toThrow(/without a recording/)
})
