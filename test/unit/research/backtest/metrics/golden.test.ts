import { describe, expect, test } from 'vitest'
import { createMetricsRecorder } from '../../../../../src/research/backtest/metrics/create-recorder.ts'
import { HOUR_MS } from '../../../../../src/base/time.ts'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { MONDAY, trailRun, units } from './trail-run.ts'

/**
 * Two days: 1,000,000 NTZS and 400 USDC at S = M = 2500.
 *  6 h  ask 60 bps, 100 USD: dU = +100, dN = -250,000 (1 - 0.0060) = -248,500
 * 12 h  print 2510
 * 18 h  bid 100 bps, 50 USD: dU = -50, dN = +50 * 2510 * 1.01 = +126,755
 * 36 h  print 2490
 * 48 h  end
 */
function twoFills() {
  const run = trailRun()
  run.quote(0, 100, 60)
  run.fill(6, 'ask', 100, 60)
  run.print(12, 2510)
  run.fill(18, 'bid', 50, 100)
  run.print(36, 2490)
  return run.end(48)
}

describe('two fills by hand', () => {
  test('the edge is what both left against the fair value per dollar traded', () => {
    // (-248,500 + 100 * 2500) + (126,755 - 50 * 2510) = 1500 + 1255, over 250,000 + 125,500 TZS.
    const { edgeBps, halfSpreadBps } = twoFills().metrics()
    expect(edgeBps.mean).toBeCloseTo((1e4 * 2755) / 375_500, 10)
    expect(halfSpreadBps.effective).toBe(edgeBps.mean)
    // Posted, by dollars: (60 * 250,000 + 100 * 125,500) / 375,500.
    expect(halfSpreadBps.posted).toBeCloseTo(27_550_000 / 375_500, 10)
  })

  test('its interval counts prints: two clusters, Student with one degree of freedom', () => {
    // v = 2755/375,500. Residuals 1500 - 250,000 v and 1255 - 125,500 v are opposite.
    const ratio = 2755 / 375_500
    const residual = 1500 - 250_000 * ratio
    const se = Math.sqrt((2 / 1) * 2 * residual ** 2) / 375_500
    // t with 1 degree at 95 %: tan(0.45 pi).
    const reach = Math.tan(0.45 * Math.PI) * se
    const [low, high] = twoFills().metrics().edgeBps.ci90 ?? [0, 0]
    expect(low).toBeCloseTo(1e4 * (ratio - reach), 6)
    expect(high).toBeCloseTo(1e4 * (ratio + reach), 6)
  })

  test('markouts are taken at the next print and at the one after it, each fill at its own', () => {
    // Next: -248,500 + 100 * 2510 = 2500 and 126,755 - 50 * 2490 = 2255. One later: -248,500 + 249,000 = 500.
    const { markouts, halfSpreadBps } = twoFills().metrics()
    const [next, later, later2, later5] = markouts
    expect(markouts.map(({ horizon }) => horizon)).toEqual([
      'next print',
      '+1 print',
      '+2 prints',
      '+5 prints',
    ])
    expect(next?.bps).toBeCloseTo((1e4 * 4755) / 375_500, 10)
    expect(next).toMatchObject({ fills: 2, prints: 2 })
    expect(later).toMatchObject({ bps: 20, ci90: null, fills: 1, prints: 1 })
    expect(later2).toEqual({ horizon: '+2 prints', bps: null, ci90: null, fills: 0, prints: 0 })
    expect(later5).toEqual({ horizon: '+5 prints', bps: null, ci90: null, fills: 0, prints: 0 })
    expect(halfSpreadBps.realised).toBe(next?.bps)
    // impact = effective - realised = (2755 - 4755) / 375,500.
    expect(halfSpreadBps.impact).toBeCloseTo((-1e4 * 2000) / 375_500, 10)
  })

  test('the inventory term is opening position, move up to the next print, and drift', () => {
    // Opening: 400 (2490 - 2500). Adverse: 100 (2510 - 2500) - 50 (2490 - 2510). Drift: 100 (2490 - 2510).
    const { inventoryTzs } = twoFills().metrics()
    expect(inventoryTzs).toEqual({ buyAndHold: -4000, adverse: 2000, drift: -2000 })
  })

  test('fills that no print has followed are charged with what the fair value moved so far', () => {
    // Opening 400 * 20; the ask's 100 dollars moved 5 of it after the fill, by a reference, no print.
    const run = trailRun()
    run.reference(1, 2515)
    run.fill(2, 'ask', 100, 60)
    run.reference(3, 2520)
    expect(run.end(24).metrics().inventoryTzs).toEqual({ buyAndHold: 8000, adverse: 500, drift: 0 })
  })

  test('the drawdown is the deepest fall between any two fills or marks, exact in shillings', () => {
    // PnL in TZS: 1500 after the ask; + 500 * 10 = 6500; + 1255 = 7755; - 450 * 20 = -1245. Peak 7755.
    const { maxDrawdown } = twoFills().metrics()
    expect(maxDrawdown.tzs).toBe('9000')
    // Worth in USD: 800; 500 + 751,500/2500 = 800.6 (peak); 500 + 751,500/2510 = 799.4024 (deepest);
    // 450 + 878,255/2510 = 799.9024; 450 + 878,255/2490 = 802.7128.
    const fall = 800.6 - (500 + 751_500 / 2510)
    expect(maxDrawdown.usd).toBeCloseTo(fall, 6)
    expect(maxDrawdown.share).toBeCloseTo(fall / 800.6, 8)
    expect(maxDrawdown.ci90Usd).toBeNull()
  })

  test('inventory is weighted by time', () => {
    // q = U - 0.5 V: 0 for 6 h; 500 - 400.3 = 99.7 for 6 h; 500 - 0.5 * 799.4024 for 6 h;
    // 450 - 0.5 * 799.9024 for 18 h; 450 - 0.5 * 802.7128 for 12 h.
    const q = [
      0,
      500 - 0.5 * (500 + 751_500 / 2500),
      500 - 0.5 * (500 + 751_500 / 2510),
      450 - 0.5 * (450 + 878_255 / 2510),
      450 - 0.5 * (450 + 878_255 / 2490),
    ]
    const hours = [6, 6, 6, 18, 12]
    const mean = q.reduce((sum, value, index) => sum + Math.abs(value) * (hours[index] ?? 0), 0) / 48
    const { inventory } = twoFills().metrics()
    expect(inventory.meanAbs).toBeCloseTo(mean, 8)
    // 12 of 48 h are near 100; 95 % of the time lies below, within a bin of 800/2000.
    expect(inventory.p95).toBeGreaterThan(99.6)
    expect(inventory.p95).toBeLessThan(100.8)
    expect(inventory.timeAtLimit).toBe(0)
  })

  test('daily PnL is the difference of the books, and two days are too few for a Sharpe ratio', () => {
    const trail = twoFills()
    const afterMonday = 450 + 878_255 / 2510 - 800
    const afterTuesday = 450 + 878_255 / 2490 - 800
    const { day, pnlUsd, turnoverUsd, fills } = trail.daily()
    expect(day).toEqual([MONDAY, MONDAY + 24 * HOUR_MS])
    expect(pnlUsd[0]).toBeCloseTo(afterMonday, 10)
    expect(pnlUsd[1]).toBeCloseTo(afterTuesday - afterMonday, 10)
    expect(turnoverUsd).toEqual([150, 0])
    expect(fills).toEqual([2, 0])
    const { sharpe, turnoverUsd: turnover, yieldBps } = trail.metrics()
    expect(sharpe).toMatchObject({ perDay: null, se: null, probabilistic: null, days: 2 })
    // Mean of two values +- half of their difference.
    const half = Math.abs(afterTuesday - 2 * afterMonday) / 2
    expect(sharpe.daily?.mean).toBeCloseTo(afterTuesday / 2, 10)
    expect(sharpe.daily?.se).toBeCloseTo(half, 10)
    expect(turnover).toBe('150')
    expect(yieldBps).toBeCloseTo((1e4 * afterTuesday) / 150, 8)
  })

  test('counts, ages and the kind of fair value are reported', () => {
    const metrics = twoFills().metrics()
    expect(metrics.fillsBySide).toEqual({ bid: 1, ask: 1 })
    expect(metrics.prints).toBe(2)
    expect(metrics.days).toBe(2)
    expect(metrics.fairValue).toBe('mid')
    // Mid new at 0, 12 and 36 h: (12^2 + 24^2 + 12^2) / 2 / 48 = 9 h. Quote set once: 24 h.
    expect(metrics.staleness).toEqual({ midMs: 9 * HOUR_MS, quoteMs: 24 * HOUR_MS })
  })
})

