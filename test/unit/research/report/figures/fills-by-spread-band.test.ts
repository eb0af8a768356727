import { describe, expect, test } from 'vitest'
import { fitIntensity } from '../../../../../src/research/models/fit-intensity.ts'
import { intensityAt } from '../../../../../src/research/report/figures/fills-by-spread.ts'
import { intensitySample } from '../../../../../src/research/models/intensity-sample.ts'
import type { Intensity } from '../../../../../src/core/models/calibration.ts'

const exposures = [30, 60, 90].map((bps) => ({ bps, days: 10, weight: 1 }))
const counts = [240, 150, 90].map((count, i) => ({ bps: [30, 60, 90][i]!, count }))
const fit = fitIntensity(intensitySample(exposures, counts))!
const law: Intensity = {
  a: fit.a,
  k: fit.k,
  fills: 480,
  exposureDays: 30,
  method: 'likelihood',
  overdispersion: 1,
}

describe('the band of A exp(-k d)', () => {
  test('at no spread is the interval of A, and its middle is the law', () => {
    const { value, low, high } = intensityAt(law, 0)
    expect(value).toBeCloseTo(fit.a.value, 9)
    expect(low).toBeCloseTo(fit.a.low, 6)
    expect(high).toBeCloseTo(fit.a.high, 6)
    expect(intensityAt(law, 60).value).toBeCloseTo(fit.a.value * Math.exp(-60 * fit.k.value), 9)
  })

  test('is narrowest at the mean spread of the fills, where only their number counts', () => {
    const width = (bps: number) => {
      const { low, high } = intensityAt(law, bps)
      return Math.log(high / low)
    }
    const mean = (240 * 30 + 150 * 60 + 90 * 90) / 480
    expect(width(mean)).toBeCloseTo((2 * 1.6448536269514722) / Math.sqrt(480), 6)
    for (const bps of [0, 30, 90, 200]) expect(width(bps)).toBeGreaterThan(width(mean))
  })

  test('of a law whose A may be nothing is open above, and never NaN', () => {
    const { value, low, high } = intensityAt({ ...law, a: { ...law.a, low: 0 } }, 60)
    expect([value > 0, low, high]).toEqual([true, 0, Infinity])
  })
})
