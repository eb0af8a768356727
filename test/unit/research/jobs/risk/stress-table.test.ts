import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LATER_LIMITS_OFF, type RiskSettings } from '../../../../../src/core/risk/risk-settings.ts'
import type { RiskPosition } from '../../../../../src/research/jobs/risk/risk-position.ts'
import { stressTable } from '../../../../../src/research/jobs/risk/stress-table.ts'
import { exampleRiskPosition } from './example-risk-position.ts'

const OFF: RiskSettings = {
  ...LATER_LIMITS_OFF,
  maxMidAgeMs: null,
  maxMidStepBps: 150,
  maxLossTzs: null,
  maxDrawdownTzs: null,
  maxFillsPerMinute: null,
  maxVolumePerDayUsd: null,
  errorCyclesThreshold: 3,
  unexplainedGraceMs: 30_000,
}
const tableOf = (position: Partial<RiskPosition>, risk: Partial<RiskSettings> = {}) =>
  stressTable(exampleRiskPosition(position), 20, 25, { ...OFF, ...risk })
const [THREE, FIVE, TEN, FEED, VENUE, FLOW] = [0, 1, 2, 3, 4, 5]

describe('the stress table', () => {
  test('revalues the position, and sells all dollars at the old mid and our bid', () => {
    const stress = tableOf({})[FIVE]
    // 50,000,000 at 2,500 are 20,000 dollars; at 2,625 they are 19,047.62.
    expect(stress?.held).toEqual({ usd: expect.closeTo(952.38, 2), tzs: expect.closeTo(-1_250_000, 0) })
    // Then 10,000 dollars bring 2,515 each, which is worth 9,580.95.
    expect(stress?.taken).toEqual({ usd: expect.closeTo(1_371.43, 2), tzs: expect.closeTo(-150_000, 0) })
    expect(stress?.limited).toEqual(stress?.taken)
  })

  test('closes the losing side only where a live feed is further from the mid than the limit', () => {
    const limit = { maxReferenceDeviationBps: 300 }
    const stresses = tableOf({}, limit)
    // A fall of 3 % is 291 bps of the feed.
    expect(stresses[THREE]?.limited).toEqual(stresses[THREE]?.taken)
    expect(stresses[THREE]?.limits[0]).toContain('does not act: 291 bps')
    expect(stresses[FIVE]?.limited).toEqual(stresses[FIVE]?.held)
    const blind = tableOf({ hasLiveFeed: false }, limit)
    expect(blind[TEN]?.limited).toEqual(blind[TEN]?.taken)
    expect(blind[TEN]?.limits[0]).toContain('no feed is live')
  })

  test('counts only what inventory and volume limits let go, and with a venue that is down no limit', () => {
    const stresses = tableOf(
      { limited: { bid: 4_000, ask: 4_000 } },
      { maxVolumePerDayUsd: 1_000n * 10n ** 18n },
    )
    const lost = (at: number) => stresses[at]?.limited.usd ?? 0
    const held = (at: number) => stresses[at]?.held.usd ?? 0
    const each = (stresses[TEN]?.taken.usd ?? 0) - held(TEN)
    expect(lost(TEN) - held(TEN)).toBeCloseTo(each / 10, 6)
    const flow = (stresses[FLOW]?.taken.usd ?? 0) - held(FLOW)
    expect(lost(FLOW) - held(FLOW)).toBeCloseTo((flow * 4_000) / 10_000, 6)
    expect(stresses[VENUE]?.limited).toEqual(stresses[VENUE]?.taken)
  })

  test('takes the worse direction of each currency, and without a feed the mark of the venue', () => {
    const flat = tableOf({})[FEED]
    expect(flat?.held.usd).toBeGreaterThan(0)
    expect(flat?.held.tzs).toBeGreaterThan(0)
    expect(tableOf({ tzsPerUsd: 2_400 })[FEED]?.held.usd).toBeGreaterThan(flat?.held.usd ?? Infinity)
  })

  test('buys dollars with all shillings at the ask, which is below the mid', () => {
    const position = { ntzs: 25_000_000, usd: 0, payable: { bid: 0, ask: 10_000 } }
    const stress = tableOf(position)[FLOW]
    const lowest = 2_500 * Math.exp((-2.326347874 * 20 * Math.sqrt(5)) / 1e4)
    const bought = 25_000_000 / (2_500 * 0.994)
    expect(stress?.taken.tzs).toBeCloseTo(25_000_000 - bought * lowest, 0)
  })

  test('names the halt where the loss in shillings is over the limit, with the PnL so far', () => {
    const limits = (pnlTzs: number | null) =>
      tableOf({ pnlTzs }, { maxLossTzs: 1_000_000n * 10n ** 36n })[VENUE]?.limits.at(-1)
    expect(limits(0)).toBe('loss does not halt (risk.maxLossTzs 1,000,000)')
    expect(limits(-900_000)).toBe('loss halts (risk.maxLossTzs 1,000,000)')
    expect(limits(null)).toContain('unknown')
  })

  test('loses more in a larger devaluation, and never less where more is taken', () => {
    const amount = fc.integer({ min: 0, max: 1e6 })
    fc.assert(
      fc.property(amount, amount, fc.option(fc.integer({ min: 10, max: 500 })), (usd, ntzs, bidBps) => {
        const payable = { bid: usd, ask: ntzs / 2_500 }
        const stresses = tableOf({ usd, ntzs, bidBps, payable, limited: payable }).slice(THREE, FEED)
        for (const { held, taken, limited } of stresses) {
          expect(taken.usd).toBeGreaterThanOrEqual(held.usd - 1e-6)
          expect(limited.usd).toBeLessThanOrEqual(taken.usd + 1e-6)
        }
        const [first = 0, second = 0, third = 0] = stresses.map(({ taken }) => taken.usd)
        expect(second).toBeGreaterThanOrEqual(first - 1e-6)
        expect(third).toBeGreaterThanOrEqual(second - 1e-6)
      }),
    )
  })
})
