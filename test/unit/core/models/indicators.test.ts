import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dayProfile,
  type DayProfile,
  ema,
  type Ema,
  readDayProfile,
  realisedVolatility,
  type RealisedVolatility,
  zScore,
  type ZScore,
} from '../../../../src/core/models/indicators.ts'
import { DAY_MS, HOUR_MS } from '../../../../src/base/time.ts'

/** Observations in time order. */
const observations = fc
  .array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: DAY_MS }),
      value: fc.integer({ min: 2_000, max: 3_000 }),
    }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((list) => {
    let at = 0
    return list.map(({ afterMs, value }) => ({ at: (at += afterMs), value }))
  })
const halfLife = fc.integer({ min: 1_000, max: 10 * DAY_MS })

const emaOf = (list: Seen, half: number) =>
  list.reduce<Ema | null>((before, { at, value }) => ema(before, at, value, half), null)!
const volatilityOf = (list: Seen, half: number) =>
  list.reduce<RealisedVolatility | null>(
    (before, { at, value }) => realisedVolatility(before, at, value, half),
    null,
  )!
const scoreOf = (list: Seen, half: number) =>
  list.reduce<ZScore | null>((before, { at, value }) => zScore(before, at, value, half), null)!
type Seen = readonly { readonly at: number; readonly value: number }[]

/** The same path with a second observation of each value, between it and the next one. */
function seenTwice(list: Seen): Seen {
  return list.flatMap((one, index) => {
    const next = list[index + 1]
    return next === undefined ? [one] : [one, { at: Math.floor((one.at + next.at) / 2), value: one.value }]
  })
}

/** Lengths and weights of the stretches before the last observation, most of all the recent ones. */
function stretches(list: Seen, half: number): { value: number; weight: number }[] {
  const end = list.at(-1)!.at
  const past = (at: number) => 0.5 ** ((end - at) / half)
  return list
    .slice(0, -1)
    .map(({ at, value }, index) => ({ value, weight: past(list[index + 1]!.at) - past(at) }))
}

describe('an indicator over irregular times', () => {
  it.each([
    ['average', (list: Seen, half: number) => emaOf(list, half).value],
    ['volatility', (list: Seen, half: number) => volatilityOf(list, half).bpsPerSqrtDay ?? -1],
    ['mean of the z-score', (list: Seen, half: number) => scoreOf(list, half).mean],
    ['variance of the z-score', (list: Seen, half: number) => scoreOf(list, half).variance],
  ])('has the same %s if an unchanged value is observed more often', (_, of) => {
    fc.assert(
      fc.property(observations, halfLife, (list, half) => {
        const once = of(list, half)
        expect(Math.abs(of(seenTwice(list), half) - once)).toBeLessThan(1e-9 * (1 + Math.abs(once)))
      }),
    )
  })

  it('is plain data that continues after it was stored', () => {
    fc.assert(
      fc.property(observations, halfLife, fc.nat(), (list, half, cut) => {
        const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
        const [first, rest] = [list.slice(0, 1 + (cut % list.length)), list.slice(1 + (cut % list.length))]
        const scores = rest.reduce<ZScore>(
          (b, { at, value }) => zScore(kept(b), at, value, half),
          scoreOf(first, half),
        )
        const means = rest.reduce<Ema>(
          (b, { at, value }) => ema(kept(b), at, value, half),
          emaOf(first, half),
        )
        expect(scores).toEqual(scoreOf(list, half))
        expect(means).toEqual(emaOf(list, half))
      }),
    )
  })

  it('refuses a half-life of zero', () => {
    const first = ema(null, 0, 1, HOUR_MS)
    expect(() => ema(first, 1, 1, 0)).toThrow(RangeError)
    expect(() => ema(first, 1, 1, Number.NaN)).toThrow(RangeError)
  })
})

describe('the exponential moving average', () => {
  it('moves half of the way to a new value within a half-life', () => {
    const changed = ema(ema(null, 0, 2_500, HOUR_MS), 5 * HOUR_MS, 2_600, HOUR_MS)
    expect(changed.value).toBe(2_500)
    expect(ema(changed, 6 * HOUR_MS, 2_600, HOUR_MS).value).toBeCloseTo(2_550, 9)
    expect(ema(changed, 7 * HOUR_MS, 2_600, HOUR_MS).value).toBeCloseTo(2_575, 9)
  })

  it('stays between the smallest and the largest value', () => {
    fc.assert(
      fc.property(observations, halfLife, (list, half) => {
        const { value } = emaOf(list, half)
        const values = list.map((one) => one.value)
        expect(value).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9)
        expect(value).toBeLessThanOrEqual(Math.max(...values) + 1e-9)
      }),
    )
  })

  it('stays where it was when the clock goes back', () => {
    const before = ema(ema(null, 0, 2_500, HOUR_MS), HOUR_MS, 2_600, HOUR_MS)
    expect(ema(before, 0, 2_700, HOUR_MS).value).toBe(before.value)
  })
})

