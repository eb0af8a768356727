import { beforeAll, describe, expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../../src/base/random.ts'
import { calibrateTape } from '../../../src/research/calibration/calibrate.ts'
import type { Calibration, Estimate } from '../../../src/core/models/calibration.ts'
import { drawGamma } from '../../unit/research/models/draw-gamma.ts'
import { INTENSITY_PRIOR } from '../../../src/research/models/intensity-posterior.ts'
import type { TapeRow } from '../../../src/store/tape/model/row.ts'
import {
  drawRows,
  GOLDEN_MARKET,
  tapeOf,
  type DrawnMarket,
} from '../../unit/research/calibration/drawn-tape.ts'

const SEEDS = 200
/** Binomial(200, .9) lies outside 168 .. 192 five times in a thousand. */
const [LEAST, MOST] = [168, 192]

type Truth = Pick<DrawnMarket, 'a' | 'k'>
type Tally = { a: number; k: number; joint: number; meanK: number; readonly calibrations: Calibration[] }

const covers = ({ low, high }: Estimate, truth: number) => low <= truth && truth <= high

/** Calibrates a fresh tape for each seed and counts whose 90 % intervals hold the truth. */
async function tally(
  market: Partial<DrawnMarket>,
  options: {
    readonly seen?: (row: TapeRow) => boolean
    readonly truth?: (seed: number) => Truth
    readonly seeds?: number
  } = {},
): Promise<Tally> {
  const seeds = options.seeds ?? SEEDS
  const found: Tally = { a: 0, k: 0, joint: 0, meanK: 0, calibrations: [] }
  for (let seed = 0; seed < seeds; seed++) {
    const drawn = { ...GOLDEN_MARKET, days: 14, ...market, ...options.truth?.(seed), seed }
    const rows = drawRows(drawn).filter(options.seen ?? (() => true))
    const calibration = await calibrateTape(tapeOf(rows), { toleranceBps: drawn.toleranceBps, seed })
    const [a, k] = [covers(calibration.both.a, drawn.a), covers(calibration.both.k, drawn.k)]
    if (a) found.a++
    if (k) found.k++
    if (a && k) found.joint++
    found.meanK += calibration.both.k.value / seeds
    found.calibrations.push(calibration)
  }
  return found
}

function expectStatedCoverage({ a, k }: Tally): void {
  for (const covered of [a, k]) {
    expect(covered).toBeGreaterThanOrEqual(LEAST)
    expect(covered).toBeLessThanOrEqual(MOST)
  }
}

describe('A and k of a market with known takers, over 200 seeds', () => {
  it('lie in their 90 % intervals nine times in ten when we are alone', async () => {
    const found = await tally({})
    expect(found.calibrations.every(({ both }) => both.method === 'likelihood')).toBe(true)
    expectStatedCoverage(found)
    expect(found.meanK * 60).toBeCloseTo(1, 1)
  })

  const withRivals = { rivalReachBps: 40 }

  it('lie there as well when another provider beats us or shares with us', async () => {
    expectStatedCoverage(await tally(withRivals))
  })

  it('lie there as well when the probe shows ourselves wherever we are the best, and no one takes turns', async () => {
    const found = await tally({ ...withRivals, toleranceBps: 0, probe: 'all' })
    expectStatedCoverage(found)
    expect(found.calibrations[0]?.warnings.join(' ')).toMatch(/hid the others/)
  })

  it('are missed by a naive exposure that forgets the other provider', async () => {
    // It is so far off that a quarter of the seeds is enough to show it.
    const seeds = SEEDS / 4
    const naive = await tally(withRivals, { seen: ({ type }) => type !== 'competition', seeds })
    expect(naive.k).toBeLessThan(0.1 * seeds)
    expect(naive.joint).toBeLessThan(0.1 * seeds)
    // quant.md section 3: .0297 instead of .0167.
    expect(naive.meanK * 60).toBeGreaterThan(1.5)
    expect(naive.calibrations[0]?.warnings.join(' ')).toMatch(/no other provider is assumed/)
  })

  it('lie in the bands of the posterior nine times in ten when tapes are short and the truth is anything likely', async () => {
    const truth = (seed: number): Truth => {
      const random = seededRandom(seed, 'truth')
      return {
        a: drawGamma(INTENSITY_PRIOR.fills, random) / INTENSITY_PRIOR.days,
        k: INTENSITY_PRIOR.medianK * Math.exp(INTENSITY_PRIOR.logSdOfK * drawNormal(random)),
      }
    }
    const found = await tally({ ...withRivals, days: 1 }, { truth })
    const thin = found.calibrations.filter(({ both }) => both.method === 'posterior')
    expect(thin.length).toBeGreaterThan(SEEDS / 2)
    // Two more standard deviations of room: with no fills at all the prior stands, though silence says a little.
    expect(found.a).toBeGreaterThanOrEqual(LEAST - 8)
    expect(found.a).toBeLessThanOrEqual(MOST)
    expect(found.k).toBeGreaterThanOrEqual(LEAST)
    expect(found.k).toBeLessThanOrEqual(MOST)
  })
})

describe('one long tape of the golden market', () => {
  // quant.md section 3: A = 40, k = .01667, 4675 fills; share-weighted 39.3 and .0163 (se .00076), naive 59.4 and .0297.
  const rows = drawRows({ ...GOLDEN_MARKET, days: 200, rivalReachBps: 40 })
  const calibrated = (of: readonly TapeRow[]) => calibrateTape(tapeOf(of), { toleranceBps: 5, seed: 1 })
  let whole: Calibration
  beforeAll(async () => {
    whole = await calibrated(rows)
  })

  it('gives A, k and the error of k as published, and a naive exposure neither', async () => {
    const { fills, both, bid, ask } = whole
    expect(fills).toBeGreaterThan(4000)
    expect(both.a.value).toBeGreaterThan(36)
    expect(both.a.value).toBeLessThan(44)
    expect(Math.abs(both.k.value - 1 / 60)).toBeLessThan(3 * 0.00076)
    expect((both.k.high - both.k.value) / 1.645).toBeCloseTo(0.00076, 4)
    for (const side of [bid, ask]) expect(Math.abs((side?.k.value ?? 0) - 1 / 60)).toBeLessThan(3 * 0.0011)
    const naive = await calibrated(rows.filter(({ type }) => type !== 'competition'))
    expect(naive.both.a.value).toBeGreaterThan(50)
    expect(naive.both.k.value).toBeGreaterThan(0.025)
  })

  it('comes out equal however the tape is cut into batches, and equal again', async () => {
    const { batchOfRows } = await import('../../../src/store/tape/model/batch.ts')
    expect(await calibrated(rows)).toEqual(whole)
    const pieces = {
      async *batches() {
        for (let i = 0; i < rows.length; i += 977)
          yield await Promise.resolve(batchOfRows(rows.slice(i, i + 977)))
      },
      problems: () => [],
    }
    expect(await calibrateTape(pieces, { toleranceBps: 5, seed: 1 })).toEqual(whole)
  })
})
