import { describe, expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../../../src/base/random.ts'
import type { Estimate, Intensity } from '../../../../src/core/models/calibration.ts'
import { drawGamma } from './draw-gamma.ts'
import {
  drawIntensity,
  INTENSITY_PRIOR,
  intensityPosterior,
} from '../../../../src/research/models/intensity-posterior.ts'
import { drawPoisson } from './draw-poisson.ts'
import { fitIntensity, overdispersion } from '../../../../src/research/models/fit-intensity.ts'
import { intensitySample, type IntensitySample } from '../../../../src/research/models/intensity-sample.ts'
import { LOGISTIC_PREFERRED, logisticRatio } from '../../../../src/research/models/logistic-ratio.ts'
import { moments } from '../../../../src/core/models/sample-statistics.ts'

const GRID_BPS = Array.from({ length: 15 }, (_, i) => 25 + 5 * i)
const covers = ({ low, high }: Estimate, truth: number) => low <= truth && truth <= high

/** `days` spread evenly over the grid, with Poisson fills at `rate(bps)` a day. */
function drawSample(
  days: number,
  rate: (bps: number) => number,
  label: string,
  seed: number,
): IntensitySample {
  const random = seededRandom(seed, label)
  const each = days / GRID_BPS.length
  return intensitySample(
    GRID_BPS.map((bps) => ({ bps, days: each, weight: 1 })),
    GRID_BPS.map((bps) => ({ bps, count: drawPoisson(each * rate(bps), random) })),
  )
}

const exponential = (a: number, k: number) => (bps: number) => a * Math.exp(-k * bps)

describe('a sample of quotes and fills', () => {
  it('adds up exposure by routing weight and fills, spread by spread', () => {
    const sample = intensitySample(
      [
        { bps: 60, days: 2, weight: 0.5 },
        { bps: 40, days: 3, weight: 1 },
        { bps: 60, days: 1, weight: 1 },
        { bps: 90, days: 5, weight: 0 },
      ],
      [
        { bps: 40, count: 3 },
        { bps: 60, count: 1 },
        { bps: 90, count: 7 },
      ],
    )
    expect([...sample.bps]).toEqual([40, 60])
    expect([...sample.days]).toEqual([3, 2])
    expect([...sample.counts]).toEqual([3, 1])
    expect([sample.fills, sample.exposureDays, sample.meanFillBps]).toEqual([4, 5, 45])
    expect(sample.unexposedFills).toBe(7)
  })
})

describe('the likelihood of an exponential intensity', () => {
  // Two spreads, rates 30 and 10 a day: k = ln 3 / 30, A = 30 exp(40 k) = 30 * 3^(4/3).
  const two = intensitySample(
    [
      { bps: 40, days: 2, weight: 1 },
      { bps: 70, days: 3, weight: 1 },
    ],
    [
      { bps: 40, count: 60 },
      { bps: 70, count: 30 },
    ],
  )

  it('of two spreads goes through both rates', () => {
    const fit = fitIntensity(two)
    expect(fit?.k.value).toBeCloseTo(Math.log(3) / 30, 12)
    expect(fit?.a.value).toBeCloseTo(30 * 3 ** (4 / 3), 9)
  })

  it('has the errors of the observed information', () => {
    // Two independent counts: Var k = (1/60 + 1/30) / 30^2; ln A = (7 ln r1 - 4 ln r2) / 3.
    const fit = fitIntensity(two)
    expect(fit?.seOfK).toBeCloseTo(Math.sqrt(1 / 60 + 1 / 30) / 30, 10)
    expect(fit?.seOfLogA).toBeCloseTo(Math.sqrt(49 / 60 + 16 / 30) / 3, 10)
    expect(((fit?.k.high ?? 0) - (fit?.k.value ?? 0)) / (fit?.seOfK ?? 1)).toBeCloseTo(1.6448536, 6)
    const widened = fitIntensity(two, 1.5)
    expect((widened?.seOfK ?? 0) / (fit?.seOfK ?? 1)).toBeCloseTo(1.5, 12)
    expect((widened?.seOfLogA ?? 0) / (fit?.seOfLogA ?? 1)).toBeCloseTo(1.5, 12)
  })

  it('needs 225 fills at spreads scattered by 20 bps for a fifth of k, 56 at 40', () => {
    // quant.md section 3, at 1/k = 60 bps. Fills at 60 +- sd in equal number.
    for (const [fills, sd] of [
      [225, 20],
      [56.25, 40],
    ] as const) {
      const k = 1 / 60
      const spreads = [60 - sd, 60 + sd]
      const fit = fitIntensity(
        intensitySample(
          spreads.map((bps) => ({ bps, days: Math.exp(k * bps), weight: 1 })),
          spreads.map((bps) => ({ bps, count: fills / 2 })),
        ),
      )
      expect(fit?.k.value).toBeCloseTo(k, 12)
      expect((fit?.seOfK ?? 0) / k).toBeCloseTo(0.2, 10)
    }
  })

  it('says nothing where k is not identified', () => {
    const at = (...counts: number[]) =>
      intensitySample(
        counts.map((_, i) => ({ bps: 40 + 10 * i, days: 1, weight: 1 })),
        counts.map((count, i) => ({ bps: 40 + 10 * i, count })),
      )
    expect(fitIntensity(at())).toBeNull()
    expect(fitIntensity(at(50))).toBeNull()
    expect(fitIntensity(at(0, 0))).toBeNull()
    expect(fitIntensity(at(9, 0, 0))).toBeNull()
    expect(fitIntensity(at(0, 0, 9))).toBeNull()
  })

  it('finds the truth among a million fills, and also where takers come more at wider spreads', () => {
    for (const k of [-0.01, 0.0005, 1 / 12, 0.4]) {
      const sample = intensitySample(
        GRID_BPS.map((bps) => ({ bps, days: 1e6, weight: 1 })),
        GRID_BPS.map((bps) => ({ bps, count: 1e6 * Math.exp(-k * bps) })),
      )
      expect(fitIntensity(sample)?.k.value).toBeCloseTo(k, 10)
      expect(fitIntensity(sample)?.a.value).toBeCloseTo(1, 8)
    }
  })
})

describe('the posterior of an intensity', () => {
  it('without any data is the prior', () => {
    const { a, k } = intensityPosterior(intensitySample([], []))
    // Gamma(1, 1/40): mean 40, 5 % and 95 % at -40 ln .95 and -40 ln .05. Log-normal: median exp(+-1.645 * .7), mean exp(.7^2 / 2).
    expect(a.value).toBeCloseTo(40, 9)
    expect(a.low).toBeCloseTo(-40 * Math.log(0.95), 4)
    expect(a.high).toBeCloseTo(-40 * Math.log(0.05), 3)
    expect(k.value / (Math.exp(0.245) / 60)).toBeCloseTo(1, 3)
    expect(k.low / (Math.exp(-1.6448536 * 0.7) / 60)).toBeCloseTo(1, 2)
    expect(k.high / (Math.exp(1.6448536 * 0.7) / 60)).toBeCloseTo(1, 2)
  })

  it('of many fills is the likelihood', () => {
    const sample = drawSample(200, exponential(40, 1 / 60), 'many', 3)
    const posterior = intensityPosterior(sample)
    const fit = fitIntensity(sample)
    for (const key of ['a', 'k'] as const) {
      for (const end of ['value', 'low', 'high'] as const) {
        expect(posterior[key][end] / (fit?.[key][end] ?? 0)).toBeCloseTo(1, 1.5)
      }
    }
  })

  it('agrees with numerical integration over a fine grid', () => {
    const sample = intensitySample(
      [
        { bps: 40, days: 0.4, weight: 1 },
        { bps: 80, days: 0.6, weight: 1 },
      ],
      [
        { bps: 40, count: 9 },
        { bps: 80, count: 4 },
      ],
    )
    let [total, ofA, ofK] = [0, 0, 0]
    for (let logK = -8; logK <= 0; logK += 0.02) {
      const k = Math.exp(logK)
      for (let a = 0.25; a < 500; a += 0.5) {
        const expected = 0.4 * Math.exp(-40 * k) + 0.6 * Math.exp(-80 * k)
        const density = Math.exp(
          -((logK - Math.log(INTENSITY_PRIOR.medianK)) ** 2) / (2 * INTENSITY_PRIOR.logSdOfK ** 2) -
            INTENSITY_PRIOR.days * a +
            13 * Math.log(a) -
            k * (9 * 40 + 4 * 80) -
            a * expected,
        )
        total += density
        ofA += density * a
        ofK += density * k
      }
    }
    const { a, k } = intensityPosterior(sample)
    expect(a.value / (ofA / total)).toBeCloseTo(1, 3)
    expect(k.value / (ofK / total)).toBeCloseTo(1, 3)
  })

  it('covers a truth drawn from its prior nine times in ten, whatever little is seen', () => {
    for (const days of [0.3, 3]) {
      let [ofA, ofK] = [0, 0]
      for (let seed = 0; seed < 200; seed++) {
        const random = seededRandom(seed, 'truth')
        const a = drawGamma(INTENSITY_PRIOR.fills, random) / INTENSITY_PRIOR.days
        const k = INTENSITY_PRIOR.medianK * Math.exp(INTENSITY_PRIOR.logSdOfK * drawNormal(random))
        const posterior = intensityPosterior(drawSample(days, exponential(a, k), 'thin', seed))
        if (covers(posterior.a, a)) ofA++
        if (covers(posterior.k, k)) ofK++
      }
      // Binomial(200, .9): outside 166 .. 193 three times in a thousand.
      for (const covered of [ofA, ofK]) {
        expect(covered).toBeGreaterThanOrEqual(166)
        expect(covered).toBeLessThanOrEqual(193)
      }
    }
  })

  it('believes overdispersed counts less', () => {
    const sample = drawSample(3, exponential(40, 1 / 60), 'scatter', 1)
    const width = ({ low, high }: Estimate) => high - low
    expect(width(intensityPosterior(sample, 2).k)).toBeGreaterThan(1.2 * width(intensityPosterior(sample).k))
  })
})

describe('a draw of A and k', () => {
  const intensityOf = (sample: IntensitySample, method: 'likelihood' | 'posterior'): Intensity => {
    const found = method === 'likelihood' ? fitIntensity(sample) : intensityPosterior(sample)
    if (found === null) throw new Error('not identified')
    const { a, k } = found
    return { a, k, fills: sample.fills, exposureDays: sample.exposureDays, method, overdispersion: 1 }
  }
  const draw = (intensity: Intensity, count = 4000) => {
    const random = seededRandom(8, 'draw')
    return Array.from({ length: count }, () => drawIntensity(intensity, random))
  }

  it('has the mean and the interval of each estimate', () => {
    const intensity = intensityOf(drawSample(8, exponential(40, 1 / 60), 'draws', 2), 'likelihood')
    const draws = draw(intensity)
    const sorted = (key: 'a' | 'k') => draws.map((each) => each[key]).toSorted((x, y) => x - y)
    expect(moments(draws.map(({ k }) => k)).mean / intensity.k.value).toBeCloseTo(1, 1.5)
    for (const key of ['a', 'k'] as const) {
      expect((sorted(key)[200] ?? 0) / intensity[key].low).toBeCloseTo(1, 0.9)
      expect((sorted(key)[3800] ?? 0) / intensity[key].high).toBeCloseTo(1, 0.9)
    }
  })

  it('knows the rate where the fills were, to one part in the root of their number', () => {
    const sample = drawSample(8, exponential(40, 1 / 60), 'pivot', 2)
    for (const method of ['likelihood', 'posterior'] as const) {
      const logRates = draw(intensityOf(sample, method)).map(
        ({ a, k }) => Math.log(a) - k * sample.meanFillBps,
      )
      expect(moments(logRates).sd * Math.sqrt(sample.fills)).toBeGreaterThan(0.8)
      // Independent draws of A and k would give about 4.
      expect(moments(logRates).sd * Math.sqrt(sample.fills)).toBeLessThan(1.5)
    }
  })

  it('is always a possible intensity, also of what was never measured', () => {
    const { a, k } = intensityPosterior(intensitySample([], []))
    const prior = { a, k, fills: 0, exposureDays: 0, method: 'default', overdispersion: 1 } as const
    for (const each of draw(prior)) expect(each.a > 0 && each.k > 0).toBe(true)
    const exact = { ...prior, a: { value: 40, low: 40, high: 40 }, k: { value: 0.02, low: 0, high: 0.1 } }
    expect(drawIntensity(exact, seededRandom(1, 'draw'))).toEqual({ a: 40, k: 0.02 })
  })
})

describe('overdispersion', () => {
  const days = (counts: readonly number[], expected: number) => counts.map((count) => ({ count, expected }))

  it('is the root of chi-square per degree of freedom', () => {
    // Seven days of 4 expected: squares 16 each from 0 and 8, chi2 = 7 * 16 / 4 = 28, 5 degrees.
    expect(overdispersion(days([0, 8, 0, 8, 0, 8, 0], 4))).toBeCloseTo(Math.sqrt(28 / 5), 12)
  })

  it('never makes an interval narrower, and says nothing about a few days', () => {
    expect(overdispersion(days([4, 4, 4, 4, 4, 4, 4, 4], 4))).toBe(1)
    expect(overdispersion(days([0, 40, 0, 40], 4))).toBe(1)
  })

  it('takes days together until a fill is expected', () => {
    expect(
      overdispersion(
        days(
          Array.from({ length: 70 }, (_, i) => (i % 10 === 9 ? 1 : 0)),
          0.1,
        ),
      ),
    ).toBe(1)
  })

  it('of Poisson counts is about 1, of bursts the size of a burst', () => {
    const random = seededRandom(4, 'days')
    const poisson = days(
      Array.from({ length: 400 }, () => drawPoisson(9, random)),
      9,
    )
    expect(overdispersion(poisson)).toBeLessThan(1.12)
    const bursts = days(
      Array.from({ length: 400 }, () => 4 * drawPoisson(9 / 4, random)),
      9,
    )
    expect(overdispersion(bursts)).toBeCloseTo(2, 0)
    expect(overdispersion(bursts)).toBeGreaterThan(1.75)
  })
})

describe('the logistic alternative', () => {
  const logistic = (bps: number) => 60 / (1 + Math.exp(0.12 * (bps - 60)))

  it('is preferred where the takers are logistic', () => {
    const found = logisticRatio(drawSample(100, logistic, 'logistic', 1))
    expect(found?.ratio).toBeGreaterThan(3 * LOGISTIC_PREFERRED)
    expect(found?.beta).toBeGreaterThan(0.08)
    expect(found?.beta).toBeLessThan(0.16)
  })

  it('is preferred by chance at most once in twenty where they are exponential', () => {
    let preferred = 0
    for (let seed = 0; seed < 60; seed++) {
      const found = logisticRatio(drawSample(20, exponential(40, 1 / 60), 'exponential', seed))
      expect(found?.ratio).toBeGreaterThanOrEqual(0)
      if ((found?.ratio ?? 0) > LOGISTIC_PREFERRED) preferred++
    }
    // Binomial(60, .05) exceeds 9 once in two thousand.
    expect(preferred).toBeLessThanOrEqual(9)
  })

  it('is not tried where the exponential is not identified', () => {
    expect(
      logisticRatio(intensitySample([{ bps: 60, days: 1, weight: 1 }], [{ bps: 60, count: 9 }])),
    ).toBeNull()
  })
})
