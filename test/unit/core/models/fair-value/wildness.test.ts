import { describe, expect, it } from 'vitest'
import { drawNormal, seededRandom } from '../../../../../src/base/random.ts'
import { DEFAULT_RATE_MODEL } from '../../../../../src/core/models/fair-value/rate-model.ts'
import {
  isTypingError,
  learnWildness,
  scaledModel,
  startWildness,
} from '../../../../../src/core/models/fair-value/wildness.ts'

/** The factor on sigma after so many updates that surprise `factor` times as much as the parameters have it. */
function scaleAfter(updates: number, factor: number): number {
  const random = seededRandom(3, 'wildness')
  const wildness = startWildness()
  const scale = () => scaledModel(DEFAULT_RATE_MODEL, wildness).sigmaBps / DEFAULT_RATE_MODEL.sigmaBps
  for (let update = 0; update < updates; update++)
    learnWildness(wildness, factor * 15 * drawNormal(random), (15 * scale()) ** 2)
  return scale()
}

describe('the wildness of the rate', () => {
  it('the rate model equals its parameters before the first update', () => {
    expect(scaledModel(DEFAULT_RATE_MODEL, startWildness())).toBe(DEFAULT_RATE_MODEL)
    expect(scaledModel(DEFAULT_RATE_MODEL, null)).toBe(DEFAULT_RATE_MODEL)
  })

  it('is learned from updates within weeks, up and down, and stays near one where they are as expected', () => {
    expect(scaleAfter(30, 2)).toBeGreaterThan(1.4)
    expect(scaleAfter(30, 0.4)).toBeLessThan(0.75)
    expect(Math.abs(Math.log(scaleAfter(60, 1)))).toBeLessThan(0.3)
  })

  it('moves volatility, drift and noise together and nothing else, within a third and four times', () => {
    const wildness = startWildness()
    for (let update = 0; update < 200; update++) learnWildness(wildness, 1e6, 1)
    expect(scaledModel(DEFAULT_RATE_MODEL, wildness)).toEqual({
      ...DEFAULT_RATE_MODEL,
      sigmaBps: 84,
      driftSdBpsPerDay: 20,
      publicationNoiseBps: 28,
    })
    for (let update = 0; update < 400; update++) learnWildness(wildness, 0, 1)
    expect(scaledModel(DEFAULT_RATE_MODEL, wildness).sigmaBps).toBeCloseTo(21 / 3, 0)
  })
})

describe('an update of the mid', () => {
  it('by a day’s jump of the rate is believed, by a wrong digit it is not', () => {
    for (const bps of [20, 80, 150]) expect(isTypingError(startWildness(), bps, 15 ** 2)).toBe(false)
    for (const bps of [350, -350, 900]) expect(isTypingError(startWildness(), bps, 15 ** 2)).toBe(true)
  })

  it('that comes again the day after is no typing error, however far it is', () => {
    const wildness = startWildness()
    expect([1, 2, 3].map(() => isTypingError(wildness, 400, 15 ** 2))).toEqual([true, false, true])
    expect(isTypingError(wildness, 5, 15 ** 2)).toBe(false)
  })

  it('is believed where as much was expected', () => {
    expect(isTypingError(startWildness(), 350, 150 ** 2)).toBe(false)
  })
})
