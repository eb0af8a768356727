import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTradeList } from '../../../../../src/research/backtest/lists/trade-list.ts'
import type { Trade } from '../../../../../src/research/backtest/lists/trade.ts'
import { DEFAULT_HORIZONS } from '../../../../../src/core/models/markouts/horizons.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import type { TapeRow } from '../../../../../src/store/tape/model/row.ts'
import {
  balancesRow,
  bringsShillings,
  bringsUsdc,
  MID,
  quoteRow,
  rateRow,
  referenceRow,
  rivalRow,
  runTape,
  SILENT_TRAIL,
  START,
  type Trial,
} from '../../../../support/backtest-tape.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const HOUR = 3_600_000
const opening = [rateRow(START, MID), balancesRow(START), quoteRow(START, 500, 500)]

async function tradesOf(rows: readonly TapeRow[], trial: Trial = {}) {
  const trades: Trade[] = []
  const { cutShort: _none, ...listener } = createTradeList(
    DEFAULT_HORIZONS,
    (trade) => void trades.push(trade),
  )
  const { outcome } = await runTape(rows, { ...trial, trail: { ...SILENT_TRAIL, ...listener } })
  return { trades, outcome }
}

describe('the list of trades', () => {
  const taker = fc.record({
    gap: fc.integer({ min: 0, max: 3 * HOUR }),
    kind: fc.constantFrom('ask' as const, 'bid' as const, 'rate' as const, 'reference' as const),
    size: fc.integer({ min: 1, max: 900 }),
  })

  test('has every fill once in the order of time, and their edges are the edge of the books to the last unit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(taker, { maxLength: 30 }), async (steps) => {
        let t = START + 60_000
        const rows = steps.map(({ gap, kind, size }, index): TapeRow => {
          t += gap
          if (kind === 'ask') return bringsUsdc(t, `f${index}`, size)
          if (kind === 'bid') return bringsShillings(t, `f${index}`, size * 2_600)
          const moved = MID + BigInt(size - 450) * 10n ** 15n
          return kind === 'rate' ? rateRow(t, moved) : referenceRow(t, moved + 10n ** 18n)
        })
        const ordered = [...rows, rateRow(t + 2 * HOUR, MID)].filter(
          (row, index, all) => index === 0 || row.t > (all[index - 1]?.t ?? 0),
        )
        const { trades, outcome } = await tradesOf([...opening, ...ordered])
        expect(trades).toHaveLength(outcome.fills)
        const edge = trades.reduce((sum, { edgeUsd54 }) => sum + edgeUsd54, 0n)
        expect(edge).toBe(pnl(outcome.book)?.usd.edge)
        expect(trades.map((trade) => trade.t)).toEqual(trades.map((trade) => trade.t).sort((a, b) => a - b))
      }),
      { numRuns: 40 },
    )
  })

  test('what is held before a fill is what was held after the one before it, and dollars move by the fill', async () => {
    const rows = [
      ...opening,
      bringsUsdc(START + 60_000, 'one', 100),
      bringsShillings(START + 120_000, 'two', 257_000),
    ]
    const { trades } = await tradesOf([...rows, rateRow(START + HOUR, MID)])
    const [one, two] = trades
    expect(one?.before.dollars18).toBe(50_000n * 10n ** 18n)
    expect(one?.after.dollars18).toBe(50_100n * 10n ** 18n)
    expect(two?.before).toEqual(one?.after)
    expect(two?.after.dollars18).toBe((two?.before.dollars18 ?? 0n) + (two?.dollars18 ?? 0n))
    expect(one?.after.share).toBeGreaterThan(one?.before.share ?? 1)
  })

  test('names the best other provider on the side of the fill, and null where none is known', async () => {
    const rows = [
      ...opening,
      rivalRow(START + 30_000, 'ask', 80),
      bringsUsdc(START + 60_000, 'one', 100),
      bringsShillings(START + 120_000, 'two', 257_000),
    ]
    const { trades } = await tradesOf([...rows, rateRow(START + HOUR, MID)])
    expect(trades.map(({ side, bestOtherBps }) => [side, bestOtherBps])).toEqual([
      ['ask', 80],
      ['bid', null],
    ])
  })

  test('a fill between a decision and the arrival of its quote has the reasons of the quote that it took', async () => {
    const strategy = testStrategy(({ recentFills }) => {
      const isFirst = recentFills.length === 0
      return { bidBps: 60, askBps: isFirst ? 60 : 900, reasons: [isFirst ? 'the first' : 'the second'] }
    })
    // Seen at the look of 4 s, decided at 4.25 s, at the venue from 4.5 s on.
    const times = [3_000, 4_300, 4_600]
    const rows = times.map((ms) => bringsUsdc(START + ms, `${ms}`, 10))
    const { trades } = await tradesOf([...opening, ...rows, rateRow(START + HOUR, MID)], { strategy })
    expect(trades.map(({ because, bound, bps }) => [because, bound, bps])).toEqual([
      [['the first'], [], 60],
      [['the first'], [], 60],
      [['the second'], [{ kind: 'clamp', name: 'ask-cap' }], 500],
    ])
  })
})
