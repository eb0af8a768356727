import { describe, expect, it } from 'vitest'
import type { OpenOrder } from '../../../../src/core/rfq/open-order.ts'
import { planCancels, type CancelParts } from '../../../../src/core/rfq/plan-cancels.ts'
import type { CancelSettings } from '../../../../src/core/rfq/rfq-settings.ts'
import { ASK, BID, rfqSettings } from '../../../support/order-harness.ts'
import { NOW, openOrder } from './open-orders.ts'

const CANCEL: CancelSettings = { policy: 'auto', usdPerEth: 3_000, pickOffsPerMinute: 0.5 }
/** 10 gwei: a single cancellation costs 1.68 USD. */
const DEAR = 10n ** 10n
const CHEAP = 10n ** 6n

function plan(
  unwanted: readonly OpenOrder[],
  over: Partial<CancelParts> & { cancel?: Partial<CancelSettings> } = {},
) {
  const { cancel = {}, ...rest } = over
  const settings = rfqSettings({ cancel: { ...CANCEL, ...cancel } })
  const common = { kept: [], must: false, fairValue: 2_500, gasPriceWei: CHEAP, now: NOW }
  return planCancels({ settings, unwanted, ...common, ...rest })
}

/** Three bids whose price is 2 % too good for the taker since the fair value moved to 2,566. */
const stale = [1n, 2n, 3n].map((salt) => openOrder({ ...BID, usd: 500 }, salt))
const MOVED = 2_566