describe('the realised volatility', () => {
  it('is a move of 100 bps an hour times the root of the hours of a day', () => {
    let vol: RealisedVolatility | null = null
    for (let hour = 0; hour <= 24 * 200; hour++)
      vol = realisedVolatility(vol, hour * HOUR_MS, 2_500 * Math.exp(hour % 2 === 0 ? 0 : 0.01), 10 * DAY_MS)
    // A move just after it came weighs a little more than the time before it.
    expect(vol!.bpsPerSqrtDay! / (100 * Math.sqrt(24))).toBeCloseTo(1, 2)
  })

  it('is unknown without time, and zero for a constant price', () => {
    const first = realisedVolatility(null, 0, 2_500, DAY_MS)
    expect(first.bpsPerSqrtDay).toBeNull()
    expect(realisedVolatility(first, 0, 2_600, DAY_MS).bpsPerSqrtDay).toBeNull()
    expect(realisedVolatility(first, DAY_MS, 2_500, DAY_MS).bpsPerSqrtDay).toBe(0)
  })
})

describe('the z-score', () => {
  it('has the weighted mean and variance of the time before the value', () => {
    fc.assert(
      fc.property(observations, halfLife, (list, half) => {
        const parts = stretches(list, half)
        const total = parts.reduce((sum, { weight }) => sum + weight, 0)
        fc.pre(total > 1e-6)
        const mean = parts.reduce((sum, { value, weight }) => sum + value * weight, 0) / total
        const variance =
          parts.reduce((sum, { value, weight }) => sum + weight * (value - mean) ** 2, 0) / total
        const found = scoreOf(list, half)
        expect(found.mean).toBeCloseTo(mean, 3)
        expect(found.variance / (variance + 1)).toBeCloseTo(variance / (variance + 1), 3)
        expect(found.weight).toBeCloseTo(total, 6)
      }),
    )
  })

  it('is two for a value two deviations above the mean', () => {
    let score: ZScore | null = null
    for (let hour = 0; hour < 1_000; hour++)
      score = zScore(score, hour * HOUR_MS, hour % 2 === 0 ? 10 : 20, 100 * DAY_MS)
    expect(zScore(score, 1_000 * HOUR_MS, 25, 100 * DAY_MS).score).toBeCloseTo(2, 1)
  })

  it('is unknown while nothing has changed', () => {
    const first = zScore(null, 0, 10, HOUR_MS)
    expect(zScore(first, HOUR_MS, 20, HOUR_MS)).toMatchObject({ score: null, weight: 0.5, mean: 10 })
  })
})

describe('the time-of-day profile', () => {
  const evening = 20 * 60
  const add = (list: readonly (readonly [number, number])[]) =>
    list.reduce<DayProfile | null>((before, [minute, value]) => dayProfile(before, minute, value), null)!

  it('has the mean and the ratio of a slot, and nothing for a slot without observations', () => {
    const profile = add([
      [0, 10],
      [59, 20],
      [evening, 45],
    ])
    expect(readDayProfile(profile, 30)).toEqual({ mean: 15, count: 2, ratio: 0.5 })
    expect(readDayProfile(profile, evening + 59)).toEqual({ mean: 45, count: 1, ratio: 1.5 })
    expect(readDayProfile(profile, 60)).toBeNull()
  })

  it('has the mean of every slot whatever the order of the observations', () => {
    const observed = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: -100, max: 100 })),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(observed, (list) => {
        const [minute] = list[0]!
        const hour = Math.floor(minute / 60)
        const values = list.filter(([at]) => Math.floor(at / 60) === hour).map(([, value]) => value)
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length
        expect(readDayProfile(add(list), minute)?.mean).toBeCloseTo(mean, 9)
        expect(readDayProfile(add(list.toReversed()), minute)?.mean).toBeCloseTo(mean, 9)
      }),
    )
  })

  it('refuses a minute outside of the day', () => {
    expect(() => dayProfile(null, 1_440, 1)).toThrow(RangeError)
    expect(() => dayProfile(null, 0, 1, 0)).toThrow(RangeError)
  })
})
