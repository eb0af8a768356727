import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { zeroAmounts } from '../../../../src/base/money/asset.ts'
import type { TargetOrder } from '../../../../src/core/rfq/build-order.ts'
import { planLadder } from '../../../../src/core/rfq/plan-ladder.ts'
import type { OpenOrder } from '../../../../src/core/rfq/open-order.ts'
import { ASK, BID, rfqSettings, SOLVER } from '../../../support/order-harness.ts'
import { NOW, openOrder, stateWith } from './open-orders.ts'

const PLENTY = { ...zeroAmounts(), NTZS: 10n ** 30n, USDC: 10n ** 27n, USDT: 10n ** 27n }

function plan(orders: readonly OpenOrder[], wishes: readonly TargetOrder[], now = NOW, free = PLENTY) {
  return planLadder(stateWith(...orders), wishes, { settings: rfqSettings(), solver: SOLVER, free, now })
}

const bid = openOrder(BID, 1n)

describe('a ladder', () => {
  it('a ladder keeps an order that matches a level', () => {
    expect(plan([bid], [BID])).toMatchObject({ kept: [bid], missing: [], unwanted: [] })
  })

  it('a ladder replaces an order for another solver than the current one', () => {
    const planned = (solver: typeof SOLVER | null) =>
      planLadder(stateWith(bid), [BID], { settings: rfqSettings(), solver, free: PLENTY, now: NOW })
    expect(planned(`0x${'4'.repeat(40)}`)).toMatchObject({ kept: [], missing: [BID], unwanted: [bid] })
    expect(planned(null).kept).toEqual([bid])
  })

  it('a ladder replaces an order whose price is further off than the threshold, and keeps one within it', () => {
    for (const sign of [1, -1]) {
      const near = { ...BID, tzsPerUsd: BID.tzsPerUsd * (1 + sign * 0.000_49) }
      expect(plan([bid], [near]).kept).toEqual([bid])
      const far = { ...BID, tzsPerUsd: BID.tzsPerUsd * (1 + sign * 0.000_51) }
      expect(plan([bid], [far])).toMatchObject({ kept: [], missing: [far], unwanted: [bid] })
    }
  })

  it('a ladder replaces an order whose outstanding size is more than a quarter off', () => {
    const left = (part: bigint) => ({ ...bid, makerFilled: (bid.order.makerAmount * (100n - part)) / 100n })
    expect(plan([left(75n)], [BID]).kept).toHaveLength(1)
    expect(plan([left(74n)], [BID]).missing).toEqual([BID])
    expect(plan([bid], [{ ...BID, usd: 81 }]).kept).toHaveLength(1)
    expect(plan([bid], [{ ...BID, usd: 79 }]).missing).toHaveLength(1)
  })

  it('a ladder keeps a smaller order if no larger one could replace it', () => {
    const larger = { ...BID, usd: 1_000 }
    expect(plan([bid], [larger], NOW, { ...PLENTY, USDC: 0n }).kept).toEqual([bid])
    expect(plan([bid], [larger], NOW, { ...PLENTY, USDC: -5n }).kept).toEqual([bid])
    expect(plan([bid], [larger], NOW, { ...PLENTY, USDC: 130n * 10n ** 18n }).kept).toEqual([bid])
    expect(plan([bid], [larger], NOW, { ...PLENTY, USDC: 140n * 10n ** 18n }).kept).toEqual([])
    const ask = openOrder(ASK, 2n)
    const more = { ...ASK, usd: 1_000 }
    expect(plan([ask], [more], NOW, { ...PLENTY, NTZS: 100n * 2_485n * 10n ** 18n }).kept).toEqual([ask])
    expect(plan([ask], [more], NOW, { ...PLENTY, NTZS: 140n * 2_485n * 10n ** 18n }).kept).toEqual([])
  })

  it('a ladder replaces an order before it expires, and returns when the first one is due', () => {
    const { refreshMs, expiryMs } = rfqSettings()
    const last = NOW + expiryMs - refreshMs
    expect(plan([bid], [BID]).refreshAt).toBe(last)
    expect(plan([bid], [BID], last - 1).kept).toEqual([bid])
    expect(plan([bid], [BID], last)).toMatchObject({ missing: [BID], unwanted: [bid] })
    expect(plan([], [BID]).refreshAt).toBe(Number.POSITIVE_INFINITY)
  })

  it('an order that the venue refused or never confirmed, or that is being cancelled, fills no level', () => {
    for (const phase of ['refused', 'unknown'] as const)
      expect(plan([{ ...bid, phase }], [BID])).toMatchObject({ missing: [BID], kept: [] })
    for (const phase of ['open', 'placing'] as const)
      expect(plan([{ ...bid, phase }], [BID]).missing).toEqual([])
    const cancel = { sentAt: NOW, txHash: null }
    expect(plan([{ ...bid, cancel }], [BID])).toEqual({
      missing: [BID],
      kept: [],
      unwanted: [],
      refreshAt: Number.POSITIVE_INFINITY,
    })
    expect(plan([{ ...bid, endedAt: 5n }], [BID])).toMatchObject({ missing: [BID], unwanted: [] })
  })

  it('a refused order is unwanted, because it can still be filled', () => {
    const refused = { ...bid, phase: 'refused' as const }
    expect(plan([refused], [BID]).unwanted).toEqual([refused])
  })

  it('an order of another side or dollar does not match a level', () => {
    expect(plan([bid], [{ ...BID, stable: 'USDT' }]).missing).toHaveLength(1)
    expect(plan([bid], [{ ...ASK, tzsPerUsd: BID.tzsPerUsd }]).missing).toHaveLength(1)
  })

  it('one order fills one level, also when several have the same price', () => {
    const twins = [openOrder(BID, 1n), openOrder(BID, 2n)]
    expect(plan(twins, [BID, BID, BID])).toMatchObject({ kept: twins, missing: [BID] })
    expect(plan(twins, [BID]).unwanted).toHaveLength(1)
  })

  it('levels and orders are matched from the lowest price up, in whatever order they come', () => {
    const at = (tzsPerUsd: number): TargetOrder => ({ ...BID, tzsPerUsd })
    const [low, high] = [openOrder(at(2_500), 2n), openOrder(at(2_501), 1n)]
    // Both levels are near the higher order, or the lower one: taken by the wrong level, the other one has none.
    expect(plan([low, high], [at(2_502.1), at(2_501.1)]).kept).toEqual([high, low])
    expect(plan([low, high], [at(2_501.1), at(2_499)]).kept).toEqual([high, low])
    expect(plan([low, high], [at(2_501.1), at(2_502.1)]).kept).toEqual([low, high])
  })

  it('a ladder that moved less than the threshold keeps every order, however close its levels are', () => {
    const steps = fc.array(
      fc.integer({ min: 0, max: 300 }).map((tenths) => tenths / 10),
      { minLength: 1, maxLength: 8 },
    )
    const shift = fc.integer({ min: -49, max: 49 }).map((tenths) => tenths / 10)
    fc.assert(
      fc.property(steps, shift, (gaps, bps) => {
        let out = 0
        const wishes = gaps.map((gap): TargetOrder => {
          out += gap
          return { ...BID, tzsPerUsd: 2_500 * (1 + out / 10_000) }
        })
        const orders = wishes.map((wish, i) => openOrder(wish, BigInt(i + 1)))
        const moved = wishes.map((wish) => ({ ...wish, tzsPerUsd: wish.tzsPerUsd * (1 + bps / 10_000) }))
        expect(plan(orders, moved).missing).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})
