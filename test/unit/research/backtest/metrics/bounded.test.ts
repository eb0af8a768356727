import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createClusterSums,
  createTimeHistogram,
} from '../../../../../src/research/backtest/metrics/bounded/sums.ts'
import { createDayRows, type DayEnd, wholeDays } from '../../../../../src/research/backtest/metrics/daily.ts'
import { equityBand } from '../../../../../src/research/backtest/metrics/equity-band.ts'
import {
  createEvenSamples,
  createFillSample,
  createMedianSize,
} from '../../../../../src/research/backtest/metrics/bounded/samples.ts'
import {
  createExtremes,
  createStepSeries,
} from '../../../../../src/research/backtest/metrics/bounded/series.ts'
import { createMinuteMarkouts } from '../../../../../src/research/backtest/metrics/markouts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../src/base/time.ts'
import { clusteredRatio } from '../../../../../src/core/models/intervals.ts'
import { MONDAY } from './trail-run.ts'

/** Times that ascend, with gaps from nothing to days. */
const times = (minLength: number) =>
  fc
    .array(
      fc.oneof(fc.constant(0), fc.integer({ max: 1_000, min: 0 }), fc.integer({ min: 0, max: 2 * DAY_MS })),
      {
        minLength,
        maxLength: 400,
      },
    )
    .map((gaps) => {
      let t = MONDAY
      return gaps.map((gap) => (t += gap))
    })

describe('sums by cluster', () => {
  test('adds what belongs to one cluster, and joins neighbours when there are too many', () => {
    const sums = createClusterSums(4)
    for (let cluster = 0; cluster < 5; cluster++) {
      sums.add(cluster, cluster, 1, 2)
      sums.add(cluster, 10, 1, 1)
    }
    // 10+0 | 10+1 | 10+2 | 10+3 are joined to 21 | 25 before the fifth comes.
    expect(sums.clusters()).toEqual([
      { sum: 21, weight: 4 },
      { sum: 25, weight: 4 },
      { sum: 14, weight: 2 },
    ])
    expect([sums.fills(), sums.count()]).toEqual([15, 5])
  })

  test('joining changes no mean', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: -10, max: 10, noNaN: true }), fc.integer({ min: 1, max: 9 })), {
          minLength: 1,
          maxLength: 60,
        }),
        (all) => {
          const few = createClusterSums(4)
          const many = createClusterSums(64)
          all.forEach(([sum, weight], cluster) => {
            few.add(cluster, sum, weight, 1)
            many.add(cluster, sum, weight, 1)
          })
          expect(few.clusters().length).toBeLessThanOrEqual(4)
          expect(clusteredRatio(few.clusters())?.value).toBeCloseTo(
            clusteredRatio(many.clusters())?.value ?? Infinity,
            10,
          )
        },
      ),
    )
  })
})

describe('extremes', () => {
  test('the first, the lowest, the highest and the last value are never lost, and points are in time order', () => {
    fc.assert(
      fc.property(times(1), fc.infiniteStream(fc.integer({ min: -1000, max: 1000 })), (all, stream) => {
        const series = createExtremes(8)
        const values = all.map(() => stream.next().value)
        all.forEach((t, index) => series.add(t, values[index] ?? 0))
        const points = series.points()
        expect(points.t.length).toBeLessThanOrEqual(18)
        expect(Math.min(...points.values)).toBe(Math.min(...values))
        expect(Math.max(...points.values)).toBe(Math.max(...values))
        expect([points.t[0], points.values[0]]).toEqual([all[0], values[0]])
        expect([points.t.at(-1), points.values.at(-1)]).toEqual([all.at(-1), values.at(-1)])
        expect([...points.t]).toEqual([...points.t].sort((a, b) => a - b))
        for (const [index, t] of points.t.entries()) {
          expect(all.some((at, place) => at === t && values[place] === points.values[index])).toBe(true)
        }
      }),
    )
  })

  test('a short series is kept whole', () => {
    const series = createExtremes()
    for (let i = 0; i < 100; i++) series.add(MONDAY + i * 1_000, Math.sin(i))
    expect([...series.points().values]).toEqual(Array.from({ length: 100 }, (_, i) => Math.sin(i)))
  })
})

