import { describe, expect, test } from 'vitest'
import { createFillModel } from '../../../src/backtest/fill-models/create-fill-model.ts'
import { intensityOf } from '../../../src/backtest/fill-models/drawn-takers.ts'
import { createMetricsRecorder } from '../../../src/backtest/metrics/create-recorder.ts'
import { DAY_MS, HOUR_MS } from '../../../src/base/time.ts'
import {
  balancesRow,
  calibrationOf,
  MID,
  quoteRow,
  rateRow,
  rivalRow,
  runTape,
  START,
} from '../../support/backtest-tape.ts'
import { worldStrategy } from '../../support/world-strategies.ts'
import { trailRun } from './trail-run.ts'

/** 48 and 24 takers a day at no spread; a half and a quarter of them are left at these spreads. */
const LAW = { bid: { a: 48, k: Math.LN2 / 40 }, ask: { a: 24, k: Math.LN2 / 30 } }

describe('observed over expected fills', () => {
  test('are the law at what stood, by its share of the takers, over the time it stood', () => {
    const run = trailRun({ law: LAW })
    run.quote(0, 40, 60)
    run.routed(0, 'bid', 1)
    run.routed(0, 'ask', 1)
    run.routed(12, 'ask', 0.5)
    run.fill(13, 'bid', 100, 40)
    run.quote(24, 80, null)
    run.routed(24, 'ask', 0)
    run.routed(36, 'bid', 0)
    const { observedToExpected } = run.end(48).metrics()
    // Bid: 48 / 2 for a day, then 48 / 4 for half a day. Ask: 24 / 4 for half a day, and half of that.
    expect(observedToExpected?.expected).toBeCloseTo(24 + 6 + 3 + 1.5, 9)
    expect(observedToExpected?.observed).toBe(1)
    expect(observedToExpected?.ratio).toBeCloseTo(1 / 34.5, 9)
    // Garwood for one: 0.0513 to 4.744.
    expect((observedToExpected?.ci90?.[0] ?? 0) * 34.5).toBeCloseTo(0.0513, 3)
    expect((observedToExpected?.ci90?.[1] ?? 0) * 34.5).toBeCloseTo(4.744, 3)
  })

  test('are null without a law, and have no ratio where nobody was expected', () => {
    expect(trailRun().end(24).metrics().observedToExpected).toBeNull()
    const off = trailRun({ law: LAW })
    off.quote(0, null, null)
    expect(off.end(24).metrics().observedToExpected).toEqual({
      observed: 0,
      expected: 0,
      ratio: null,
      ci90: null,
    })
  })

  const DAYS = 4
  const rivals: [string, (hour: number) => number | null][] = [
    ['nobody else', () => null],
    ['the best of the others, within the tolerance', () => 58],
    ['whoever is picked, hour by hour', (hour) => (hour % 2 === 0 ? 58 : 60)],
    ['somebody better half of the time', (hour) => (hour % 24 < 12 ? 40 : null)],
  ]
  test.each(rivals)(
    'the interval has one in it nine times of ten, where takers come by that very law and a tape shows %s',
    async (_what, shown) => {
      const calibration = calibrationOf(60, 1 / 60, [20])
      const rows = [
        rateRow(START, MID),
        balancesRow(START, { NTZS: 10n ** 28n, USDC: 10n ** 13n }),
        quoteRow(START, 60, 60),
        ...Array.from({ length: 24 * DAYS }, (_, hour) => {
          const t = START + (hour + 1) * HOUR_MS
          return [
            rateRow(t, MID, { rateUpdatedAt: t }),
            rivalRow(t, 'bid', shown(hour)),
            rivalRow(t, 'ask', shown(hour)),
          ]
        }).flat(),
        rateRow(START + (DAYS + 0.1) * DAY_MS, MID),
      ]
      const strategy = worldStrategy({ use: 'fixed-spread', params: { bidBps: 60, askBps: 60 } })
      let [inside, runs, sum] = [0, 60, 0]
      for (let seed = 1; seed <= runs; seed += 1) {
        const fills = createFillModel({ name: 'simulated', seed, calibration, draws: false })
        const law = intensityOf(calibration)
        const trail = createMetricsRecorder({ seed, target: 0.5, toleranceBps: 5, law })
        await runTape(rows, { strategy, fills, trail })
        const { ratio, ci90 } = trail.metrics().observedToExpected ?? {}
        if (ci90 !== null && ci90 !== undefined && ci90[0] <= 1 && 1 <= ci90[1]) inside += 1
        sum += ratio ?? Number.NaN
      }
      // 54 of 60 wanted: under 47 in one run of a thousand. Seeds are fixed.
      expect(inside).toBeGreaterThanOrEqual(47)
      expect(sum / runs).toBeGreaterThan(0.95)
      expect(sum / runs).toBeLessThan(1.05)
    },
    30_000,
  )
})
