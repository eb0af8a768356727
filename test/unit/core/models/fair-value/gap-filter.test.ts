import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import {
  estimateGap,
  type GapSettings,
  addReading,
  addUpdate,
  keepFeeds,
  startGapFilter,
} from '../../../../../src/core/models/fair-value/gap-filter.ts'
import { DEFAULT_RATE_MODEL } from '../../../../../src/core/models/fair-value/rate-model.ts'

/** A Monday, 00:00 UTC. */
const MONDAY = Date.UTC(2024, 0, 1)
const MID = 2_500
const settings: GapSettings = { ...DEFAULT_RATE_MODEL, feeds: {} }
const at = (days: number) => MONDAY + days * DAY_MS
const above = (bps: number) => MID * Math.exp(bps / 1e4)
const started = (over: GapSettings = settings) => startGapFilter(over, MID, at(7 / 24))
const gap = (filter: ReturnType<typeof started>, days: number, over: GapSettings = settings) =>
  estimateGap(filter, over, at(days), MID)

describe('the filter of the true rate', () => {
  it('begins with no gap and an error that is wider than the walk since the day that the update describes', () => {
    const { gapBps, errorBps, sources } = gap(started(), 7 / 24)
    expect(Math.abs(gapBps)).toBeLessThan(1e-9)
    expect(errorBps).toBeGreaterThan(21 * Math.sqrt(1 / 4 + 7 / 24))
    expect(errorBps).toBeLessThan(60)
    expect(sources).toEqual([])
  })

  it('is less certain with every hour in which nothing is received, and not at a weekend that does not move', () => {
    const filter = started()
    const errors = [0.5, 1, 2, 4.5, 5].map((day) => gap(filter, day).errorBps)
    for (const [index, error] of errors.entries())
      if (index > 0) expect(error).toBeGreaterThan(errors[index - 1]!)
    expect(gap(filter, 6.9).errorBps).toBeCloseTo(errors.at(-1)!, 9)
    expect(gap(filter, 6.9, { ...settings, weekendMovement: 1 }).errorBps).toBeGreaterThan(errors.at(-1)! + 5)
  })

  it('believes a feed without error and forgets it as the rate moves on', () => {
    const exact = { ...settings, feeds: { board: { errorBps: 0, errorHalfLifeDays: 0.25 } } }
    const filter = started(exact)
    addReading(filter, exact, { name: 'board', t: at(0.5), tzsPerUsd: above(62) })
    expect(gap(filter, 0.5, exact)).toMatchObject({ gapBps: expect.closeTo(62, 9) as number, errorBps: 0 })
    expect(gap(filter, 0.9, exact).errorBps).toBeCloseTo(21 * Math.sqrt(0.4), 0)
  })

  it('does not take the readings of one feed for independent ones, however many there are in a day', () => {
    const filter = started({ ...settings, feeds: { f: { errorBps: 25, errorHalfLifeDays: 30 } } })
    const slow = { ...settings, feeds: { f: { errorBps: 25, errorHalfLifeDays: 30 } } }
    for (let half = 0; half < 48; half++)
      addReading(filter, slow, { name: 'f', t: at(0.5) + (half * HOUR_MS) / 2, tzsPerUsd: above(40) })
    const { errorBps, sources } = gap(filter, 1.5, slow)
    expect(errorBps).toBeGreaterThan(14)
    expect(errorBps).toBeLessThan(25)
    expect(sources[0]).toMatchObject({ name: 'f', bps: expect.closeTo(40, 9) as number })
  })

  it('lets a corrected figure take the place of the wrong one of the same day', () => {
    const [honest, corrected] = [started(), started()]
    addUpdate(honest, settings, at(1.3), above(5))
    addUpdate(corrected, settings, at(1.3), above(355))
    addUpdate(corrected, settings, at(1.4), above(5))
    expect(gap(corrected, 3)).toEqual(gap(honest, 3))
  })

  it('expects the mid to go on where one update has moved it', () => {
    const filter = started()
    addUpdate(filter, settings, at(1.3), above(30))
    expect(estimateGap(filter, settings, at(1.3), above(30)).gapBps).toBeGreaterThan(10)
  })

  it('forgets a feed that is left out and keeps what it has shown of the rate', () => {
    const filter = started()
    for (const name of ['one', 'two', 'three'])
      addReading(filter, settings, { name, t: at(0.5), tzsPerUsd: above(50) })
    addReading(filter, settings, { name: 'two', t: at(0.6), tzsPerUsd: above(50) })
    const before = gap(filter, 1)
    addReading(filter, settings, { name: 'two', t: at(0.7), tzsPerUsd: above(50) })
    keepFeeds(filter, (name) => name === 'two')
    const after = gap(filter, 1)
    expect(after.sources.map(({ name }) => name)).toEqual(['two'])
    expect(after.gapBps).toBeGreaterThan(0.9 * before.gapBps)
    expect(filter.covariance).toHaveLength(36)
  })
})

