import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/random.ts'
import { SIDES } from '../../../../src/base/money/side.ts'
import { changePoint } from '../../../../src/research/models/change-point.ts'
import { createFactorModel, type IntensityCell } from '../../../../src/research/models/fit-factors.ts'
import { drawPoisson } from './draw-poisson.ts'

const MONDAY_HOUR = 24 * 4
const K = 1 / 60

type Market = {
  readonly days: number
  readonly bps: (hour: number, side: 'bid' | 'ask') => number
  /** Takers a day at no spread. */
  readonly a: (hour: number, side: 'bid' | 'ask') => number
  readonly fills?: (expected: number) => number
}

/** One cell an hour and side, with as many fills as are expected unless `fills` draws them. */
function cellsOf({ days, bps, a, fills = (expected) => expected }: Market): readonly IntensityCell[] {
  return Array.from({ length: 24 * days }, (_, i) => MONDAY_HOUR + i).flatMap((hour) =>
    SIDES.map((side) => {
      const [bid, ask] = [bps(hour, 'bid'), bps(hour, 'ask')]
      const own = side === 'bid' ? bid : ask
      const skewBps = side === 'bid' ? (bid - ask) / 2 : (ask - bid) / 2
      const expected = (a(hour, side) / 24) * Math.exp(-K * own)
      return { hour, side, bps: own, skewBps, days: 1 / 24, fills: fills(expected) }
    }),
  )
}

const isBusy = (hour: number) => hour % 24 >= 6 && hour % 24 < 18
/** Spreads of 40 to 80 bps that repeat neither by the day nor by the week. */
const varied = (hour: number, side: 'bid' | 'ask') => 40 + ((hour * 17 + (side === 'ask' ? 23 : 0)) % 41)
const fitOf = (market: Market, followsFairValue = false) =>
  createFactorModel(cellsOf(market), { followsFairValue, fillsEndExposure: false }).fit()
const meanOf = (bps: number, busy: number) => (hour: number) => (isBusy(hour) ? busy : bps)

describe('k and A of takers with habits', () => {
  test('are the truth where hours and sides differ and the spread is wide in the busy ones', () => {
    const fit = fitOf({
      days: 14,
      bps: (hour, side) => varied(hour, side) + meanOf(0, 40)(hour) + (side === 'ask' ? 30 : 0),
      a: (hour, side) => meanOf(200, 2_000)(hour) * (side === 'ask' ? 5 : 1),
    })
    expect((fit?.k ?? 0) / K).toBeCloseTo(1, 3)
    // The mean over hours and sides: 1,100 on the bid, 5,500 on the ask.
    expect(Math.exp(fit?.logA ?? 0) / 3_300).toBeCloseTo(1, 2)
  })

  test('count each weekday as a day of the week, however often it is on the tape', () => {
    const weekend = (hour: number) => (Math.floor(hour / 24) + 3) % 7 >= 5
    // Five working days and one Saturday; a week of it has 5 x 700 and 2 x 140.
    const fit = fitOf({ days: 6, bps: varied, a: (hour) => (weekend(hour) ? 140 : 700) })
    expect(Math.exp(fit?.logA ?? 0) / ((5 * 700 + 2 * 140) / 7)).toBeCloseTo(1, 2)
  })

  test('are unknown where the spread only follows the hour', () => {
    const fit = fitOf({ days: 28, bps: meanOf(40, 90), a: meanOf(20, 80) })
    // Only the weak limit of the factors is left.
    expect(Math.sqrt(fit?.varianceOfK ?? Infinity)).toBeGreaterThan(K)
  })

  test('are unknown where each side has its own spread, and none moves', () => {
    const fit = fitOf({ days: 28, bps: (_, side) => (side === 'ask' ? 60 : 80), a: () => 40 })
    expect(fit === null || Math.sqrt(fit.varianceOfK) > 10 * K).toBe(true)
  })

  test('are the truth where the skew follows a fair value that moves the takers, if the skew is taken out', () => {
    // Takers of one side are as many more as its spread is wider: the skew alone shows no effect of the spread.
    const gap = (hour: number) => 30 * Math.sin(hour / 31)
    const market: Market = {
      days: 28,
      bps: (hour, side) => varied(hour, 'bid') + (side === 'ask' ? 1 : -1) * gap(hour),
      a: (hour, side) => 4_000 * Math.exp(K * (side === 'ask' ? 1 : -1) * gap(hour)),
    }
    expect((fitOf(market)?.k ?? 0) / K).toBeLessThan(0.6)
    expect((fitOf(market, true)?.k ?? 0) / K).toBeCloseTo(1, 2)
  })

  test('have a profile that is highest at the fit', () => {
    const model = createFactorModel(cellsOf({ days: 7, bps: varied, a: () => 60 }), {
      followsFairValue: false,
      fillsEndExposure: false,
    })
    const [low, best, high] = [0.9, 1, 1.1].map((factor) => model.profile(factor * (model.fit()?.k ?? 0)))
    expect(best?.logLikelihood).toBeGreaterThan(Math.max(low?.logLikelihood ?? 0, high?.logLikelihood ?? 0))
    expect(best?.logA).toBeCloseTo(model.fit()?.logA ?? 0, 6)
  })
})

describe('a change of the takers', () => {
  const drawn = (seed: number, a: Market['a'], bps: Market['bps'] = varied) => {
    const random = seededRandom(seed, 'takers')
    const fit = fitOf({ days: 28, bps, a, fills: (expected) => drawPoisson(expected, random) })
    if (fit === null) throw new Error('not identified')
    return changePoint(fit)
  }
  const firstDay = MONDAY_HOUR / 24
  const isLater = (hour: number) => hour >= MONDAY_HOUR + 24 * 14

  test('is found on its day, also where the spread moved with it', () => {
    const halved = (hour: number) => (isLater(hour) ? 100 : 300)
    for (const bps of [varied, (hour: number) => varied(hour, 'bid') + (isLater(hour) ? 0 : 60)]) {
      const found = [1, 2, 3, 4, 5].map((seed) => drawn(seed, halved, bps))
      for (const day of found) expect(Math.abs((day ?? 0) - firstDay - 14)).toBeLessThanOrEqual(4)
    }
  })

  test('is found in at most one of twenty-five tapes that have none', () => {
    const found = Array.from({ length: 100 }, (_, seed) => drawn(seed, meanOf(20, 60))).filter(
      (day) => day !== null,
    )
    expect(found.length).toBeLessThanOrEqual(4)
  })
})
