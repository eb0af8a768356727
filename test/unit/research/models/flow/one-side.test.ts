import { describe, expect, it } from 'vitest'
import { bestOneSide, type OneSide, oneSideIncome } from '../../../../../src/research/models/flow/one-side.ts'

const SIDE: OneSide = {
  retailUsdPerDay: 13_200,
  reservationBps: 80,
  poolUsd: 15_000,
  looksPerDay: 0,
  informedTau: 15,
  margin: 20,
  ghat: 0,
  gapSd: 20,
  rivalBps: [],
  toleranceBps: 5,
}

describe('the income of one side in a day', () => {
  it('without informed takers is largest at the mean reservation spread', () => {
    expect(bestOneSide(SIDE)?.bps).toBe(80)
    expect(oneSideIncome(80, SIDE)).toBeCloseTo((13_200 * 80 * Math.exp(-1)) / 1e4, 8)
  })

  it('is shared within the tolerance of a rival and gone beyond it', () => {
    const rival = { ...SIDE, rivalBps: [60] }
    expect(oneSideIncome(60, rival)).toBeCloseTo(oneSideIncome(60, SIDE) / 2, 10)
    expect(oneSideIncome(66, rival)).toBe(0)
    expect(bestOneSide(rival)?.bps).toBe(54)
  })

  it('below the fair value every taker comes, and each costs', () => {
    expect(oneSideIncome(40, { ...SIDE, ghat: 60 })).toBeCloseTo((13_200 * -20) / 1e4, 8)
  })

  it('is worth no spread where informed takers come more often than retail', () => {
    expect(bestOneSide({ ...SIDE, looksPerDay: 1000, gapSd: 200 })).toBeNull()
  })
})
