import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../../src/base/random.ts'
import { deepestFall, wholeDays } from '../../../../../src/research/backtest/metrics/daily.ts'
import { metricWarnings } from '../../../../../src/research/backtest/metrics/measure.ts'
import { sharpeRatio } from '../../../../../src/research/models/sharpe.ts'
import { trailRun } from './trail-run.ts'

/** One ask a day at 6 h; the mid stands still, so a day brings exactly `usd * bps / 10,000` dollars. */
function askADay(spreads: readonly number[], usd = 10) {
  const run = trailRun()
  run.quote(0, 60, 60)
  spreads.forEach((bps, day) => run.fill(24 * day + 6, 'ask', usd, bps))
  return run.end(24 * spreads.length)
}

describe('figures of days', () => {
  const spreads = [20, 80, 40, 120, 60, 30, 90]

  test('the Sharpe ratio is that of the daily dollars, with its error and probability', () => {
    const daily = spreads.map((bps) => (10 * bps) / 1e4)
    const expected = sharpeRatio(daily)
    const { sharpe } = askADay(spreads).metrics()
    expect(sharpe.perDay).toBeCloseTo(expected?.perDay ?? Infinity, 9)
    expect(sharpe.se).toBeCloseTo(expected?.se ?? Infinity, 9)
    expect(sharpe.probabilistic).toBeCloseTo(expected?.probabilistic ?? Infinity, 9)
    expect(sharpe.days).toBe(7)
    expect(sharpe.daily?.mean).toBeCloseTo(0.44 / 7, 9)
  })

  test('days that are all alike have a mean and no ratio', () => {
    const { sharpe } = askADay([50, 50, 50, 50]).metrics()
    expect(sharpe.perDay).toBeNull()
    expect(sharpe.daily?.mean).toBeCloseTo(0.05, 9)
  })

  test('a drawdown has a band from five days on, and days that only gain have none to speak of', () => {
    expect(askADay([20, 30, 40, 50]).metrics().maxDrawdown.ci90Usd).toBeNull()
    expect(askADay(spreads).metrics().maxDrawdown).toMatchObject({ usd: 0, tzs: '0', ci90Usd: [0, 0] })
  })

  test('its band is the same for the same seed, and holds what resampled days fall', () => {
    const run = trailRun({ ntzs: 1_000_000, usdc: 0 })
    for (let day = 0; day < 20; day++) run.print(24 * day + 6, 2500 + (day % 2 === 0 ? 25 : 0))
    const [low, high] = run.end(20 * 24).metrics().maxDrawdown.ci90Usd ?? [-1, -1]
    // A day is 400 - 400 / 1.01 = 3.96 dollars up or down: no resample of such days falls less, or all of it.
    expect(low).toBeGreaterThan(3.9)
    expect(high).toBeGreaterThan(low)
    expect(high).toBeLessThan(20 * 3.97)
    expect(run.trail.metrics().maxDrawdown.ci90Usd).toEqual([low, high])
  })

  test('its band counts the falls within days, as its value does', () => {
    const run = trailRun({ ntzs: 1_000_000, usdc: 0 })
    // Each day the shilling falls by 1 % at 6 h, and returns at 18 h: no day brings anything.
    for (let day = 0; day < 20; day++) {
      run.print(24 * day + 6, 2525)
      run.print(24 * day + 18, 2500)
    }
    const { usd, ci90Usd } = run.end(20 * 24).metrics().maxDrawdown
    expect(usd).toBeCloseTo(400 - 400 / 1.01, 6)
    expect(ci90Usd?.[0]).toBeCloseTo(usd, 6)
    expect(ci90Usd?.[1]).toBeCloseTo(usd, 6)
  })

  test('the days in their order fall exactly as deep as the value', () => {
    const run = trailRun({ ntzs: 1_000_000, usdc: 0 })
    const random = seededRandom(1, 'walk')
    for (let hour = 1; hour < 480; hour += 1 + Math.floor(random() * 9))
      run.print(hour, 2450 + 100 * random())
    run.end(480.5)
    const days = wholeDays(run.trail.days())
    expect(deepestFall(days, [...days.keys()])).toBeCloseTo(run.trail.metrics().maxDrawdown.usd, 6)
  })

  test('the equity has a band then, and it holds the path', () => {
    const { equity } = askADay(spreads).series()
    expect(equity.t.length).toBeGreaterThan(7)
    for (const [index, usd] of equity.usd.entries()) {
      expect(equity.low[index]! <= usd + 1e-9 && usd - 1e-9 <= equity.high[index]!).toBe(true)
    }
  })
})

