import { describe, expect, it } from 'vitest'
import { zeroAmounts } from '../../../../src/base/money/asset.ts'
import {
  available,
  committed,
  corridorProblem,
  coveredByWallet,
  outstandingProblem,
  signableOrders,
} from '../../../../src/core/rfq/commitment.ts'
import { expiresAt, isLive, outstandingAmount, outstandingUsd } from '../../../../src/core/rfq/open-order.ts'
import type { SeenChain } from '../../../../src/core/rfq/state.ts'
import { ASK, BID, rfqSettings } from '../../../support/order-harness.ts'
import { openOrder, stateWith } from './open-orders.ts'

const RATE = 10n ** 18n
const USD18 = 10n ** 18n
const NTZS = 10n ** 18n

const ask = openOrder(ASK, 1n)
const bid = openOrder(BID, 2n)

const chain = (balances: SeenChain['balances'], allowances: SeenChain['allowances']): SeenChain => ({
  head: { number: 1n, hash: '0x1', t: 0 },
  readAt: 0,
  balances,
  allowances,
  gasPriceWei: 0n,
})

describe('what open orders commit', () => {
  it('is what takers can still take of our token, summed by token', () => {
    const second = openOrder(BID, 3n, { makerFilled: 30_000_000n })
    expect(committed(stateWith(ask, bid, second))).toEqual({
      ...zeroAmounts(),
      NTZS: 248_500n * NTZS,
      USDC: 170n * USD18,
    })
  })

  it('in dollars it is their dollar side, whichever side that is', () => {
    expect(outstandingUsd({ ...ask, takerFilled: 40_000_000n, makerFilled: 7n })).toBe(60n * USD18)
    expect(outstandingUsd({ ...bid, makerFilled: 40_000_000n, takerFilled: 7n })).toBe(60n * USD18)
  })

  it('of one order is what is left of our token, as a book amount', () => {
    expect(outstandingAmount({ ...ask, makerFilled: 7n })).toBe(248_500n * NTZS - 7n)
    expect(outstandingAmount({ ...bid, makerFilled: 40_000_000n })).toBe(60n * USD18)
  })

  it('an order is live until its end was seen, and expires on a whole second', () => {
    expect(isLive(bid)).toBe(true)
    expect(isLive({ ...bid, endedAt: 0n })).toBe(false)
    expect(expiresAt(bid)).toBe(1_000_120_000)
  })
})

describe('what further orders may commit', () => {
  it('is the configured part of the smaller one of balance and allowance, rounded down', () => {
    const seen = chain({ NTZS: 1_000n, USDC: 7n, USDT: 5n }, { NTZS: 10n, USDC: 9n })
    expect(coveredByWallet(seen, rfqSettings())).toEqual({ ...zeroAmounts(), NTZS: 10n, USDC: 7n })
    expect(coveredByWallet(seen, rfqSettings({ promiseFactor: 0.5 }))).toEqual({
      ...zeroAmounts(),
      NTZS: 5n,
      USDC: 3n,
    })
    const large = chain({ USDC: 1_000_000n }, { USDC: 2_000_000n })
    expect(coveredByWallet(large, rfqSettings({ promiseFactor: 0.123_456_9 })).USDC).toBe(123_456n)
  })

  it('is less by what is committed, below zero where that is too much or the chain was not read', () => {
    const state = stateWith(bid)
    expect(available(state, rfqSettings())).toEqual({ ...zeroAmounts(), USDC: -100n * USD18 })
    state.chain = chain({ USDC: 130n * USD18, NTZS: 4n }, { USDC: 150n * USD18, NTZS: 9n })
    expect(available(state, rfqSettings())).toEqual({ ...zeroAmounts(), USDC: 30n * USD18, NTZS: 4n })
  })
})

describe('the levels that the signer permits', () => {
  const corridor = { min: 2_000n * RATE, max: 3_000n * RATE }

  it('are those strictly inside the corridor, each cut to the largest order', () => {
    const at = (tzsPerUsd: number) => ({ ...BID, tzsPerUsd })
    const levels = [at(2_000), at(2_001), at(2_999), at(3_000)]
    expect(signableOrders(levels, corridor, rfqSettings())).toEqual([at(2_001), at(2_999)])
    expect(signableOrders(levels, null, rfqSettings())).toEqual(levels)
    const settings = rfqSettings({ maxOrderUsd: 100n * USD18 })
    const sized = [99, 100, 101].map((usd) => ({ ...BID, usd }))
    expect(signableOrders(sized, null, settings).map(({ usd }) => usd)).toEqual([99, 100, 100])
  })

  it('a level outside the corridor is named with its price and the bounds', () => {
    expect(corridorProblem({ ...BID, tzsPerUsd: 3_000 }, corridor)).toBe(
      'its price of 3000 TZS per USD is outside risk.priceCorridor, 2000 to 3000',
    )
    expect(corridorProblem(BID, corridor)).toBeNull()
    expect(corridorProblem({ ...BID, tzsPerUsd: 1 }, null)).toBeNull()
  })

  it('an order that exceeds the outstanding limit beside the others is named; it counts once, at the limit it does not', () => {
    const state = stateWith(ask, bid)
    const settings = (usd: bigint) => rfqSettings({ maxOutstandingUsd: usd * USD18 })
    expect(outstandingProblem(bid, state, settings(200n))).toBeNull()
    expect(outstandingProblem(bid, state, rfqSettings())).toBeNull()
    expect(outstandingProblem(bid, state, settings(199n))).toBe(
      'it would raise the outstanding orders to 200.00 dollars, above rfq.maxOutstandingUsd of 199',
    )
    expect(outstandingProblem(openOrder(BID, 9n), state, settings(299n))).toMatch(
      / 300\.00 dollars.* rfq\.maxOutstandingUsd of 299$/,
    )
  })
})
