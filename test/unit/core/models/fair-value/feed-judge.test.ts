import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import {
  addReading,
  addUpdate,
  estimateGap,
  type GapSettings,
  type GapState,
  startGapFilter,
} from '../../../../../src/core/models/fair-value/gap-filter.ts'
import { DEFAULT_RATE_MODEL } from '../../../../../src/core/models/fair-value/rate-model.ts'
import { drawWorld, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

/** A Monday, 00:00 UTC. */
const BEGIN = Date.UTC(2024, 0, 1)
const MID = 2_500
const TAU_BPS = 25
const settings: GapSettings = {
  ...DEFAULT_RATE_MODEL,
  feeds: { feed: { errorBps: TAU_BPS, errorHalfLifeDays: 0.25 } },
  judgesFeeds: true,
}
const DAYS = 180
const prepared = prepareScenario(shippedScenario('normal'), DAYS)
const worlds = new Map<number, ReturnType<typeof drawWorld>>()
const worldOf = (seed: number) => {
  const world = worlds.get(seed) ?? drawWorld(prepared, seed)
  worlds.set(seed, world)
  return world
}
const rateOf = (bps: number) => MID * Math.exp(bps / 1e4)

type Feed = (trueBps: number, errorBps: number, day: number) => number
const biased =
  (bps: number): Feed =>
  (rate, error) =>
    rate + error + bps

/** Feeds the filter with the updates and two readings a day of a market, from one day to another. */
function watch(filter: GapState, feed: Feed, seed: number, from: number, to: number): GapState {
  const world = worldOf(seed)
  for (let hour = from * 24; hour < to * 24; hour++) {
    for (const { hour: at, bps } of world.updates)
      if (Math.floor(at) === hour) addUpdate(filter, settings, BEGIN + at * HOUR_MS, rateOf(bps))
    if (hour % 3 !== 1) continue
    const shown = feed(world.rate[hour]!, TAU_BPS * world.feed.error[2 * hour]!, hour / 24)
    addReading(filter, settings, { name: 'feed', t: BEGIN + hour * HOUR_MS, tzsPerUsd: rateOf(shown) })
  }
  return filter
}

const started = () => startGapFilter(settings, MID, BEGIN - (17 / 24) * DAY_MS)
/** Three weeks: 15 working days, the last of which is not over. */
const judged = (feed: Feed, seed: number, days = 22) => {
  const { judgement } = watch(started(), feed, seed, 0, days).readings[0]!
  if (judgement === undefined) throw new Error('not judged')
  return judgement
}
const SEEDS = [1, 2, 3, 4, 5, 6]

describe('the judge of a feed', () => {
  it('finds a constant offset of 60 bps within 15 updates', () => {
    const found = SEEDS.map((seed) => judged(biased(60), seed))
    for (const { updates, offsetBps, offsetProbability } of found) {
      expect(updates).toBeLessThanOrEqual(15)
      expect(offsetBps.low).toBeGreaterThan(0)
      expect(offsetProbability).toBeGreaterThan(0.8)
    }
    const holds = found.filter(({ offsetBps: { low, high } }) => low <= 60 && 60 <= high)
    expect(holds.length).toBeGreaterThanOrEqual(5)
  })

  it('reads an unbiased feed nearly as it is', () => {
    for (const seed of SEEDS) {
      const { offsetProbability, terms } = judged(biased(0), seed)
      expect(offsetProbability).toBeLessThan(0.8)
      expect(Math.abs(terms.offsetBps)).toBeLessThan(8)
      expect(terms.errorBps).toBeLessThan(TAU_BPS + 8)
      expect(terms.isLeftOut).toBe(false)
    }
  })

  it('never makes the filter surer of a feed than its configuration', () => {
    const exact: Feed = (rate) => rate
    for (const seed of SEEDS) expect(judged(exact, seed).terms.errorBps).toBeGreaterThanOrEqual(TAU_BPS)
  })

  it('claims no figure more exactly than its hypotheses are apart', () => {
    for (const seed of SEEDS) {
      const { errorBps, delayDays } = judged((rate) => rate, seed, 60)
      expect(errorBps.high / errorBps.low).toBeGreaterThan(2)
      expect(delayDays.high - delayDays.low).toBeGreaterThan(0.4)
    }
  })

  it('widens the error of a feed that errs by three times its stated error', () => {
    const poor: Feed = (rate, error) => rate + 3 * error
    const errors = SEEDS.map((seed) => judged(poor, seed, 50).terms.errorBps)
    for (const error of errors) expect(error).toBeGreaterThan(1.5 * TAU_BPS)
  })

  it('leaves out a feed whose value stopped moving', () => {
    let last = 0
    const stuck: Feed = (rate, error, day) => (day > 15 ? last : (last = rate + error))
    expect(SEEDS.filter((seed) => judged(stuck, seed, 75).terms.isLeftOut).length).toBeGreaterThanOrEqual(4)
  })

  it('moves the estimated gap to the truth in spite of an offset of 100 bps', () => {
    const errors = SEEDS.map((seed) => {
      const filter = watch(started(), biased(100), seed, 0, 40)
      const { gapBps } = estimateGap(filter, settings, BEGIN + 40 * DAY_MS, MID)
      return Math.abs(gapBps - worldOf(seed).rate[40 * 24]!)
    })
    expect(errors.reduce((sum, error) => sum + error, 0) / SEEDS.length).toBeLessThan(25)
  })

  it('continues from a snapshot with equal figures, also after the oldest days are forgotten', () => {
    for (const days of [10, 150, 175]) {
      const filter = watch(started(), biased(30), 1, 0, days)
      const restored = JSON.parse(JSON.stringify(filter)) as GapState
      watch(filter, biased(30), 1, days, days + 5)
      watch(restored, biased(30), 1, days, days + 5)
      expect(restored).toEqual(filter)
    }
  })

  it('is not asked unless the settings say so', () => {
    const filter = startGapFilter({ ...settings, judgesFeeds: false }, MID, BEGIN)
    addReading(filter, { ...settings, judgesFeeds: false }, { name: 'feed', t: BEGIN, tzsPerUsd: MID })
    expect(filter.readings).toEqual([{ name: 'feed', t: BEGIN, bps: 0, isTaken: false }])
  })
})
