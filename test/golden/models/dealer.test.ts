import { describe, expect, test } from 'vitest'
import { answerOf, figure } from '../../support/model-answer.ts'

describe('the FX dealer of Barzykin, Bergault and Gueant, quant.md 2.3 (Risk, September 2022)', () => {
  const tiers = [
    { alpha: -0.3, beta: 5 },
    { alpha: -1.9, beta: 15 },
  ]
  const market = {
    lambdaPerDay: 1800,
    sizes: [1, 2, 5, 10, 20, 50],
    weights: [0.4, 0.25, 0.19, 0.1, 0.05, 0.01],
    sigma: 50,
    gamma: 0.002,
    eta: 1e-5,
    phi: 0.1,
    k: 0.005,
    T: 0.05,
    Q: 250,
  }
  const answer = answerOf('dealer', { ...market, tiers })

  test('no inventory, 1 M, tier 1: bid-ask .5484 by the HJB, published .55', () => {
    expect(figure(answer, 'hjb.spreadAtZero')).toBeCloseTo(0.5484, 4)
  })

  test('hedging outside starts at 15 M', () => {
    expect(figure(answer, 'hjb.hedgeThreshold')).toBe(15)
  })

  test('myopic tier 1: 2 delta .53998, W .34995389, hit .25923, H(0)/lambda .06999078', () => {
    for (const found of [answer, answerOf('dealer', { ...market, ...tiers[0], Q: 50 })]) {
      expect(2 * figure(found, 'myopic.delta')).toBeCloseTo(0.53998, 5)
      expect(figure(found, 'myopic.w')).toBeCloseTo(0.34995389, 8)
      expect(figure(found, 'myopic.hit')).toBeCloseTo(0.25923, 5)
      expect(figure(found, 'myopic.h')).toBeCloseTo(0.06999078, 8)
    }
  })

  test('quadratic closure of both tiers: a .0110130', () => {
    expect(figure(answer, 'closure.a')).toBeCloseTo(0.011013, 7)
  })

  test('a horizon of .05 days is long: the figures are those without one', () => {
    const { T, ...stationary } = { ...market, tiers }
    expect(T).toBe(0.05)
    expect(answerOf('dealer', stationary)).toEqual(answer)
  })
})
