import { describe, expect, test } from 'vitest'
import { normalCdf, normalDensity } from '../../src/core/models/distributions.ts'
import { dailyRate, millerOrr } from '../../src/treasury/policy/sizing/miller-orr.ts'
import {
  economicOrderQuantity,
  newsvendor,
  powerApproximation,
  withUndershoot,
} from '../../src/treasury/policy/sizing/order-levels.ts'

/** Equal to twelve digits: what is left is the last bit of the quantile functions. */
const equals = (actual: number, published: number, digits = 1e-9) =>
  expect(Math.abs(actual / published - 1)).toBeLessThan(digits)

describe('published numbers of stock theory', () => {
  const month = { mean: 50, sd: 8 }
  const costs = { holding: 0.18, short: 0.7, order: 2.5 }

  test("the newsvendor's level and cost are those of stockpyl", () => {
    const { level, cost } = newsvendor(month, costs)
    equals(level, 56.60395592743389)
    equals(cost, 1.9976051931766445)
  })

  test('the power approximation gives the (s,S) of stockpyl', () => {
    const { reorder, upTo } = powerApproximation(month, costs)
    equals(reorder, 40.19461695647407, 1e-12)
    equals(upTo, 74.29017010980579, 1e-12)
  })

  test('the economic order quantity is that of stockpyl', () => {
    equals(economicOrderQuantity(1300, { order: 8, holding: 0.225 }), 304.0467800264368, 1e-14)
  })
})

describe('looking once a day is not looking without a pause', () => {
  const day = { mean: 100, sd: 40 }

  test('the undershoot of the published example has mean 58 and variance 1,569.33', () => {
    const during = withUndershoot(day, { mean: 0, sd: 0 })
    expect(during.mean).toBeCloseTo(58, 10)
    expect(during.sd ** 2).toBeCloseTo(1569.33, 2)
  })

  test('the level of the continuous formula serves about three quarters where it is looked at once a day', () => {
    const { mean, sd } = withUndershoot(day, day)
    const z = (113.79 - mean) / sd
    const short = sd * (normalDensity(z) - z * normalCdf(-z))
    const served = 1 - short / 200
    expect(served).toBeGreaterThan(0.73)
    expect(served).toBeLessThan(0.77)
  })
})

describe('published numbers of Miller and Orr', () => {
  test('a lower limit of 10,000 returns to 15,526.05 and has its upper limit at 26,578.14', () => {
    const { target, upper } = millerOrr({
      varianceADay: 6_000_000,
      cost: 15,
      rateADay: 0.0004,
      lower: 10_000,
    })
    equals(upper - 10_000, 16_578.141744)
    equals(target, 15_526.047248)
    equals(upper, 26_578.141744)
  })

  test('the spread of the second published example is 8,689.40', () => {
    const { upper } = millerOrr({ varianceADay: 270_000, cost: 30, rateADay: 0.00025, lower: 0 })
    equals(upper, 8_689.404462)
  })

  test('9 % a year over 360 days returns to 17,211.25, and over 365 days to 17,244.48', () => {
    const flow = { varianceADay: 2500 ** 2, cost: 20, lower: 10_000 }
    const over360 = millerOrr({ ...flow, rateADay: dailyRate(0.09, 360) })
    equals(over360.target, 17_211.247852)
    equals(over360.upper, 31_633.743555)
    equals(over360.average, 19_614.997, 1e-7)
    equals(millerOrr({ ...flow, rateADay: dailyRate(0.09, 365) }).target, 17_244.48, 1e-7)
  })

  test('the limits of a published answer that mixes target and upper limit are not ours', () => {
    const { target, upper } = millerOrr({ varianceADay: 20_000, cost: 100, rateADay: 0.0003, lower: 10_000 })
    equals(target, 11_709.976, 1e-7)
    equals(upper, 15_129.928, 1e-7)
  })
})