describe('half-life', () => {
  test('a deviation that halves every day has a half-life of a day', () => {
    const run = trailRun()
    run.fill(0, 'ask', 100, 0)
    let q = 100
    for (let hour = 1; hour <= 240; hour++) {
      const less = Math.round(1e6 * (q - 100 * 2 ** (-hour / 24))) / 1e6
      run.fill(hour - 0.5, 'bid', less, 0)
      q -= less
    }
    expect(run.end(240).metrics().inventory.halfLife).toBeCloseTo(1, 3)
  })

  test('a run of years is looked at in longer steps, and days stay days', () => {
    const run = trailRun()
    run.fill(0, 'ask', 100, 0)
    let q = 100
    for (let day = 1; day <= 400; day++) {
      // Halved every 40 days.
      const less = Math.round(1e6 * (q - 100 * 2 ** (-day / 40))) / 1e6
      run.fill(24 * day - 12, 'bid', less, 0)
      q -= less
    }
    const { halfLife } = run.end(400 * 24).metrics().inventory
    expect(halfLife).toBeGreaterThan(38)
    expect(halfLife).toBeLessThan(42)
  })

  test('less than a day shows none', () => {
    const run = trailRun()
    run.fill(1, 'ask', 100, 0)
    run.fill(2, 'bid', 100, 0)
    expect(run.end(23).metrics().inventory.halfLife).toBeNull()
  })
})

describe('what a reader must know', () => {
  test('nothing traded is reported alone', () => {
    expect(metricWarnings(trailRun().end(24).metrics())).toEqual([
      'nothing was traded: there is no edge to measure',
    ])
  })

  test('a rule that applied for most of the time is named, traded or not', () => {
    const bound = (name: string, share: number) => ({ kind: 'rule' as const, name, share })
    const metrics = { ...trailRun().end(24).metrics(), timeBound: [bound('crossed', 1), bound('loss', 0.3)] }
    expect(metricWarnings(metrics)).toEqual([
      'nothing was traded: there is no edge to measure',
      "the rule crossed applied 100.0 % of the time: what was quoted then is not the strategy's choice alone",
    ])
    expect(metricWarnings({ ...metrics, fillsBySide: { bid: 1, ask: 0 } }).join()).toContain(
      'rule crossed applied',
    )
  })

  test('few prints, few days, no fair value, suppositions and an empty pool are each said', () => {
    const run = trailRun()
    run.quote(0, 60, 60)
    run.fill(1, 'ask', 10, 60)
    run.fill(2, 'ask', 10, 60, { synthetic: true })
    run.trail.rejected(0, 'ask', 'inventory')
    run.trail.rejected(0, 'ask', 'dust')
    const metrics = run.end(24).metrics()
    expect(metrics.rejectedFor).toEqual({ inventory: 1, dust: 1 })
    const warnings = metricWarnings(metrics)
    expect(warnings).toHaveLength(5)
    expect(warnings.join('\n')).toMatch(/own mid[\s\S]*0 times[\s\S]*1 day[\s\S]*50 %[\s\S]*33 %/)
  })

  test('a long run against references with its own fills alone needs no warning', () => {
    const run = trailRun()
    run.quote(0, 60, 60)
    for (let day = 0; day < 70; day++) {
      run.reference(24 * day + 5, 2500 + (day % 7))
      run.fill(24 * day + 6, day % 2 === 0 ? 'ask' : 'bid', 10, 60)
      run.print(24 * day + 7, 2500 + (day % 5))
    }
    expect(metricWarnings(run.end(70 * 24).metrics())).toEqual([])
  })
})
