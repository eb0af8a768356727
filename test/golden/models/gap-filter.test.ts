import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/base/time.ts'
import { conditionGap } from '../../../src/research/models/fair-value/fair-value.ts'
import { estimateGap, addReading, startGapFilter } from '../../../src/core/models/fair-value/gap-filter.ts'
import { addNoise, observe } from '../../../src/core/models/fair-value/joint-estimate.ts'
import { DEFAULT_RATE_MODEL } from '../../../src/core/models/fair-value/rate-model.ts'

describe('the filter of the true rate (market.md section 4.6)', () => {
  it('has 11.6312, 36.993838 and 22.1227 for an update, a board and a feed of one figure', () => {
    const gap = { mean: [0], covariance: [15 ** 2] }
    const pass = (days: number) => addNoise(gap, [0], [24 ** 2 * days])
    pass(1 / 4)
    observe(gap, [[0, 1]], 40, 30 ** 2)
    expect(gap.mean[0]).toBeCloseTo(11.6312, 4)
    expect(gap.covariance[0]).toBeCloseTo(261.7021, 4)
    pass(1 / 4)
    observe(gap, [[0, 1]], 62, 20 ** 2)
    expect(gap.mean[0]).toBeCloseTo(36.993838, 6)
    expect(gap.covariance[0]).toBeCloseTo(201.4154, 4)
    pass(1 / 2)
    expect(Math.sqrt(gap.covariance[0] ?? NaN)).toBeCloseTo(22.1227, 4)
  })

  it('answers what conditioning on two single readings answers where the rate has no drift', () => {
    const model = { ...DEFAULT_RATE_MODEL, sigmaBps: 24, driftSdBpsPerDay: 0 }
    const half = { errorHalfLifeDays: 0.25 }
    const settings = {
      ...model,
      feeds: { board: { errorBps: 30, ...half }, feed: { errorBps: 20, ...half } },
    }
    const tuesday = Date.UTC(2024, 0, 2)
    const at = (days: number) => tuesday + days * DAY_MS
    const filter = startGapFilter(settings, 2_500, at(0.29))
    const { gapBps, errorBps } = estimateGap(filter, settings, at(0.29), 2_500)
    const readings = [
      { t: 0.25, value: 40, sd: 30, name: 'board' },
      { t: 0.5, value: 62, sd: 20, name: 'feed' },
    ]
    for (const { t, value, name } of readings)
      addReading(filter, settings, { name, t: at(0.29 + t), tzsPerUsd: 2_500 * Math.exp(value / 1e4) })
    const found = estimateGap(filter, settings, at(0.94), 2_500)
    const prior = { mean: gapBps, variance: errorBps ** 2 }
    const expected = conditionGap({ sigma: 24, prior, at: 0.65 }, readings)
    expect(found.gapBps).toBeCloseTo(expected.mean, 6)
    expect(found.errorBps).toBeCloseTo(Math.sqrt(expected.variance), 6)
  })
})
