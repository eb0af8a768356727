import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutRepetitions } from '../../../src/research/backtest/simulation/repetitions.ts'
import type { TapeBatch } from '../../../src/store/tape/model/batch.ts'
import { compareRows } from '../../../src/store/tape/model/encode-row.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import { sourceOf } from '../../support/backtest-tape.ts'
import { WATCHERS } from '../../support/backtest-strategies.ts'
import { happenings, tapeOf } from './any-tape.ts'
import { runCore } from './run-core.ts'

/** Shows the frequent kinds again, at times at which other rows may come too. */
function withRepetitions(rows: readonly TapeRow[], everyMs: readonly number[]): TapeRow[] {
  const shown: TapeRow[] = []
  for (const row of rows) {
    shown.push(row)
    if (row.type !== 'rate' && row.type !== 'competition' && row.type !== 'balances') continue
    const until = rows.find(({ t, type }) => t > row.t && type === row.type)?.t ?? row.t + 600_000
    let t = row.t
    for (const afterMs of everyMs) {
      t += afterMs
      if (t < until) shown.push({ ...row, t })
    }
  }
  return shown.sort(compareRows)
}

const cases = fc.record({
  list: happenings(200_000),
  everyMs: fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 6 }),
  cuts: fc.array(fc.nat(), { maxLength: 2 }),
})

test.each(Object.keys(WATCHERS))(
  'a tape without its repetitions gives the same backtest: %s',
  async (name) => {
    const strategyOf = WATCHERS[name]!
    await fc.assert(
      fc.asyncProperty(cases, async ({ list, everyMs, cuts }) => {
        const tape = withRepetitions(tapeOf(list), everyMs)
        const at = cuts.map((cut) => cut % tape.length).sort((a, b) => a - b)
        const run = (change?: typeof withoutRepetitions) =>
          runCore(tape, { strategy: strategyOf() }, true, at, change)
        expect(await run(withoutRepetitions)).toEqual(await run())
      }),
      { numRuns: 15 },
    )
  },
)

test('a tape without its repetitions counts its rows, has fewer, and ends at the same time', async () => {
  const rows = withRepetitions(tapeOf([]), [1_000, 1_000, 1_000, 1_000])
  const batches: TapeBatch[] = []
  for await (const batch of withoutRepetitions(sourceOf(rows)).batches()) batches.push(batch)
  const [{ rows: counted, rates, balances }] = batches as [TapeBatch]
  expect({ counted, rates: [...rates.t], balances: balances.map(({ t }) => t) }).toEqual({
    counted: rows.length,
    rates: [rates.t[0], rates.t[0]! + 4_000],
    balances: [rates.t[0], rates.t[0]! + 4_000],
  })
})
