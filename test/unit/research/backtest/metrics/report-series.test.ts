import { describe, expect, test } from 'vitest'
import { createSpreadExposure } from '../../../../../src/research/backtest/metrics/bounded/spread-exposure.ts'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import { exampleRun } from './example-result.ts'
import { restateMark } from '../../../../../src/core/ledger/book/book.ts'
import { MONDAY, trailRun, units } from './trail-run.ts'

const LAW = { bid: { a: 40, k: 1 / 60 }, ask: { a: 40, k: 1 / 60 } }

describe('what a report draws beside the equity', () => {
  test('holding the opening and half in each currency follow the fair value alone', () => {
    // 1,000,000 NTZS and 400 USDC: 800 USD at 2500. At 2000: 400 + 500 and 400 (1 + 2500/2000) are both 900.
    const run = trailRun({ ntzs: 1_000_000, usdc: 400 })
    run.fill(6, 'ask', 100, 60)
    run.print(12, 2000)
    const { holding, half, t } = run.end(48).series().equity
    expect([t[0], holding[0], half[0]]).toEqual([MONDAY, 800, 800])
    expect([holding.at(-1), half.at(-1)]).toEqual([900, 900])
  })

  test('the equity and both passive positions begin at the opening however long the run is', () => {
    const run = trailRun({ ntzs: 1_000_000, usdc: 400 })
    for (let hour = 1; hour <= 9_000; hour++) run.print(hour, 2500 + hour / 9)
    const { t, usd, holding, half } = run.end(9_001).series().equity
    expect([t[0], usd[0], holding[0], half[0]]).toEqual([MONDAY, 800, 800, 800])
    expect(holding.at(-1)).toBeCloseTo(usd.at(-1) ?? 0, 9)
  })

  test('an opening wholly in dollars gains nothing by holding, and half of it in shillings does', () => {
    const run = trailRun({ ntzs: 0, usdc: 400 })
    run.print(12, 2000)
    const { holding, half } = run.end(24).series().equity
    expect([holding.at(-1), half.at(-1)]).toEqual([400, 450])
  })

  test("a day's PnL less holding is what trading and its inventory brought that day", () => {
    const run = trailRun()
    run.fill(6, 'ask', 100, 60)
    run.print(12, 2000)
    run.print(36, 2500)
    const { pnlUsd, lessHoldingUsd, fills } = run.end(48).series().days
    // The fill leaves 751,500 NTZS and 500 USDC: 800.6 at 2500 and 875.75 at 2000, where holding has 900.
    expect(pnlUsd[0]).toBeCloseTo(75.75, 9)
    expect(lessHoldingUsd[0]).toBeCloseTo(-24.25, 9)
    expect(pnlUsd[1]).toBeCloseTo(800.6 - 875.75, 9)
    expect(lessHoldingUsd[1]).toBeCloseTo(0.6 + 24.25, 9)
    expect([...fills]).toEqual([1, 0])
  })

  test('the dollar terms end in the PnL of the run, and so does the sum of the days', () => {
    const run = exampleRun()
    const { attributionUsd, days } = run.trail.series()
    const { edge, inventory, costs, unreconciled } = attributionUsd
    const ends = [edge, inventory, costs, unreconciled].reduce((sum, term) => sum + (term.at(-1) ?? 0), 0)
    expect(ends).toBeCloseTo(
      days.pnlUsd.reduce((sum, value) => sum + value, 0),
      9,
    )
    expect(edge.at(-1)).not.toBe(0)
  })

  test('a fill has its edge against the fair value of its moment', () => {
    const run = trailRun()
    run.fill(6, 'ask', 100, 60)
    run.reference(7, 2525)
    run.fill(8, 'bid', 100, 60)
    const { edgeBps } = run.end(24).series().fills
    expect(edgeBps[0]).toBeCloseTo(60, 9)
    // Sold at 2515 what is worth 2525: 10 TZS under it.
    expect(edgeBps[1]).toBeCloseTo((-1e4 * 10) / 2525, 9)
  })
})

describe('the first reference, which takes over from the mid', () => {
  /** Six hours at S = 2500, then a reference of 2000, and 2500 again a day later. */
  function restatedRun() {
    const run = trailRun()
    const fair = units(2000)
    run.print(3, 2520)
    run.trail.restate(MONDAY + 6 * HOUR_MS, units(2520), fair)
    restateMark(run.book, fair)
    run.reference(30, 2500)
    return run.end(48).series()
  }

  test('is no step of the equity: all of it is drawn by the measure that the run ended with', () => {
    const { t, usd } = restatedRun().equity
    const at = (hours: number) => usd[t.indexOf(MONDAY + hours * HOUR_MS)]
    // 400 + 1,000,000 / 2000 from then on, and before it what the mid moved: 1,000,000 (1/2520 - 1/2500).
    expect(at(6)).toBeCloseTo(900, 9)
    expect(at(3)).toBeCloseTo(900, 9)
    expect(at(0)).toBeCloseTo(900 + 1_000_000 * (1 / 2500 - 1 / 2520), 9)
    expect(usd.at(-1)).toBeCloseTo(800, 9)
  })

  test('is no step of the benchmarks either, and holding equals the equity where nothing was traded', () => {
    const { usd, holding, half, t } = restatedRun().equity
    usd.forEach((value, i) => expect(holding[i]).toBeCloseTo(value, 9))
    expect(half[t.indexOf(MONDAY + 6 * HOUR_MS)]).toBeCloseTo(half[t.indexOf(MONDAY + 3 * HOUR_MS)] ?? 0, 9)
  })
})

describe('half-spreads and the fills that came at them', () => {
  test('count the days of both sides in reach of takers, by the spread that stood', () => {
    const run = trailRun({ law: LAW })
    run.quote(0, 60, 80)
    run.routed(0, 'bid', 1)
    run.routed(0, 'ask', 0.5)
    run.fill(6, 'bid', 10, 60)
    run.quote(12, 60, null)
    run.fill(13, 'bid', 10, 60)
    const { bps, days, fills } = run.end(36).series().spreads
    expect([...bps]).toEqual([60, 80])
    expect(days[0]).toBeCloseTo(1.5, 12)
    expect(days[1]).toBeCloseTo(0.25, 12)
    expect([...fills]).toEqual([2, 0])
  })

  test('stand in reach of no one on a side that cannot pay the median taker', () => {
    const run = trailRun({ law: LAW, usdc: 50 })
    run.quote(0, 60, 60)
    run.routed(0, 'bid', 1)
    run.fill(12, 'bid', 45, 60)
    const { days } = run.end(36).series().spreads
    // Half a day until the fill; then five dollars are left, and takers want forty-five.
    expect(days[0]).toBeCloseTo(0.5, 12)
  })

  test('are not counted where there is no law to hold them against', () => {
    const run = trailRun()
    run.quote(0, 60, 80)
    run.routed(0, 'bid', 1)
    expect(run.end(36).series().spreads.bps).toHaveLength(0)
  })

  test('what was set before the opening counts from the opening', () => {
    const exposure = createSpreadExposure()
    exposure.stood(MONDAY + 12 * HOUR_MS, MONDAY, [60, 1, Number.NaN, 1])
    exposure.stood(MONDAY + DAY_MS, MONDAY, [70, 1, Number.NaN, 1])
    expect([...exposure.counts().days]).toEqual([0.5, 0.5])
  })
})
