import { expect, test } from 'vitest'
import { rememberTape } from '../../../../src/store/tape/folder/open-tape.ts'
import type { TapeBatch, TapeSource } from '../../../../src/store/tape/model/batch.ts'
import { balancesRow, MID, rateRow, sourceOf, START } from '../../../support/backtest-tape.ts'

const ROWS = [balancesRow(START), ...[1, 2, 3, 4].map((i) => rateRow(START + i, MID))]

/** Three batches of 2, 2 and 1 rows, and how often they were decoded. */
function counted(): { readonly source: TapeSource; readonly readings: () => number } {
  const tape = sourceOf(ROWS, [2, 4])
  let readings = 0
  return {
    source: {
      problems: () => [],
      batches() {
        readings += 1
        return tape.batches()
      },
    },
    readings: () => readings,
  }
}

async function read(source: TapeSource, upTo = Infinity): Promise<readonly TapeBatch[]> {
  const batches: TapeBatch[] = []
  for await (const batch of source.batches()) {
    batches.push(batch)
    if (batches.length >= upTo) break
  }
  return batches
}

test('a tape that fits in memory is read once', async () => {
  const { source, readings } = counted()
  const remembered = rememberTape(source, 5)
  const first = await read(remembered)
  expect(first.map(({ rows }) => rows)).toEqual([2, 2, 1])
  expect(await read(remembered)).toEqual(first)
  expect(readings()).toBe(1)
})

test('a longer tape is read anew each time', async () => {
  const { source, readings } = counted()
  const remembered = rememberTape(source, 4)
  expect(await read(remembered)).toEqual(await read(remembered))
  expect(readings()).toBe(2)
})

test('a reading that was given up half way is not taken for the whole', async () => {
  const { source, readings } = counted()
  const remembered = rememberTape(source, 5)
  await read(remembered, 1)
  expect((await read(remembered)).length).toBe(3)
  expect(readings()).toBe(2)
})
