import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { glftRule, glftSpreads } from '../../../../../src/core/models/glft.ts'
import {
  type BoundedMarket,
  glftExact,
  glftStationary,
} from '../../../../../src/research/models/quotes/glft-exact.ts'

const PAPER: BoundedMarket = { a: 0.9, k: 0.3, sigmaBps: 0.3, riskAversion: 0.01, limitLots: 30 }
const log = (least: number, most: number) =>
  fc.double({ min: least, max: most, noNaN: true }).map((x) => 10 ** x)
const wild = fc.record({
  a: log(-9, 9),
  k: log(-6, 6),
  sigmaBps: log(-6, 6),
  riskAversion: log(-9, 6),
  limitLots: fc.integer({ min: 1, max: 12 }),
  driftBpsPerDay: fc.constantFrom(0, -1e6, 1e-3, 5, 1e6),
  adverseBps: fc.constantFrom(0, 1e-6, 3, 1e4),
})

describe('exact quotes under an inventory limit', () => {
  test('far from the end are those of the ground state, and right before it the base alone', () => {
    const stationary = glftStationary(PAPER).quotes
    const far = glftExact(PAPER, 1e7)
    const end = glftExact(PAPER, 0)
    const { baseBps } = glftRule(PAPER)
    for (const lots of [-30, -7, 0, 1, 29]) {
      expect(far?.buyBps(lots)).toBeCloseTo(stationary.buyBps(lots) ?? NaN, 9)
      expect(end?.buyBps(lots)).toBeCloseTo(baseBps, 12)
    }
  })

  test('satisfy the equation of the paper: v decays as its tridiagonal matrix says', () => {
    const days = 3
    const ratio = (quotes: ReturnType<typeof glftExact>, lots: number) =>
      Math.exp(-PAPER.k * ((quotes?.buyBps(lots) ?? NaN) - glftRule(PAPER).baseBps))
    // d/dT ln(v_q+1 / v_q) by differences, against the right-hand side with the same ratios.
    const h = 1e-4
    const [before, now, after] = [days - h, days, days + h].map((at) => glftExact(PAPER, at))
    const penalty = (PAPER.k * PAPER.riskAversion * PAPER.sigmaBps ** 2) / 2
    const eta =
      PAPER.a * Math.exp(-(1 + PAPER.k / PAPER.riskAversion) * Math.log1p(PAPER.riskAversion / PAPER.k))
    for (const lots of [-4, 0, 9]) {
      const slope = (Math.log(ratio(after ?? null, lots)) - Math.log(ratio(before ?? null, lots))) / (2 * h)
      const up = (q: number) => ratio(now ?? null, q)
      const rate = (q: number) => -penalty * q * q + eta * (up(q) + 1 / up(q - 1))
      expect(slope).toBeCloseTo(rate(lots + 1) - rate(lots), 7)
    }
  })

  test('near the target are those of the closed form, also with drift and adverse selection', () => {
    const market = { ...PAPER, sigmaBps: 0.1, driftBpsPerDay: 2e-4, adverseBps: 1 }
    const rule = glftRule(market)
    const { quotes } = glftStationary(market)
    for (const lots of [-3, 0, 4]) {
      const closed = glftSpreads(rule, lots)
      expect(Math.abs((quotes.buyBps(lots) ?? NaN) / closed.buyBps - 1)).toBeLessThan(0.002)
      expect(Math.abs((quotes.sellBps(lots) ?? NaN) / closed.sellBps - 1)).toBeLessThan(0.002)
    }
  })

  test('are the same for dollars and shillings when nothing drifts, and off where the limit forbids the side', () => {
    const quotes = glftExact(PAPER, 600)
    for (let lots = -29; lots <= 30; lots++)
      expect(quotes?.sellBps(lots)).toBeCloseTo(quotes?.buyBps(-lots) ?? NaN, 10)
    expect([quotes?.buyBps(30), quotes?.sellBps(-30)]).toEqual([null, null])
  })

  test('for any parameters buy dollars wider and sell them tighter the more there are, or are null as a whole', () => {
    fc.assert(
      fc.property(wild, log(-6, 9), (market, days) => {
        for (const quotes of [glftExact(market, days), glftStationary(market).quotes]) {
          if (quotes === null) continue
          const rows = Array.from(
            { length: 2 * market.limitLots },
            (_, i) => quotes.buyBps(i - market.limitLots) ?? NaN,
          )
          expect(rows.every(Number.isFinite)).toBe(true)
          const slack = 1e-7 * (1 + Math.max(...rows.map(Math.abs)) + 1 / market.k)
          for (const [i, bps] of rows.slice(1).entries())
            expect(bps).toBeGreaterThan((rows[i] ?? NaN) - slack)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('for any parameters leave an inventory that scatters within the limit', () => {
    fc.assert(
      fc.property(wild, (market) => {
        const { sdLots, halfLifeDays } = glftStationary(market)
        expect(sdLots).toBeGreaterThanOrEqual(0)
        expect(sdLots).toBeLessThanOrEqual(market.limitLots)
        expect(halfLifeDays).toBeGreaterThan(0)
      }),
      { numRuns: 300 },
    )
  })
})