describe('against a fair value that is not the mid', () => {
  test('a rate update values what went before at the fair value after all rows of its moment', () => {
    // Dollars sold at 60 bps; then mid and reference rise by 100 bps in one moment, the mid's row first.
    const run = trailRun()
    run.quote(0, 60, 60)
    run.reference(1, 2510)
    run.reference(2, 2500)
    run.fill(3, 'bid', 100, 60)
    run.print(12, 2525, 2500)
    run.reference(12, 2525)
    const { halfSpreadBps, markouts } = run.end(24).metrics()
    expect(halfSpreadBps.effective).toBeCloseTo(60, 10)
    expect(halfSpreadBps.realised).toBeCloseTo(-40, 10)
    expect(halfSpreadBps.impact).toBeCloseTo(100, 10)
    expect(markouts[0]).toMatchObject({ horizon: 'next print', fills: 1, prints: 1 })
    expect(markouts[0]?.bps).toBeCloseTo(-40, 10)
  })

  test('markouts are measured at the horizons that were asked for', () => {
    const horizons = { afterMs: [2 * 3_600_000, 90 * 60_000], afterUpdates: [3] }
    const run = trailRun({ horizons })
    for (let hour = 1; hour < 24; hour++) run.reference(hour, 2500 + hour)
    run.fill(23, 'ask', 100, 60)
    run.reference(25, 2600)
    const { markouts } = run.end(48).metrics()
    expect(markouts.map(({ horizon }) => horizon)).toEqual(['next print', '+3 prints', '90 min', '2 h'])
    // Bought at 2500 less 60 bps, measured from 2523: after 90 min nothing has moved, after 2 h the row of that moment counts.
    const weight = 100 * 2523
    expect(markouts[2]?.bps).toBeCloseTo((1e4 * (252_300 - 248_500)) / weight, 8)
    expect(markouts[3]?.bps).toBeCloseTo((1e4 * (260_000 - 248_500)) / weight, 8)
  })

  test('the edge is measured from the fair value, and every fill knows its own', () => {
    // Fair 2600 from a reference. Ask 60 bps at S = 2500: -248,500 + 100 * 2600 = 11,500 over 260,000.
    const run = trailRun()
    run.quote(0, 60, 60)
    run.reference(1, 2600)
    run.fill(2, 'ask', 100, 60)
    const { edgeBps, fairValue } = run.end(24).metrics()
    expect(edgeBps.mean).toBeCloseTo((1e4 * 11_500) / 260_000, 10)
    expect(fairValue).toBe('reference')
  })

  test('hours are a horizon where the fair value moves within the day', () => {
    const run = trailRun()
    run.quote(0, 60, 60)
    for (const hour of [1, 5, 9, 13]) run.reference(hour, 2500 + hour)
    // 14 h: M = 2513, ask 60 bps: dN = -248,500, weight 251,300. At 15 h M = 2520, at 18 h 2480.
    run.fill(14, 'ask', 100, 60)
    run.reference(14.5, 2520)
    run.reference(16, 2480)
    const { markouts } = run.end(24).metrics()
    const at = (horizon: string) => markouts.find((markout) => markout.horizon === horizon)
    expect(at('1 h')?.bps).toBeCloseTo((1e4 * (252_000 - 248_500)) / 251_300, 8)
    expect(at('4 h')?.bps).toBeCloseTo((1e4 * (248_000 - 248_500)) / 251_300, 8)
    expect(at('4 h')).toMatchObject({ fills: 1, prints: 1, ci90: null })
  })

  test('a reference once a day is no feed within the day: no hours are claimed', () => {
    const run = trailRun()
    run.quote(0, 60, 60)
    for (let day = 0; day < 5; day++) {
      run.reference(24 * day + 7, 2501 + day)
      run.fill(24 * day + 9, 'ask', 10, 60)
    }
    const horizons = run
      .end(5 * 24)
      .metrics()
      .markouts.map(({ horizon }) => horizon)
    expect(horizons).not.toContain('1 h')
    expect(horizons).not.toContain('4 h')
  })
})