describe('steps', () => {
  test('every row is what held at its time until the row after it changed something', () => {
    fc.assert(
      fc.property(times(1), (all) => {
        let now = 0
        const steps = createStepSeries(1, (rows, at) => void (rows[at] = now), 8)
        const heldAt = new Map<number, number>()
        for (const t of all) {
          steps.touch(t)
          now += 1
          heldAt.set(t, now)
        }
        const { t, columns } = steps.rows()
        expect(t.length).toBeLessThanOrEqual(9)
        expect([...t]).toEqual([...t].sort((a, b) => a - b))
        expect(t.at(-1)).toBe(all.at(-1))
        t.forEach((at, index) => expect(columns[0]?.[index]).toBe(heldAt.get(at)))
      }),
    )
  })

  test('a full series keeps the last row of each stretch, whose length doubles step by step', () => {
    fc.assert(
      fc.property(times(1), (all) => {
        let now = 0
        const steps = createStepSeries(1, (rows, at) => void (rows[at] = now), 8)
        let kept: (readonly [number, number])[] = []
        let width = 1
        const stretchOf = (t: number) => Math.floor(t / width)
        all.forEach((t, index) => {
          const before = all[index - 1]
          if (before !== undefined && stretchOf(before) !== stretchOf(t)) kept.push([before, now])
          const most = kept.length === 8 ? 4 : 8
          while (kept.length > most) {
            width *= 2
            kept = kept.filter(([at], i) => stretchOf(kept[i + 1]?.[0] ?? Infinity) !== stretchOf(at))
          }
          steps.touch(t)
          now += 1
        })
        const { t, columns } = steps.rows()
        expect([...t]).toEqual([...kept.map(([at]) => at), all.at(-1)])
        expect([...(columns[0] ?? [])]).toEqual([...kept.map(([, value]) => value), now])
      }),
    )
  })

  test('few changes are kept all of them', () => {
    let now = 0
    const steps = createStepSeries(1, (rows, at) => void (rows[at] = now))
    for (let i = 0; i < 4_000; i++) {
      steps.touch(MONDAY + 7 * i)
      now = i
    }
    expect([...(steps.rows().columns[0] ?? [])]).toEqual(Array.from({ length: 4_000 }, (_, i) => i))
  })

  test('what was never touched has no rows', () => {
    expect(createStepSeries(1, () => undefined).rows()).toEqual({ t: new Float64Array(), columns: [] })
  })
})

describe('even samples', () => {
  test('are the value at each step, and stay evenly spaced when they are thinned', () => {
    const samples = createEvenSamples(MONDAY, HOUR_MS, 8)
    // The value is the number of the hour.
    for (let hour = 0; hour < 30; hour++) samples.until(MONDAY + (hour + 1) * HOUR_MS, hour)
    expect(samples.stepMs()).toBe(4 * HOUR_MS)
    expect([...samples.values()]).toEqual([0, 4, 8, 12, 16, 20, 24, 28])
  })

  test('a moment belongs to what holds from then on', () => {
    const samples = createEvenSamples(MONDAY, HOUR_MS)
    samples.until(MONDAY, 7)
    samples.until(MONDAY + HOUR_MS, 1)
    samples.until(MONDAY + HOUR_MS + 1, 2)
    expect([...samples.values()]).toEqual([1, 2])
  })
})

describe('a histogram over time', () => {
  test('mean exact, quantile to a bin, also after it had to widen', () => {
    const held = createTimeHistogram(1)
    for (let value = 0; value < 100; value++) held.hold(value, 10)
    expect(held.mean()).toBeCloseTo(49.5, 10)
    expect(held.quantile(0.95)).toBeGreaterThan(93.9)
    expect(held.quantile(0.95)).toBeLessThan(95.1)
    expect(createTimeHistogram(1).mean()).toBeNull()
    expect(createTimeHistogram(1).quantile(0.95)).toBeNull()
  })
})

