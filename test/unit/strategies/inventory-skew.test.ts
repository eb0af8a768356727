import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StrategyQuote } from '../../../src/core/strategy/define-strategy.ts'
import inventorySkew from '../../../strategies/inventory-skew.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

const PARAMS = inventorySkew.params.parse({ halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 })

/** What a fresh strategy quotes at this imbalance. */
function quoteAt(imbalance: number, params = PARAMS): StrategyQuote {
  return inventorySkew.quote(contextAt(imbalance), inventorySkew.init(params), params, {})
}

/** What one strategy quotes as the inventory walks. */
function walk(imbalances: readonly number[], params = PARAMS): StrategyQuote[] {
  const state = inventorySkew.init(params)
  return imbalances.map((imbalance) => inventorySkew.quote(contextAt(imbalance), state, params, {}))
}

describe('inventory-skew', () => {
  it('quotes the half-spread on both sides when the inventory is on target', () => {
    expect(quoteAt(0)).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it('with too many dollars lowers the bid, to sell dollars, and raises the ask, to buy fewer', () => {
    expect(quoteAt(0.5)).toMatchObject({ bidBps: 20, askBps: 100 })
  })

  it('with too many shillings raises the bid, to buy fewer shillings, and lowers the ask, to sell them', () => {
    expect(quoteAt(-0.5)).toMatchObject({ bidBps: 100, askBps: 20 })
  })

  it('turns the ask off when nearly all is dollars, for the ask buys more of them', () => {
    const quote = quoteAt(0.95)
    expect(quote.askBps).toBeNull()
    expect(quote.bidBps).toBeCloseTo(60 - 76, 9)
    expect(quote.reasons[1]).toBe('ask off: it would buy even more dollars (back on at 0.80)')
  })

  it('turns the bid off when nearly all is shillings, for the bid buys more of them', () => {
    const quote = quoteAt(-0.95)
    expect(quote.bidBps).toBeNull()
    expect(quote.askBps).toBeCloseTo(60 - 76, 9)
    expect(quote.reasons[1]).toMatch(/^bid off: .* shillings .*0\.80\)$/)
  })

  it('turns a side off only beyond the bound and back on only well inside it', () => {
    const asks = walk([0.9, 0.91, 0.85, 0.81, 0.8, 0.85, 0.9]).map((quote) => quote.askBps !== null)
    expect(asks).toEqual([true, false, false, false, true, true, true])
    const bids = walk([-0.9, -0.91, -0.85, -0.8, -0.9]).map((quote) => quote.bidBps !== null)
    expect(bids).toEqual([true, false, false, true, true])
  })

  it('takes the way back on from the parameters when it is given', () => {
    const params = inventorySkew.params.parse({ offBeyond: 0.5, backOnWithin: 0.1 })
    const asks = walk([0.51, 0.2, 0.11, 0.1], params).map((quote) => quote.askBps !== null)
    expect(asks).toEqual([false, false, false, true])
  })

  it('never turns a side off when offBeyond is 1', () => {
    const params = inventorySkew.params.parse({ offBeyond: 1 })
    for (const imbalance of [-1, 1]) {
      const quote = quoteAt(imbalance, params)
      expect(quote.bidBps === null || quote.askBps === null).toBe(false)
    }
  })

  it('never has both sides off, and more dollars never raise the bid nor lower the ask', () => {
    const between = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(between, { minLength: 1, maxLength: 30 }), (imbalances) => {
        const quotes = walk(imbalances)
        quotes.forEach((quote, i) => {
          expect(quote.bidBps === null && quote.askBps === null).toBe(false)
          const other = quotes[0]!
          if (imbalances[i]! < imbalances[0]!) return
          if (quote.bidBps !== null && other.bidBps !== null) {
            expect(quote.bidBps).toBeLessThanOrEqual(other.bidBps)
          }
          if (quote.askBps !== null && other.askBps !== null) {
            expect(quote.askBps).toBeGreaterThanOrEqual(other.askBps)
          }
        })
      }),
    )
  })

  it('mirrors: the bid at d is the ask at -d', () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (d) => {
        const [here, there] = [quoteAt(d), quoteAt(-d)]
        expect(here.bidBps).toBe(there.askBps)
      }),
    )
  })

  it('is the sum of its terms: the half-spread, and the inventory with opposite signs', () => {
    expect(quoteAt(0.5).terms).toEqual([
      { name: 'half-spread', bidBps: 60, askBps: 60 },
      { name: 'inventory', bidBps: -40, askBps: 40 },
    ])
    fc.assert(fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (d) => expectTermsToSum(quoteAt(d))))
  })

  it('shows of a side that is off what it would be', () => {
    const { askBps, terms = [] } = quoteAt(0.95)
    expect(askBps).toBeNull()
    expect(terms.reduce((sum, term) => sum + term.askBps, 0)).toBeCloseTo(60 + 76, 9)
  })

  it('says the inventory first', () => {
    expect(quoteAt(0.25).reasons[0]).toBe('25 % of the way to all dollars: bid 60 - 20.0, ask 60 + 20.0')
    expect(quoteAt(-0.25).reasons[0]).toBe('25 % of the way to all shillings: bid 60 + 20.0, ask 60 - 20.0')
    expect(quoteAt(0).reasons[0]).toContain('on target')
  })

  it('fills in its defaults and refuses what makes no sense', () => {
    expect(inventorySkew.params.parse({})).toEqual({ halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 0.9 })
    expect(refusals(inventorySkew.params, { halfSpreadBps: 5 })).toEqual([
      expect.stringMatching(/^halfSpreadBps: .*>=10$/),
    ])
    expect(refusals(inventorySkew.params, { halfSpreadBps: 501 })).toHaveLength(1)
    expect(refusals(inventorySkew.params, { maxSkewBps: -1 })).toHaveLength(1)
    expect(refusals(inventorySkew.params, { offBeyond: 1.2 })).toHaveLength(1)
    expect(refusals(inventorySkew.params, { offBeyond: 0.5, backOnWithin: 0.6 })).toEqual([
      'backOnWithin: more than offBeyond; a side cannot come back on above the imbalance at which it turns off',
    ])
    expect(refusals(inventorySkew.params, { halfSpread: 60 })).toHaveLength(1)
  })
})
