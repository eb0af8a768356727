import { expect, test, vi } from 'vitest'
import { DAY_MS } from '../../../src/base/time.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { writeTape } from '../../../src/store/tape/writer/write-tape.ts'
import { rateRow, readAll, scratch, START } from '../../unit/store/tape/tape-fixture.ts'

vi.mock('../../../src/store/tape/parquet/columns/read-columns.ts', async (original) => ({
  ...(await original<object>()),
  readColumns: () => {
    throw new Error('the general decoder was asked')
  },
}))

/** A day of every kind that there are many of, with what is absent in some rows and in all of them. */
function* rowsOfADay(start: number, seen: boolean): Generator<TapeRow> {
  for (let i = 0; i < 300; i++) {
    const t = start + i * 60_000
    const mid = 2_500n * 10n ** 18n + BigInt(i % 7) * 10n ** 14n
    yield rateRow(t, { mid, rateUpdatedAt: i % 3 === 0 ? null : t, quotable: i % 5 === 0 ? null : true })
    yield {
      type: 'competition',
      t,
      from: 'USDC',
      to: 'NTZS',
      amount: 100n * 10n ** 18n,
      bidBps: null,
      askBps: 60 + (i % 4),
      ...(seen && i % 3 > 0 ? { own: i % 3 === 1 } : {}),
    }
  }
}

test('rates and competition of our own files are read without the general decoder', async () => {
  const rows = [...rowsOfADay(START, true), ...rowsOfADay(START + DAY_MS, false)]
  const folder = `${scratch()}/tape`
  expect(await writeTape(folder, rows)).toMatchObject({ ok: true })
  const read = await readAll(folder)
  expect(read.problems.filter(({ skipped }) => skipped !== 0)).toEqual([])
  expect(read.rows).toEqual(rows)
})
