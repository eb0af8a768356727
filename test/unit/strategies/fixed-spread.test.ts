import { describe, expect, it } from 'vitest'
import fixedSpread from '../../../strategies/fixed-spread.ts'
import { contextAt, refusals } from './support.ts'

describe('fixed-spread', () => {
  it('quotes the same whatever the inventory', () => {
    const params = fixedSpread.params.parse({ bidBps: 40, askBps: 70 })
    for (const imbalance of [-1, -0.3, 0, 0.3, 1]) {
      const quote = fixedSpread.quote(contextAt(imbalance), fixedSpread.init(params), params, {})
      expect(quote).toEqual({
        bidBps: 40,
        askBps: 70,
        reasons: ['fixed: bid 40, ask 70'],
        terms: [{ name: 'half-spread', bidBps: 40, askBps: 70 }],
      })
    }
  })

  it('takes spreads from 10 to 500 and refuses what is outside, missing, broken or unknown', () => {
    expect(refusals(fixedSpread.params, { bidBps: 10, askBps: 500 })).toEqual([])
    expect(refusals(fixedSpread.params, { bidBps: 9, askBps: 501 })).toEqual([
      expect.stringMatching(/^bidBps: .*>=10$/),
      expect.stringMatching(/^askBps: .*<=500$/),
    ])
    expect(refusals(fixedSpread.params, { bidBps: 60 })).toHaveLength(1)
    expect(refusals(fixedSpread.params, { bidBps: 60.5, askBps: 60 })).toHaveLength(1)
    expect(refusals(fixedSpread.params, { bidBps: 60, askBps: 60, spread: 1 })).toHaveLength(1)
  })
})
