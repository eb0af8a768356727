import { expect, test } from 'vitest'
import { createMetricsRecorder } from '../../../../../src/research/backtest/metrics/create-recorder.ts'
import { DAY_MS } from '../../../../../src/base/time.ts'
import { zeroAmounts } from '../../../../../src/base/money/asset.ts'
import { MONDAY, trailRun, units } from './trail-run.ts'

const FILLS = 100_000

test('a hundred thousand fills with a quote, a rival and a mark each leave bounded series and a row a day', () => {
  const trail = createMetricsRecorder({ seed: 1, target: 0.5, toleranceBps: 5, law: null })
  const { fill: hearFill } = trail
  const mids = [units(2500), units(2501)] as const
  const { book } = trailRun()
  trail.open(MONDAY, { ...zeroAmounts(), NTZS: units(1e8), USDC: units(40_000) }, mids[0], mids[0])
  const step = (100 * DAY_MS) / FILLS
  const dollars18 = units(100)
  let day = MONDAY + DAY_MS
  for (let i = 0; i < FILLS; i++) {
    const t = MONDAY + i * step
    if (t >= day) {
      trail.day(day, book)
      day += DAY_MS
    }
    const isBid = i % 2 === 0
    const mid = mids[i % 3 === 0 ? 1 : 0]
    trail.quote(t, 40 + (i % 20), 60)
    trail.competition(t, isBid ? 'bid' : 'ask', 50 + (i % 7))
    trail.mark(t, mid, mid, i % 1000 === 0)
    hearFill({
      t,
      id: 'f',
      side: isBid ? 'bid' : 'ask',
      stable: 'USDC',
      dollars18: isBid ? -dollars18 : dollars18,
      shillings: isBid ? units(251_500) : -units(248_500),
      edgeUsd54: 60n * 10n ** 52n,
      mid,
      fair: mid,
      bps: 60,
      synthetic: i % 10 === 0,
    })
  }
  trail.end(MONDAY + 100 * DAY_MS, book)

  const { equity, drawdown, quotes, fills, competition, inventory, attribution, uptime } = trail.series()
  for (const { t } of [equity, drawdown, quotes, competition, inventory]) {
    expect(t.length).toBeLessThanOrEqual(4_097)
    // Thinned, not cut: they reach from the opening to the end, and are still dense.
    expect(t.length).toBeGreaterThan(1_000)
    expect(t[0]).toBeLessThan(MONDAY + DAY_MS)
    expect(t.at(-1)).toBe(MONDAY + 100 * DAY_MS)
  }
  expect(fills.t.length).toBeLessThanOrEqual(20_000)
  expect(fills.t.length).toBeGreaterThan(10_000)
  expect(fills.t.length + fills.leftOut).toBe(FILLS)
  expect(attribution.t.length).toBe(101)
  expect(uptime.t.length).toBe(100)
  const { fillsBySide, turnoverUsd, prints, syntheticFills } = trail.metrics()
  expect(fillsBySide).toEqual({ bid: FILLS / 2, ask: FILLS / 2 })
  expect(turnoverUsd).toBe(String(100 * FILLS))
  expect(prints).toBe(FILLS / 1_000)
  expect(syntheticFills).toBe(FILLS / 10)
})
