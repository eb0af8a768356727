import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bestReply,
  replyValue,
  undercutThreshold,
  undercutWorth,
} from '../../../../../src/core/models/competition/best-reply.ts'

const SIDE = { rivals: 1, best: 66, cost: 20, k: 1 / 60, tolerance: 5 }
const anySide = fc.record({
  rivals: fc.integer({ min: 0, max: 10 }),
  best: fc.integer({ min: 10, max: 500 }),
  cost: fc.double({ min: 0, max: 200, noNaN: true }),
  k: fc.double({ min: 1e-3, max: 0.5, noNaN: true }),
  tolerance: fc.integer({ min: 0, max: 50 }),
})

describe('the best reply to a standing rival', () => {
  it('alone is 1/k above the cost, and never more beside anybody', () => {
    expect(bestReply({ ...SIDE, rivals: 0 })).toBe(80)
    expect(bestReply({ ...SIDE, best: 500 })).toBe(80)
    fc.assert(
      fc.property(anySide, (side) => {
        const reply = bestReply(side)
        // Rounded to whole bps, and the venue admits none below 10.
        if (reply !== null) expect(reply).toBeLessThanOrEqual(Math.max(10, Math.ceil(side.cost + 1 / side.k)))
      }),
    )
  })

  it('is better than every other allowed spread', () => {
    fc.assert(
      fc.property(anySide, fc.integer({ min: 10, max: 500 }), (side, bps) => {
        const reply = bestReply(side)
        const most = reply === null ? 0 : replyValue(reply, side)
        expect(replyValue(bps, side)).toBeLessThanOrEqual(most)
      }),
    )
  })

  it('is null where every spread that is taken lies below the cost', () => {
    expect(bestReply({ ...SIDE, best: 12 })).toBeNull()
    expect(bestReply({ ...SIDE, best: 16 })).toBe(21)
  })

  it('undercuts exactly where the rival is further above the cost than the threshold', () => {
    const threshold = undercutThreshold(SIDE)
    const [above, below] = [Math.ceil(20 + threshold), Math.floor(20 + threshold)]
    expect(bestReply({ ...SIDE, best: above })).toBe(above - 6)
    expect(bestReply({ ...SIDE, best: below })).toBe(below + 5)
  })

  it('has a threshold that is a number at the steepest and at the flattest k', () => {
    expect(undercutThreshold({ rivals: 0, k: 1e-3, tolerance: 0 })).toBeCloseTo(1000.5, 1)
    expect(undercutThreshold({ rivals: 10, k: 100, tolerance: 490 })).toBe(491)
  })
})

describe('a price war', () => {
  const war = { best: 66, cost: 20, k: 1 / 60, tolerance: 5, discountPerDay: 1 / 30 }

  it('is worth less than peace where the rival answers soon, and more where he sleeps', () => {
    const soon = undercutWorth({ ...war, answerDays: 1 })
    const late = undercutWorth({ ...war, answerDays: 30 })
    expect(soon.undercut).toBeLessThan(soon.stay)
    expect(late.undercut).toBeGreaterThan(late.stay)
  })
})
