import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { inverseRate } from '../../../../../src/core/ledger/book/value.ts'
import { formatDecimalText } from '../../../../../src/base/money/decimal-text.ts'
import { deflatedSharpe, sharpeRatio } from '../../../../../src/research/models/sharpe.ts'
import { trailRun, units } from './trail-run.ts'

const rate = fc.integer({ min: 20_000, max: 30_000 }).map((tenths) => tenths / 10)

describe('the PnL less holding', () => {
  test('is zero to the last unit on every day without fills, and so is the Sharpe ratio, however the mid moves', () => {
    fc.assert(
      fc.property(fc.array(rate, { minLength: 1, maxLength: 40 }), (mids) => {
        const run = trailRun()
        mids.forEach((mid, index) => run.print(9 * (index + 1), mid))
        const trail = run.end(9 * (mids.length + 1))
        const { sharpe, pnlLessHoldingUsd, perDay } = trail.metrics()
        expect(pnlLessHoldingUsd).toBe('0')
        expect(perDay.lessHoldingUsd).toBe(0)
        expect(sharpe).toMatchObject({ perDay: 0, se: null, probabilistic: null, deflated: null })
        expect(trail.days().every(({ lessHoldingUsd }) => lessHoldingUsd === 0)).toBe(true)
      }),
    )
  })

  test('is the PnL of the books less what the opening shillings gained at the fair value of the end', () => {
    const run = trailRun()
    run.fill(1, 'ask', 100, 60)
    run.print(2, 2510)
    run.fill(30, 'bid', 50, 40)
    run.print(40, 2480)
    const { pnlLessHoldingUsd, perDay } = run.end(48).metrics()
    const holding = units(1_000_000) * (inverseRate(units(2480)) - inverseRate(units(2500)))
    const total = pnl(run.book)?.usd.total ?? 0n
    expect(pnlLessHoldingUsd).toBe(formatDecimalText(total - holding, 54))
    expect(perDay.pnlUsd).toBeCloseTo(Number(total) / 1e54 / 2, 12)
    expect(perDay.lessHoldingUsd).toBeCloseTo(Number(total - holding) / 1e54 / 2, 12)
  })

  test('a mid that moves every day does not enter the Sharpe ratio of a pool that was worth the same in dollars', () => {
    const run = trailRun()
    const still = trailRun({ ntzs: 0, usdc: 1_000_000 })
    for (let day = 0; day < 6; day++) run.print(24 * day + 12, 2500 + 20 * (day % 2))
    for (let day = 0; day < 6; day++) still.fill(24 * day + 6, 'bid', 10 + day, 60)
    const { sharpe } = still.end(144).metrics()
    const daily = [10, 11, 12, 13, 14, 15].map((usd) => (usd * 60) / 1e4)
    expect(sharpe.perDay).toBeCloseTo(sharpeRatio(daily)?.perDay ?? Number.NaN, 6)
    expect(run.end(144).metrics().sharpe.perDay).toBe(0)
  })

  test('more variants tried deflate the Sharpe ratio, and one variant leaves it the probability above zero', () => {
    const sharpeFor = (variantsTried: number) => {
      const run = trailRun({ variantsTried })
      const spreads = [20, 80, 40, 120, 60, 30, 90]
      spreads.forEach((bps, day) => run.fill(24 * day + 6, 'ask', 10, bps))
      return run.end(24 * spreads.length).metrics().sharpe
    }
    const alone = sharpeFor(1)
    const many = sharpeFor(100)
    const sample = sharpeRatio([20, 80, 40, 120, 60, 30, 90].map((bps) => bps / 1e3))
    expect(alone.deflated).toBe(alone.probabilistic)
    expect(many.perDay).toBe(alone.perDay)
    expect(many.deflated).toBeLessThan(alone.deflated ?? 0)
    const trials = { count: 100, varianceOfSharpe: 1 / 6 }
    expect(many.deflated).toBeCloseTo(sample === null ? Number.NaN : deflatedSharpe(sample, trials), 9)
  })
})

describe('the cost of capital', () => {
  test('is interest on what was held of each currency, at the last fair value, and leaves all other figures alone', () => {
    const play = (capitalCost?: { ntzsPerYear: number; usdPerYear: number }) => {
      const run = trailRun(capitalCost === undefined ? {} : { capitalCost })
      run.fill(24 * 73, 'ask', 100, 0)
      run.print(24 * 146, 2000)
      return run.end(24 * 365).metrics()
    }
    const { capitalCost, ...rest } = play({ ntzsPerYear: 0.1, usdPerYear: 0.05 })
    // 73 of 365 days 1,000,000 NTZS and 400 USDC, then 750,000 NTZS and 500 USDC.
    const [tzs, usd] = [0.1 * 800_000, 0.05 * 480]
    expect(capitalCost?.tzs).toBeCloseTo(tzs + usd * 2000, 5)
    expect(capitalCost?.usd).toBeCloseTo(usd + tzs / 2000, 5)
    expect(play()).toEqual(rest)
  })
})
