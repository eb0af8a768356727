import { describe, expect, test } from 'vitest'
import { poissonInterval } from '../../../src/core/models/distributions.ts'
import type { Calibration } from '../../../src/core/models/calibration.ts'
import { intensityPosterior } from '../../../src/research/models/intensity-posterior.ts'
import { intensitySample } from '../../../src/research/models/intensity-sample.ts'
import { coverageOf, type CoverageCell } from '../../support/calibration-coverage.ts'
import { PLAYED_CELLS, playedCoverage } from '../../support/played-coverage.ts'
import { truthOfPrior } from '../../support/calibration-week.ts'

const PRIOR = intensityPosterior(intensitySample([], []))
const WEEKS = 200
/** 85 to 95 %, two points of room for the chance of 200 weeks. */
const [LEAST, MOST] = [0.83 * WEEKS, 0.97 * WEEKS]

const STATED: readonly CoverageCell[] = [
  'varying',
  'constant',
  'fewFills',
  'rivalNamed',
  'rivalAtOneSpread',
  'nextNamed',
]

describe('the stated 90 % intervals of A and k over 200 weeks whose truths are distributed as the prior', () => {
  test.each(STATED)('hold the truth nine times in ten: %s', async (cell) => {
    const { a, k } = await coverageOf(cell, WEEKS, truthOfPrior)
    for (const covered of [a, k]) {
      expect(covered).toBeGreaterThanOrEqual(LEAST)
      expect(covered).toBeLessThanOrEqual(MOST)
    }
  })

  test('miss A half of the time where a rival stands at our own number and the tape does not name it', async () => {
    const { a } = await coverageOf('rivalUnnamed', WEEKS, truthOfPrior)
    expect(a).toBeLessThan(0.6 * WEEKS)
  })
})

describe('the stated 90 % intervals of A and k over 50 tapes whose quotes follow the market', () => {
  test.each(Object.keys(PLAYED_CELLS) as (keyof typeof PLAYED_CELLS)[])(
    'hold the truth nine times in ten: %s',
    async (cell) => {
      const { a, k, counted } = await playedCoverage(cell, 50)
      // Truths with few takers leave fewer than 30 fills.
      expect(counted).toBeGreaterThan(25)
      // Binomial(50, .88) is below 37 once in two hundred.
      for (const covered of [a, k]) expect(covered / counted).toBeGreaterThanOrEqual(0.74)
    },
  )
})

describe('weeks at one spread', () => {
  test('mark k as the prior, and report the rate at that spread with an interval that covers nine times in ten', async () => {
    const weeks: Calibration[] = []
    await coverageOf('constant', WEEKS, truthOfPrior, (calibration) => weeks.push(calibration))
    let covered = 0
    for (const [week, { both, warnings }] of weeks.entries()) {
      const { quotedRate, fills, exposureDays, priorOnly } = both
      expect(priorOnly).toContain('k')
      expect(both.k).toEqual(PRIOR.k)
      expect(quotedRate?.bps).toBeCloseTo(60, 9)
      const { low, high } = poissonInterval(fills)
      expect(quotedRate?.perDay).toEqual({
        value: fills / exposureDays,
        low: low / exposureDays,
        high: high / exposureDays,
      })
      if (fills >= 1) expect(warnings.join(' ')).toMatch(/spread never moved/)
      const { a, k } = truthOfPrior(week)
      const rate = a * Math.exp(-60 * k)
      if ((quotedRate?.perDay.low ?? 1) <= rate && rate <= (quotedRate?.perDay.high ?? 0)) covered += 1
    }
    // The exact interval covers at least as often as stated; of small counts more.
    expect(covered).toBeGreaterThanOrEqual(LEAST)
  })
})