describe('series by hand', () => {
  const run = trailRun({ target: 0.4 })
  run.quote(0, 100, 60)
  run.competition(1, 'bid', 80)
  run.reference(2, 2510)
  run.fill(3, 'ask', 100, 60)
  run.fill(4, 'bid', 50, 100, { synthetic: true })
  run.print(5, 2520, 2530)
  run.quote(6, null, 50)
  const series = run.end(7).series()
  const hour = (hours: number) => MONDAY + hours * HOUR_MS

  test('quotes are S(1+bid) and S(1-ask) beside the mid and the fair value, a hole where off', () => {
    const { t, mid, fair, bid, ask } = series.quotes
    expect([...t]).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map(hour))
    expect([...mid]).toEqual([2500, 2500, 2500, 2500, 2500, 2520, 2520, 2520])
    expect([...fair]).toEqual([2500, 2500, 2510, 2510, 2510, 2530, 2530, 2530])
    expect(bid[0]).toBeCloseTo(2525, 9)
    expect(bid[5]).toBeCloseTo(2520 * 1.01, 9)
    expect(bid[6]).toBeNaN()
    expect(ask[0]).toBeCloseTo(2485, 9)
    expect(ask[6]).toBeCloseTo(2520 * 0.995, 9)
  })

  test('competition is half-spreads, ours and theirs', () => {
    const { ownBid, ownAsk, otherBid, otherAsk } = series.competition
    expect([ownBid[0], ownAsk[0], otherBid[0]]).toEqual([100, 60, Number.NaN])
    expect([ownBid[1], ownAsk[6], otherBid[1]]).toEqual([100, 50, 80])
    expect(otherAsk.every(Number.isNaN)).toBe(true)
  })

  test('fills stand at what was paid for a dollar', () => {
    const { t, price, usd, bid, synthetic, leftOut } = series.fills
    expect([...t]).toEqual([3, 4].map(hour))
    expect(price[0]).toBeCloseTo(2485, 9)
    expect(price[1]).toBeCloseTo(2525, 9)
    expect([...usd]).toEqual([100, 50])
    expect([...bid]).toEqual([0, 1])
    expect([...synthetic]).toEqual([0, 1])
    expect(leftOut).toBe(0)
  })

  test('inventory is the share of dollars at the fair value', () => {
    const { usdShare, target } = series.inventory
    expect(usdShare[0]).toBe(0.5)
    expect(usdShare[2]).toBeCloseTo(400 / (400 + 1_000_000 / 2510), 12)
    // After the ask: 500 dollars, 1,000,000 - 248,500 shillings.
    expect(usdShare[3]).toBeCloseTo(500 / (500 + 751_500 / 2510), 12)
    expect(target).toBe(0.4)
  })

  test('equity and drawdown are taken at fills and marks, attribution at day ends', () => {
    const { equity, drawdown, attribution } = series
    expect([...equity.t]).toEqual([0, 2, 3, 4, 5, 7].map(hour))
    expect(equity.usd[1]).toBeCloseTo(400 + 1_000_000 / 2510, 9)
    expect([...drawdown.t]).toEqual([0, 2, 3, 4, 5, 7].map(hour))
    expect(drawdown.usd[1]).toBeCloseTo(400 - 1_000_000 / 2510, 9)
    expect([...attribution.t]).toEqual([0, 7].map(hour))
    // Posted 1500 + 1250; stale 100 * 10 - 50 * 10; inventory 400 * 10 + 450 * 20.
    const { spreadCapture, staleMid, inventory, costs, unreconciled } = attribution
    const terms = [spreadCapture, staleMid, inventory, costs, unreconciled]
    expect(terms.map((term) => term[0])).toEqual([0, 0, 0, 0, 0])
    expect(terms.map((term) => Math.round(1e6 * term[1]!))).toEqual([2750e6, 500e6, 13_000e6, 0, 0])
  })
})