describe('planned cancellations', () => {
  it('no cancellation is paid for while an order has an edge, however cheap the gas', () => {
    expect(plan(stale)).toEqual([])
    expect(plan([openOrder(ASK, 9n)])).toEqual([])
    expect(plan(stale, { gasPriceWei: 0n })).toEqual([])
  })

  it('an order is cancelled if fills are expected to cost more than the gas', () => {
    // 1,500 USD at 2 %, taken with 1 - exp(-0.5 * 2) until the expiry: 18.9 USD.
    const [choice] = plan(stale, { fairValue: MOVED, gasPriceWei: DEAR })
    expect(choice!.expectedLossUsd).toBeCloseTo(1_500 * (1 - 2_515 / MOVED) * (1 - Math.exp(-1)), 6)
    expect(choice!.gasUsd).toBeCloseTo(53_000 * 1e-8 * 3_000, 9)
    expect(choice!.why).toMatch(/ 18\.85 USD, .* 1\.59$/)
    expect(plan(stale, { fairValue: MOVED, gasPriceWei: DEAR * 20n })).toEqual([])
  })

  it('the expected loss of an order counts its outstanding size and its remaining life', () => {
    const [whole] = plan([stale[0]!], { fairValue: MOVED })
    const half = { ...stale[0]!, makerFilled: stale[0]!.order.makerAmount / 2n }
    expect(plan([half], { fairValue: MOVED })[0]!.expectedLossUsd).toBeCloseTo(whole!.expectedLossUsd / 2, 6)
    expect(plan(stale, { fairValue: MOVED, now: NOW + 120_000 })).toEqual([])
    expect(plan(stale, { fairValue: MOVED, now: NOW + 1e9 })).toEqual([])
  })

  it('a pair is cancelled at once if that is cheaper and spares the kept orders', () => {
    const younger = openOrder(BID, 4n)
    const [choice] = plan(stale, { fairValue: MOVED, kept: [younger] })
    const { makerToken, takerToken } = younger.order
    expect(choice!.cancel).toEqual({ kind: 'pair', makerToken, takerToken, minValidSalt: 4n })
    expect(choice!.orders).toEqual(stale)
  })

  it('orders are cancelled one by one if an older order of the pair is kept', () => {
    const older = openOrder(BID, 0n)
    const [choice] = plan(stale, { fairValue: MOVED, kept: [older] })
    expect(choice!.cancel).toEqual({ kind: 'each', orders: stale.map(({ order }) => order) })
    expect(choice!.gasUsd).toBeCloseTo((21_000 + 3 * 29_150) * 1e-12 * 3_000, 12)
  })

  it('kept orders of other pairs do not prevent the cancellation of a pair', () => {
    const others = [openOrder(ASK, 0n), openOrder({ ...BID, stable: 'USDT' }, 0n)]
    expect(plan(stale, { fairValue: MOVED, kept: others })[0]!.cancel.kind).toBe('pair')
  })

  it('each pair has a cancellation of its own', () => {
    const usdt = [11n, 12n].map((salt) => openOrder({ ...BID, usd: 500, stable: 'USDT' }, salt))
    const choices = plan([...stale, ...usdt], { fairValue: MOVED })
    expect(choices.map(({ orders }) => orders.length)).toEqual([3, 2])
  })

  it('safety cancels whatever it costs, also orders with an edge', () => {
    const choices = plan(stale, { must: true, gasPriceWei: DEAR * 1_000n })
    expect(choices.map(({ orders }) => orders)).toEqual([stale])
    expect(choices[0]!.why).toBe('none of it may stay open')
    expect(plan(stale, { must: true, fairValue: null, gasPriceWei: null })).toHaveLength(1)
  })

  it('the policy always cancels every unwanted order, and gives that as the reason', () => {
    const choices = plan(stale, { cancel: { policy: 'always' }, gasPriceWei: DEAR * 1_000n })
    expect(choices.map(({ why }) => why)).toEqual(['rfq.cancel.policy is always'])
  })

  it('with an unknown gas price only large expected losses are worth a cancellation', () => {
    const small = [openOrder({ ...BID, usd: 100 }, 1n)]
    expect(plan(small, { fairValue: MOVED, gasPriceWei: null })).toEqual([])
    expect(plan(small, { fairValue: MOVED, gasPriceWei: CHEAP })).toHaveLength(1)
    expect(plan(stale, { fairValue: MOVED, gasPriceWei: null })).toHaveLength(1)
  })

  it('without a fair value no loss is expected, of either side', () => {
    expect(plan(stale, { fairValue: null })).toEqual([])
    expect(plan([openOrder(ASK, 1n)], { fairValue: null })).toEqual([])
  })

  it('an ask loses where the fair value is below its price', () => {
    const asks = [1n, 2n].map((salt) => openOrder(ASK, salt))
    const [choice] = plan(asks, { fairValue: 2_400 })
    expect(choice!.expectedLossUsd).toBeCloseTo(200 * (2_485 / 2_400 - 1) * (1 - Math.exp(-1)), 6)
    expect(plan(asks, { fairValue: 2_485 })).toEqual([])
  })

  it('an order with an edge is left to expire beside one that loses, and its gain is set off against no loss', () => {
    const good = openOrder({ ...BID, tzsPerUsd: 2_600 }, 9n)
    const [choice] = plan([stale[0]!, good], { fairValue: MOVED })
    expect(choice!.orders).toEqual([stale[0]])
    const [all] = plan([stale[0]!, good], { fairValue: MOVED, must: true })
    expect(all!.orders).toHaveLength(2)
    expect(all!.expectedLossUsd).toBe(choice!.expectedLossUsd)
  })

  it('a pair is cancelled up to the youngest of its orders, in whatever order they come', () => {
    const [choice] = plan(stale.toReversed(), { fairValue: MOVED })
    expect(choice!.cancel).toMatchObject({ kind: 'pair', minValidSalt: 4n })
    expect(plan(stale, { fairValue: MOVED, kept: [openOrder(BID, 3n)] })[0]!.cancel.kind).toBe('each')
  })

  it('one order costs the gas of a single cancellation', () => {
    const [choice] = plan([stale[1]!], { fairValue: MOVED, kept: [openOrder(BID, 1n)] })
    expect(choice!.gasUsd).toBeCloseTo(56_000 * 1e-12 * 3_000, 12)
  })

  it('under the policy never nothing is cancelled, not even for safety', () => {
    expect(plan(stale, { must: true, fairValue: MOVED, cancel: { policy: 'never' } })).toEqual([])
  })

  it('without unwanted orders no cancellation is planned', () => {
    expect(plan([], { must: true, cancel: { policy: 'always' } })).toEqual([])
  })
})
