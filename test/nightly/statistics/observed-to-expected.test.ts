import { describe, expect, test } from 'vitest'
import { createFillModel } from '../../../src/research/backtest/fill-models/create-fill-model.ts'
import { intensityOf } from '../../../src/research/backtest/fill-models/drawn-takers.ts'
import { createMetricsRecorder } from '../../../src/research/backtest/metrics/create-recorder.ts'
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

describe('observed over expected fills', () => {
  const DAYS = 4
  const rivals: [string, (hour: number) => number | null][] = [
    ['no one else', () => null],
    ['the best of the others, within the tolerance', () => 58],
    ['whoever is picked, hour by hour', (hour) => (hour % 2 === 0 ? 58 : 60)],
    ['someone better half of the time', (hour) => (hour % 24 < 12 ? 40 : null)],
  ]
  test.each(rivals)(
    'the interval has one in it nine times of ten, where takers come by that very law and a tape shows %s',
    async (_what, shown) => {
      const calibration = calibrationOf(60, 1 / 60, [20])
      const rows = [
        rateRow(START, MID),
        balancesRow(START, { NTZS: 10n ** 28n, USDC: 10n ** 25n }),
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
