import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SplitFigures } from '../../../../../src/research/backtest/result.ts'
import { SIZES_FROM_USD } from '../../../../../src/research/backtest/metrics/split.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { parseDecimalText } from '../../../../../src/base/money/decimal-text.ts'
import { trailRun } from './trail-run.ts'

function exact(text: string, decimals: number): bigint {
  const parsed = parseDecimalText(text, decimals)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

function totals(parts: readonly SplitFigures[]) {
  return {
    fills: parts.reduce((sum, { fills }) => sum + fills, 0),
    edge: parts.reduce((sum, { edgeUsd }) => sum + exact(edgeUsd, 54), 0n),
    turnover: parts.reduce((sum, { turnoverUsd }) => sum + exact(turnoverUsd, 18), 0n),
  }
}

describe('the edge by side, pair, hour and size', () => {
  const fill = fc.record({
    gap: fc.double({ min: 0, max: 20, noNaN: true }),
    side: fc.constantFrom('bid' as const, 'ask' as const),
    usd: fc.integer({ min: 1, max: 6_000_000_000 }).map((micros) => micros / 1e6),
    bps: fc.integer({ min: 10, max: 500 }),
    mid: fc.integer({ min: 20_000, max: 30_000 }).map((tenths) => tenths / 10),
    fair: fc.integer({ min: 20_000, max: 30_000 }).map((tenths) => tenths / 10),
  })

  test('the parts of every split add up to the edge of the books and to the turnover, to the last unit', () => {
    fc.assert(
      fc.property(fc.array(fill, { maxLength: 30 }), (fills) => {
        const run = trailRun()
        let hours = 0
        for (const { gap, side, usd, bps, mid, fair } of fills) {
          hours += gap
          run.print(hours, mid, fair)
          run.fill(hours, side, usd, bps)
        }
        const metrics = run.end(hours + 1).metrics()
        const { bySide, byPair, byHour, bySize } = metrics
        const whole = {
          fills: fills.length,
          edge: pnl(run.book)?.usd.edge,
          turnover: exact(metrics.turnoverUsd, 18),
        }
        for (const parts of [[bySide.bid, bySide.ask], byPair, byHour, bySize]) {
          expect(totals(parts)).toEqual(whole)
        }
        expect(bySide.bid.fills).toBe(metrics.fillsBySide.bid)
      }),
    )
  })

  test('each side has the edge in bps that the run would have if only that side had traded', () => {
    const run = trailRun()
    run.fill(1, 'bid', 100, 85)
    run.fill(2, 'ask', 300, 30)
    const { bySide, edgeBps } = run.end(24).metrics()
    expect(bySide.bid).toMatchObject({ fills: 1, turnoverUsd: '100' })
    expect(bySide.bid.edgeBps).toBeCloseTo(85, 10)
    expect(bySide.ask.edgeBps).toBeCloseTo(30, 10)
    expect(Number(bySide.ask.edgeUsd)).toBeCloseTo(0.9, 12)
    expect(edgeBps.mean).toBeCloseTo((85 + 3 * 30) / 4, 10)
  })

  test('a side that was not traded has no edge in bps, which is not an edge of zero', () => {
    const run = trailRun()
    run.fill(1, 'bid', 100, 85)
    const { bySide, byPair } = run.end(24).metrics()
    expect(bySide.ask).toEqual({ fills: 0, edgeBps: null, edgeUsd: '0', turnoverUsd: '0' })
    expect(byPair.map(({ pair }) => pair)).toEqual(['USDC'])
  })

  test('the hour is that of the fill in UTC, and the next day has the same hours', () => {
    const run = trailRun()
    for (const hours of [0, 3.999, 4, 23.5, 28]) run.fill(hours, 'ask', 10, 60)
    const { byHour } = run.end(48).metrics()
    expect(byHour).toHaveLength(24)
    expect(byHour.filter(({ fills }) => fills > 0).map(({ hour, fills }) => [hour, fills])).toEqual([
      [0, 1],
      [3, 1],
      [4, 2],
      [23, 1],
    ])
  })

  test('a fill of exactly the size where a class begins belongs to that class', () => {
    const run = trailRun({ ntzs: 100_000_000 })
    for (const usd of SIZES_FROM_USD) if (usd > 0) run.fill(1, 'ask', usd, 60)
    run.fill(2, 'ask', 49.999999, 60)
    const { bySize } = run.end(24).metrics()
    expect(bySize.map(({ fromUsd, belowUsd, fills }) => [fromUsd, belowUsd, fills])).toEqual([
      [0, 50, 1],
      [50, 200, 1],
      [200, 1000, 1],
      [1000, 5000, 1],
      [5000, null, 1],
    ])
  })
})
