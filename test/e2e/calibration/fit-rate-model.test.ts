import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/base/time.ts'
import { fitRateModel, type Seen } from '../../../src/research/models/fair-value/fit-rate-model.ts'
import { drawWorld, prepareScenario } from '../../../src/research/scenarios/draw/world.ts'
import { shippedScenario } from '../../support/shipped-scenario.ts'

const BEGIN = Date.UTC(2024, 0, 1)
const rateOf = (bps: number) => 2_500 * Math.exp(bps / 1e4)
const NORMAL = prepareScenario(shippedScenario('normal'), 90)

/** What a tape of a world has: its updates, and a feed of this error for the last `feedDays`. */
function tapeOf(seed: number, days: number, tauBps: number, feedDays: number) {
  const world = drawWorld(NORMAL, seed)
  const updates: Seen[] = [{ t: BEGIN - (17 / 24) * DAY_MS, tzsPerUsd: rateOf(0) }]
  for (const { hour, bps } of world.updates)
    if (hour < days * 24) updates.push({ t: BEGIN + hour * HOUR_MS, tzsPerUsd: rateOf(bps) })
  const readings: Seen[] = []
  for (let step = (days - feedDays) * 48; step < days * 48; step++) {
    if (world.feed.isUp[step] !== 1) continue
    const bps = (world.rate[Math.floor(step / 2)] ?? 0) + tauBps * (world.feed.error[step] ?? 0)
    readings.push({ t: BEGIN + (step * HOUR_MS) / 2, tzsPerUsd: rateOf(bps) })
  }
  return { updates, readings }
}

const TRUTH = { sigmaBps: 21.3, followShare: 0.65, publicationNoiseBps: 7 }
type Name = keyof typeof TRUTH | 'errorBps'

function fitsOf(seeds: number, ...market: readonly [days: number, tauBps: number, feedDays: number]) {
  return Array.from({ length: seeds }, (_, index) => {
    const { updates, readings } = tapeOf(index + 1, ...market)
    return fitRateModel(updates, readings)
  })
}

/** In which share of the worlds the 90 % interval has the truth. */
function covered(fits: ReturnType<typeof fitsOf>, name: Name, truth: number): number {
  const inside = fits.filter((fit) => {
    const { low, high } = fit?.[name] ?? { low: NaN, high: NaN }
    return low <= truth && truth <= high
  })
  return inside.length / fits.length
}

describe('the parameters of the filter from a quarter of updates alone', () => {
  it('have 90 % intervals that cover the truth in 84 % of fifty worlds or more, and not the whole range', () => {
    const fits = fitsOf(50, 90, 0, 0)
    for (const name of ['sigmaBps', 'followShare', 'publicationNoiseBps'] as const)
      expect(covered(fits, name, TRUTH[name])).toBeGreaterThanOrEqual(0.84)
    expect(covered(fits, 'sigmaBps', 45)).toBeLessThan(0.1)
    expect(covered(fits, 'publicationNoiseBps', 16)).toBeLessThan(0.1)
  })
})

describe('with a feed', () => {
  it('of four days its error is measured within its interval in most worlds, and so is the volatility', () => {
    const fits = fitsOf(10, 6, 25, 4)
    expect(covered(fits, 'errorBps', 25)).toBeGreaterThanOrEqual(0.7)
    expect(covered(fits, 'sigmaBps', TRUTH.sigmaBps)).toBeGreaterThanOrEqual(0.7)
    expect(covered(fits, 'errorBps', 90)).toBe(0)
  })

  it('a good feed and a bad feed get different errors', () => {
    const errorOf = (tauBps: number) => {
      const { updates, readings } = tapeOf(3, 9, tauBps, 5)
      return fitRateModel(updates, readings)?.errorBps
    }
    expect(errorOf(10)?.high).toBeLessThan(errorOf(50)?.low ?? 0)
  })
})

describe('a tape that cannot tell', () => {
  it('of a few days leaves the defaults with their intervals, and marks them', () => {
    const { updates } = tapeOf(1, 5, 0, 0)
    const fit = fitRateModel(updates, [])
    expect(fit?.followShare).toMatchObject({ value: expect.closeTo(0.65, 9) as number, isMeasured: false })
    expect(fit?.errorBps).toBeNull()
  })

  it('without a second update has no fit', () => {
    const { updates, readings } = tapeOf(1, 1, 25, 1)
    expect(fitRateModel(updates, readings)).toBeNull()
  })

  it('on which nothing ever moves still gives numbers', () => {
    const updates = Array.from({ length: 30 }, (_, day) => ({ t: BEGIN + day * DAY_MS, tzsPerUsd: 2_500 }))
    const fit = fitRateModel(updates, updates)
    for (const figure of [fit?.sigmaBps, fit?.followShare, fit?.publicationNoiseBps, fit?.errorBps])
      expect([figure?.value, figure?.low, figure?.high].every(Number.isFinite)).toBe(true)
  })
})
