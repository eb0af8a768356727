import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { glftRule } from '../../../../../src/core/models/glft.ts'
import { sizedQuotes, type SizedMarket } from '../../../../../src/research/models/quotes/sized-quotes.ts'

const MARKET: SizedMarket = {
  a: 40,
  k: 1 / 60,
  sigmaBps: 25,
  riskAversion: 0.002,
  size: 1,
  fillAversion: 0.002,
}

describe('quotes for trades of one size', () => {
  test('of one unit are those of the closed form without sizes, under both objectives', () => {
    for (const objective of ['cara', 'penalty'] as const) {
      const rule = glftRule({ ...MARKET, objective })
      const quotes = sizedQuotes({ ...MARKET, fillAversion: objective === 'cara' ? MARKET.riskAversion : 0 })
      expect(quotes.skewBpsPerUnit).toBeCloseTo(rule.skewBpsPerLot, 12)
      expect(quotes.halfSpreadBps).toBeCloseTo(rule.baseBps + rule.skewBpsPerLot / 2, 12)
    }
  })

  test('under a fill aversion that goes to 0 are those of the running penalty', () => {
    const penalty = sizedQuotes({ ...MARKET, fillAversion: 0 })
    const almost = sizedQuotes({ ...MARKET, fillAversion: 1e-12 })
    expect(almost.halfSpreadBps).toBeCloseTo(penalty.halfSpreadBps, 6)
    expect(almost.skewBpsPerUnit).toBeCloseTo(penalty.skewBpsPerUnit, 6)
  })

  test('are finite and positive for everything that the command admits short of an overflow', () => {
    const log = (least: number, most: number) =>
      fc.double({ min: least, max: most, noNaN: true }).map((x) => 10 ** x)
    const market = fc.record({
      a: log(-9, 12),
      k: log(-9, 6),
      sigmaBps: log(-6, 6),
      riskAversion: log(-12, 6),
      size: log(-9, 9),
      fillAversion: fc.oneof(fc.constant(0), log(-12, 6)),
    })
    fc.assert(
      fc.property(market, (drawn) => {
        const { halfSpreadBps, skewBpsPerUnit } = sizedQuotes(drawn)
        expect(halfSpreadBps).toBeGreaterThan(0)
        expect(skewBpsPerUnit).toBeGreaterThanOrEqual(0)
        expect(Number.isNaN(halfSpreadBps) || Number.isNaN(skewBpsPerUnit)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})