describe('the median size', () => {
  test('follows the middle to about 6 percent, whatever the sizes and their order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 200 }),
        (sizes) => {
          const median = createMedianSize()
          for (const size of sizes) median.add(size)
          const sorted = [...sizes].sort((a, b) => a - b)
          const low = sorted[Math.ceil(sizes.length / 2) - 1] ?? 0
          const high = sorted[Math.floor(sizes.length / 2)] ?? 0
          expect(median.value).toBeGreaterThan(low / 1.1)
          expect(median.value).toBeLessThan(high * 1.1)
        },
      ),
    )
  })

  test('is 0 before the first, and takes a size of nothing', () => {
    const median = createMedianSize()
    expect(median.value).toBe(0)
    median.add(0)
    expect(median.value).toBeLessThan(1e-5)
  })
})

describe('a sample of fills', () => {
  test('all while they are few; then every second, every fourth; the rest is counted', () => {
    const sample = createFillSample(4)
    const times: number[][] = []
    for (let i = 0; i < 11; i++) {
      sample.add(i, 2500, 100, 60, i % 2 === 0, false)
      times.push([...sample.fills().t])
    }
    expect(times[3]).toEqual([0, 1, 2, 3])
    expect(times[4]).toEqual([0, 2, 4])
    expect(times[6]).toEqual([0, 2, 4, 6])
    expect(times[8]).toEqual([0, 4, 8])
    expect(sample.fills().leftOut).toBe(11 - 3)
  })
})

describe('markouts by the clock', () => {
  test('fills of one minute are looked at when the first has its age, those of the next on their own', () => {
    const markouts = createMinuteMarkouts()
    const [, oneHour] = markouts.horizons
    markouts.fill(MONDAY, 0, 1, -2500, 2500)
    markouts.fill(MONDAY + MINUTE_MS - 1, 0, 1, -2500, 2500)
    markouts.fill(MONDAY + MINUTE_MS, 0, 1, -2500, 2500)
    markouts.until(MONDAY + HOUR_MS, 2600)
    expect(oneHour?.sums.fills()).toBe(0)
    markouts.until(MONDAY + HOUR_MS + 1, 2510)
    expect(oneHour?.sums.fills()).toBe(2)
    markouts.until(MONDAY + HOUR_MS + MINUTE_MS + 1, 2530)
    // 2 * 10 + 30, over three times 2500: one cluster, for no print came between.
    expect(oneHour?.sums.clusters()).toEqual([{ sum: 50, weight: 7500 }])
  })

  test('no more wait than the horizon has minutes, however many fills there are', () => {
    const markouts = createMinuteMarkouts()
    for (let second = 0; second < 40_000; second++) {
      const t = MONDAY + second * 1_000
      markouts.until(t, 2500)
      markouts.fill(t, 0, 1, -2500, 2500)
    }
    const last = MONDAY + 40_000_000
    markouts.until(last + DAY_MS, 2500)
    expect(markouts.horizons.map(({ horizon, sums }) => [horizon, sums.fills()])).toEqual([
      ['5 min', 40_000],
      ['1 h', 40_000],
      ['4 h', 40_000],
      ['1 d', 40_000],
    ])
  })
})