describe('time', () => {
  test('uptime is the share of time a side was quoted, by run and by day', () => {
    const run = trailRun()
    run.quote(0, 60, 60)
    run.quote(12, 60, null)
    run.quote(36, null, 60)
    const trail = run.end(48)
    expect(trail.metrics().uptime).toEqual({ bid: 0.75, ask: 0.5 })
    const { uptime } = trail.series()
    expect([...uptime.t]).toEqual([MONDAY, MONDAY + 24 * HOUR_MS])
    expect([...uptime.bid]).toEqual([1, 0.5])
    expect([...uptime.ask]).toEqual([0.5, 0.5])
  })

  test('among the best counts only time in which another provider was known', () => {
    const run = trailRun()
    run.quote(0, 60, 60)
    run.competition(12, 'bid', 55)
    run.competition(18, 'bid', 54)
    run.quote(24, null, 60)
    run.quote(30, 40, 60)
    run.competition(36, 'bid', null)
    const { bestShare } = run.end(48).metrics()
    // Known for 24 h: 60 against 55 is within the 5 bps (6 h), against 54 it is not (6 h), off is not
    // (6 h), 40 is better (6 h).
    expect(bestShare).toEqual({ bid: 0.5, ask: null })
  })

  test('what stood before the opening counts from the opening on', () => {
    const trail = createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null })
    expect(trail.metrics).toThrow('has ended')
    trail.quote(MONDAY - HOUR_MS, null, 60)
    trail.competition(MONDAY - HOUR_MS, 'ask', 70)
    const { book } = trailRun()
    const held = { ...zeroAmounts(), NTZS: units(1_000_000), USDC: units(400) }
    trail.open(MONDAY, held, units(2500), units(2500))
    trail.end(MONDAY + 10 * HOUR_MS, book)
    const { bestShare, uptime, staleness } = trail.metrics()
    expect(bestShare).toEqual({ bid: null, ask: 1 })
    expect(uptime).toEqual({ bid: 0, ask: 1 })
    expect(staleness.quoteMs).toBe(5 * HOUR_MS)
  })

  test('nothing that comes after the end is received', () => {
    const run = trailRun()
    run.quote(0, 60, 60)
    const before = JSON.stringify(run.end(24).metrics())
    run.quote(30, null, null)
    run.fill(31, 'ask', 100, 60)
    run.print(32, 2600)
    run.end(48)
    expect(JSON.stringify(run.trail.metrics())).toBe(before)
  })

  test('a run without time and without fills has holes, not NaN', () => {
    const metrics = trailRun().end(0).metrics()
    expect(metrics.edgeBps).toEqual({ mean: null, ci90: null })
    expect(metrics.inventory).toEqual({ meanAbs: null, p95: null, timeAtLimit: 0, halfLife: null })
    expect(metrics.uptime).toEqual({ bid: 0, ask: 0 })
    expect(metrics.staleness).toEqual({ midMs: null, quoteMs: null })
    expect(metrics.yieldBps).toBeNull()
    expect(JSON.stringify(metrics)).not.toContain('NaN')
  })
})