const model = fc.record({
  sigmaBps: fc.double({ min: 1, max: 500, noNaN: true }),
  driftSdBpsPerDay: fc.double({ min: 0, max: 500, noNaN: true }),
  driftHalfLifeDays: fc.double({ min: 0.25, max: 1_000, noNaN: true }),
  followShare: fc.double({ min: 0.01, max: 1, noNaN: true }),
  publicationNoiseBps: fc.double({ min: 0, max: 200, noNaN: true }),
  weekendMovement: fc.double({ min: 0, max: 1, noNaN: true }),
  feeds: fc.record({
    a: fc.record({
      errorBps: fc.double({ min: 0, max: 1_000, noNaN: true }),
      errorHalfLifeDays: fc.double({ min: 0.01, max: 365, noNaN: true }),
    }),
    b: fc.record({
      errorBps: fc.constantFrom(0, 1e-3, 25),
      errorHalfLifeDays: fc.double({ min: 0.01, max: 365, noNaN: true }),
    }),
  }),
})
const news = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 3 * DAY_MS }),
    what: fc.constantFrom('a', 'b', 'c', 'update'),
    bps: fc.double({ min: -3_000, max: 3_000, noNaN: true }),
  }),
  { maxLength: 30 },
)

describe('for any parameters that the configuration admits', () => {
  it.each([
    [false, 100],
    [true, 15],
  ])(
    'gap and error are numbers, and the covariance of all figures stays one; judged: %s',
    (judgesFeeds, numRuns) => {
      fc.assert(
        fc.property(model, news, (admitted, received) => {
          const over = { ...admitted, judgesFeeds }
          const filter = started(over)
          let t = at(7 / 24)
          for (const { afterMs, what, bps } of received) {
            t += afterMs
            if (what === 'update') addUpdate(filter, over, t, above(bps))
            else addReading(filter, over, { name: what, t, tzsPerUsd: above(bps) })
          }
          const { gapBps, errorBps, driftBpsPerDay } = estimateGap(filter, over, t + DAY_MS, MID)
          for (const figure of [gapBps, errorBps, driftBpsPerDay]) expect(figure).toSatisfy(Number.isFinite)
          // None is left where a feed is reported to be exact, and nothing moves on the weekend that follows.
          expect(errorBps).toBeGreaterThanOrEqual(0)
          const size = filter.mean.length
          const variance = (place: number) => filter.covariance[place * size + place]!
          for (let row = 0; row < size; row++) {
            expect(variance(row)).toBeGreaterThanOrEqual(0)
            for (let column = 0; column < row; column++) {
              const shared = filter.covariance[row * size + column]!
              expect(filter.covariance[column * size + row]).toBe(shared)
              const most = Math.sqrt(variance(row) * variance(column))
              expect(Math.abs(shared)).toBeLessThanOrEqual(most * (1 + 1e-6) + 1e-6)
            }
          }
        }),
        { numRuns },
      )
    },
  )

  it('what is received in one moment gives one answer in every order', () => {
    fc.assert(
      fc.property(model, fc.shuffledSubarray(['a', 'b', 'c', 'update'], { minLength: 4 }), (over, order) => {
        const answerOf = (names: readonly string[]) => {
          const filter = started(over)
          for (const [index, name] of ['c', 'a'].entries())
            addReading(filter, over, { name, t: at(0.5 + index / 10), tzsPerUsd: above(10) })
          for (const name of names)
            if (name === 'update') addUpdate(filter, over, at(1.3), above(20))
            else
              addReading(filter, over, {
                name,
                t: at(1.3),
                tzsPerUsd: above(7 * name.charCodeAt(0) - 600),
              })
          const { gapBps, errorBps, driftBpsPerDay } = gap(filter, 2.4, over)
          return [gapBps, errorBps, driftBpsPerDay]
        }
        for (const [index, figure] of answerOf(order).entries())
          expect(figure).toBeCloseTo(answerOf(['a', 'b', 'c', 'update'])[index]!, 5)
      }),
    )
  })
})