describe('days', () => {
  const sums = (totalUsd: number, fills: number): DayEnd => ({
    totalUsd54: BigInt(totalUsd) * 10n ** 54n,
    turnover18: BigInt(fills) * 10n ** 18n,
    fills,
    bidMs: 0,
    askMs: 0,
    fair: 2500,
    holdingUsd54: 0n,
    reach: { up: 0, down: 0, fall: 0 },
    terms: { spreadCapture: 0, staleMid: 0, inventory: 0, costs: 0, unreconciled: 0 },
    termsUsd: { edge: 0, inventory: 0, costs: 0, unreconciled: 0 },
  })

  test('divide what has been so far; a row of no length without a fill goes into the day before', () => {
    const days = createDayRows()
    days.begin(MONDAY)
    days.end(MONDAY + DAY_MS, sums(5, 1))
    days.end(MONDAY + 2 * DAY_MS, sums(3, 4))
    days.end(MONDAY + 2 * DAY_MS, sums(4, 4))
    expect(days.rows().map(({ pnlUsd, fills, turnoverUsd }) => [pnlUsd, fills, turnoverUsd])).toEqual([
      [5, 1, 1],
      [-1, 3, 3],
    ])
  })

  test('a fill at the last midnight of a run has a day of its own', () => {
    const days = createDayRows()
    days.begin(MONDAY)
    days.end(MONDAY + DAY_MS, sums(5, 1))
    days.end(MONDAY + DAY_MS, sums(7, 2))
    expect(days.rows().map(({ day, pnlUsd, fills }) => [day, pnlUsd, fills])).toEqual([
      [MONDAY, 5, 1],
      [MONDAY + DAY_MS, 2, 1],
    ])
  })

  test('a stump at either end goes to its neighbour, so that no PnL is lost', () => {
    const days = createDayRows()
    days.begin(MONDAY + 20 * HOUR_MS)
    ;[1, 2, 3].forEach((day) => days.end(MONDAY + day * DAY_MS, sums(day, day)))
    days.end(MONDAY + 3 * DAY_MS + HOUR_MS, sums(10, 10))
    expect(wholeDays(days.rows())).toMatchObject([
      { to: MONDAY + 2 * DAY_MS, pnlUsd: 2 },
      { to: MONDAY + 3 * DAY_MS + HOUR_MS, pnlUsd: 8 },
    ])
  })

  test('a single day is a day, however short', () => {
    const days = createDayRows()
    days.begin(MONDAY)
    days.end(MONDAY + HOUR_MS, sums(1, 1))
    expect(wholeDays(days.rows())).toHaveLength(1)
  })
})

describe('the band of the equity', () => {
  const days = Array.from({ length: 30 }, (_, index) => ({
    to: MONDAY + (index + 1) * DAY_MS,
    pnlUsd: index % 2 === 0 ? 3 : -1,
  }))
  const path = {
    t: Float64Array.from({ length: 31 }, (_, index) => MONDAY + index * DAY_MS),
    values: Float64Array.from({ length: 31 }, (_, index) => 800 + index),
  }

  test('is nothing wide at the opening, holds the path, and widens', () => {
    const { low, high } = equityBand(path, MONDAY, days, 1)
    expect([low[0], high[0]]).toEqual([800, 800])
    expect(path.values.every((value, index) => low[index]! <= value && value <= high[index]!)).toBe(true)
    expect(high[30]! - low[30]!).toBeGreaterThan(high[3]! - low[3]!)
    // Independent days of sd 2 would give 2 * 1.645 * 2 sqrt(30) = 36; blocks that alternate cancel more.
    expect(high[30]! - low[30]!).toBeLessThan(40)
  })

  test('is equal for equal seeds, and straight between day ends', () => {
    const between = { t: Float64Array.of(MONDAY + DAY_MS / 2), values: Float64Array.of(800) }
    const half = equityBand(between, MONDAY, days, 1)
    const whole = equityBand(path, MONDAY, days, 1)
    expect(half.high[0]! - 800).toBeCloseTo((whole.high[1]! - 801) / 2, 10)
    expect(equityBand(path, MONDAY, days, 1)).toEqual(whole)
  })

  test('is a hole where there are fewer than five days', () => {
    const { low, high } = equityBand(path, MONDAY, days.slice(0, 4), 1)
    expect([...low, ...high].every(Number.isNaN)).toBe(true)
  })

  test('over many years it is looked at now and then only', () => {
    const years = Array.from({ length: 4_000 }, (_, index) => ({
      to: MONDAY + (index + 1) * DAY_MS,
      pnlUsd: index % 3,
    }))
    const { low, high } = equityBand(
      { t: Float64Array.of(MONDAY + 4_000 * DAY_MS), values: Float64Array.of(0) },
      MONDAY,
      years,
      1,
    )
    expect(low[0]).toBeLessThan(0)
    expect(high[0]).toBeGreaterThan(0)
  })
})
