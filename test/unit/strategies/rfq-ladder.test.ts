import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StrategyContext } from '../../../src/core/strategy/context.ts'
import type { TargetOrder } from '../../../src/core/rfq/build-order.ts'
import rfqLadder from '../../../strategies/rfq-ladder.ts'
import { contextAt, expectTermsToSum, refusals } from './support.ts'

const FAIR = 2_500
const PLENTY = { ntzs: 1e12, stables: { USDC: 1e9 } }

function ladderAt(
  imbalance: number,
  given: object = {},
  available: StrategyContext['available'] = PLENTY,
  fair = FAIR,
) {
  const params = rfqLadder.params.parse(given)
  const context = contextAt(imbalance, { available, fairValue: { tzsPerUsd: fair, errorBps: 0 } })
  const quote = rfqLadder.quote(context, rfqLadder.init(params), params, {})
  return { ...quote, orders: quote.orders ?? [] }
}

function side(orders: readonly TargetOrder[], wanted: TargetOrder['side']): TargetOrder[] {
  return orders.filter((order) => order.side === wanted)
}

describe('rfq-ladder', () => {
  it('stands further from the fair value the deeper and larger a level is', () => {
    const { orders } = ladderAt(0, {
      levels: 3,
      baseHalfSpreadBps: 60,
      sizePremiumBps: 20,
      levelUsd: 100,
      sizeGrowth: 2,
    })
    expect(side(orders, 'bid').map(({ usd }) => usd)).toEqual([100, 200, 400])
    const bids = side(orders, 'bid').map(({ tzsPerUsd }) => tzsPerUsd)
    for (const [i, price] of [2_515, 2_520, 2_525].entries()) expect(bids[i]).toBeCloseTo(price, 9)
    const asks = side(orders, 'ask').map(({ tzsPerUsd }) => tzsPerUsd)
    for (const [i, price] of [2_485, 2_480, 2_475].entries()) expect(asks[i]).toBeCloseTo(price, 9)
  })

  it('with too many dollars sells them cheaper and buys more of them only at a better price', () => {
    const [even, rich] = [ladderAt(0).orders, ladderAt(0.5).orders]
    // A bid gives dollars for shillings: fewer shillings asked for a dollar is cheaper.
    expect(side(rich, 'bid')[0]!.tzsPerUsd).toBeLessThan(side(even, 'bid')[0]!.tzsPerUsd)
    // An ask takes dollars for shillings: fewer shillings given for a dollar is a better price for us.
    expect(side(rich, 'ask')[0]!.tzsPerUsd).toBeLessThan(side(even, 'ask')[0]!.tzsPerUsd)
  })

  it('with too many shillings gives more of them for a dollar and asks more of them for one', () => {
    const [even, poor] = [ladderAt(0).orders, ladderAt(-0.5).orders]
    expect(side(poor, 'ask')[0]!.tzsPerUsd).toBeGreaterThan(side(even, 'ask')[0]!.tzsPerUsd)
    expect(side(poor, 'bid')[0]!.tzsPerUsd).toBeGreaterThan(side(even, 'bid')[0]!.tzsPerUsd)
  })

  it('is level 0 as a spread, leaned as inventory-skew leans it', () => {
    expect(ladderAt(0.5, { baseHalfSpreadBps: 60, maxSkewBps: 80 })).toMatchObject({
      bidBps: 20,
      askBps: 100,
    })
  })

  it('is the sum of its terms at any inventory', () => {
    for (const imbalance of [-1, -0.3, 0, 0.7, 1]) expectTermsToSum(ladderAt(imbalance))
  })

  it('wants no orders while the capital is in the pool or the chain was not read, and says so', () => {
    const { orders, reasons } = ladderAt(0, {}, null)
    expect(orders).toEqual([])
    expect(reasons[1]).toMatch(/^no orders: /)
  })

  it('lays out every dollar that the wallet may promise, or those that are named', () => {
    const wallet = { ntzs: 1e12, stables: { USDC: 1e9, USDT: 1e9 } }
    const dollarsOf = (given: object) => [
      ...new Set(ladderAt(0, given, wallet).orders.map((one) => one.stable)),
    ]
    expect(dollarsOf({})).toEqual(['USDC', 'USDT'])
    expect(dollarsOf({ stables: ['USDT'] })).toEqual(['USDT'])
    expect(dollarsOf({ stables: ['USDT', 'USDT'] })).toEqual(['USDT'])
    const absent = ladderAt(0, { stables: ['USDT.bnb'] }, wallet)
    expect(absent.orders).toEqual([])
    expect(absent.reasons).toContainEqual(expect.stringMatching(/no USDT\.bnb/))
  })

  it('shrinks the levels of a token that is short together, and leaves the others alone', () => {
    const given = { levels: 2, levelUsd: 100, sizeGrowth: 3, share: 0.5 }
    const { orders, reasons } = ladderAt(0, given, { ntzs: 1e12, stables: { USDC: 400, USDT: 1e6 } })
    const bids = (stable: string) => side(orders, 'bid').filter((order) => order.stable === stable)
    expect(bids('USDC').map(({ usd }) => usd)).toEqual([50, 150])
    expect(bids('USDT').map(({ usd }) => usd)).toEqual([100, 300])
    expect(reasons).toContainEqual(expect.stringMatching(/^bids for USDC at 50 %/))
  })

  it('asks for nothing of a token of which there is nothing', () => {
    const { orders } = ladderAt(0, {}, { ntzs: 0, stables: { USDC: 0 } })
    expect(orders).toEqual([])
  })

  it('is never crossed, always finite, and never lays out more than its share of a token', () => {
    const arbitrary = {
      imbalance: fc.integer({ min: -20, max: 20 }).map((tenths) => tenths / 10),
      fair: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      ntzs: fc.double({ min: 0, max: 1e15, noNaN: true }),
      usdc: fc.double({ min: 0, max: 1e12, noNaN: true }),
      usdt: fc.double({ min: 0, max: 1e12, noNaN: true }),
      params: fc.record({
        levels: fc.integer({ min: 1, max: 20 }),
        baseHalfSpreadBps: fc.double({ min: 10, max: 500, noNaN: true }),
        sizePremiumBps: fc.double({ min: 0, max: 100, noNaN: true }),
        levelUsd: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        sizeGrowth: fc.double({ min: 1, max: 10, noNaN: true }),
        maxSkewBps: fc.double({ min: 0, max: 490, noNaN: true }),
        share: fc.double({ min: 1e-6, max: 1, noNaN: true }),
      }),
    }
    fc.assert(
      fc.property(fc.record(arbitrary), ({ imbalance, fair, ntzs, usdc, usdt, params }) => {
        const { orders } = ladderAt(imbalance, params, { ntzs, stables: { USDC: usdc, USDT: usdt } }, fair)
        for (const { usd, tzsPerUsd } of orders) {
          expect(Number.isFinite(usd) && usd > 0).toBe(true)
          expect(Number.isFinite(tzsPerUsd) && tzsPerUsd > 0).toBe(true)
        }
        const asks = side(orders, 'ask')
        const bids = side(orders, 'bid')
        const best = Math.max(...asks.map(({ tzsPerUsd }) => tzsPerUsd))
        for (const { tzsPerUsd } of bids) expect(tzsPerUsd).toBeGreaterThan(best)
        const shillings = asks.reduce((sum, { usd, tzsPerUsd }) => sum + usd * tzsPerUsd, 0)
        expect(shillings).toBeLessThanOrEqual(ntzs * params.share * (1 + 1e-9))
        for (const [stable, held] of [
          ['USDC', usdc],
          ['USDT', usdt],
        ] as const) {
          const dollars = bids
            .filter((order) => order.stable === stable)
            .reduce((sum, { usd }) => sum + usd, 0)
          expect(dollars).toBeLessThanOrEqual(held * params.share * (1 + 1e-9))
        }
      }),
    )
  })

  it('fills in its defaults and refuses what makes no sense', () => {
    expect(rfqLadder.params.parse({})).toEqual({
      levels: 3,
      baseHalfSpreadBps: 60,
      sizePremiumBps: 15,
      levelUsd: 500,
      sizeGrowth: 1.5,
      maxSkewBps: 40,
      share: 0.5,
    })
    const wrong = [
      { levels: 0 },
      { levels: 2.5 },
      { baseHalfSpreadBps: 9 },
      { sizePremiumBps: -1 },
      { levelUsd: 0 },
      { sizeGrowth: 0.5 },
      { maxSkewBps: 491 },
      { stables: [] },
      { stables: ['NTZS'] },
      { share: 0 },
      { share: 1.1 },
      { level: 3 },
    ]
    for (const params of wrong) expect(refusals(rfqLadder.params, params)).toHaveLength(1)
  })
})
