import { describe, expect, it } from 'vitest'
import { approve } from '../../../../src/core/risk/approve.ts'
import { openLatch, type Latch } from '../../../../src/core/risk/latch.ts'
import type { RuleBreach } from '../../../../src/core/risk/rule-breach.ts'
import type { StrategyQuote } from '../../../../src/core/strategy/define-strategy.ts'
import { ASK, BID } from '../../../support/order-harness.ts'
import { approval, findingOf } from './support.ts'

const MID = 2_500
const open = openLatch()
const halted: Latch = {
  halted: { rule: 'loss', why: 'too much was lost', since: 1 },
  paused: null,
  foreign: {},
}
const NOTHING = { kind: 'quote', bidBps: null, askBps: null, idleBps: 500, orders: [] }

const wants = (orders: StrategyQuote['orders']): StrategyQuote => ({
  bidBps: null,
  askBps: null,
  reasons: ['why not'],
  ...(orders === undefined ? {} : { orders }),
})

function approved(
  wanted: StrategyQuote | null,
  over: { breaches?: RuleBreach[]; latch?: Latch; imbalance?: number; mid?: number | null } = {},
) {
  const { breaches = [], latch = open, imbalance = 0, mid = MID } = over
  return approve(wanted, breaches, latch, imbalance, approval({ orders: { mid, minEdgeBps: 10 } }))
}

describe('orders in self-custody', () => {
  it('orders inside their bounds are approved as they are, and no spread beside them', () => {
    expect(approved(wants([BID, ASK]))).toEqual({
      target: expect.objectContaining({
        ...NOTHING,
        safety: false,
        because: ['why not'],
        orders: [BID, ASK],
      }),
      state: 'ACTIVE',
      clamps: [],
      refusal: null,
    })
  })

  it('an order at the bound is approved, and one beyond it moves to the bound and is counted', () => {
    const atBound = [
      { ...ASK, tzsPerUsd: MID * (1 - 10 / 10_000) },
      { ...BID, tzsPerUsd: MID * (1 + 10 / 10_000) },
    ]
    expect(approved(wants(atBound))).toMatchObject({ clamps: [], target: { orders: atBound } })
    const beyond = [
      { ...ASK, tzsPerUsd: 2_525 },
      { ...BID, tzsPerUsd: 2_475 },
    ]
    const { target, clamps } = approved(wants(beyond))
    expect(target.orders).toEqual(atBound)
    expect(clamps).toEqual([
      { side: 'ask', wanted: expect.closeTo(-100, 6), sent: 10 },
      { side: 'bid', wanted: expect.closeTo(-100, 6), sent: 10 },
    ])
  })

  it('a side that a rule closes has no orders, for safety, and trading is REDUCING', () => {
    const bidOff = approved(wants([BID, ASK]), { breaches: [findingOf('bid-off')] })
    expect(bidOff).toMatchObject({ state: 'REDUCING', target: { safety: true, orders: [ASK] } })
    expect(bidOff.target.because).toEqual(['inventory-limit says bid-off', 'why not'])
    const reduced = approved(wants([BID, ASK]), { breaches: [findingOf('reduce')], imbalance: 0.1 })
    expect(reduced.target.orders).toEqual([BID])
    const balanced = approved(wants([BID, ASK]), { breaches: [findingOf('reduce')] })
    expect(balanced.target.orders).toEqual([BID])
  })

  it('a breach that closes no side leaves orders and state as they are', () => {
    expect(approved(wants([BID]), { breaches: [findingOf('halt')] })).toMatchObject({
      state: 'ACTIVE',
      target: { safety: false, orders: [BID] },
    })
  })

  it('nothing may stand while halted, under a safe rule, without a decision, or without a mid', () => {
    const cases = [
      [approved(wants([BID]), { latch: halted }), 'HALTED', 'halted: too much was lost'],
      [
        approved(null, { latch: halted, breaches: [findingOf('safe')] }),
        'HALTED',
        'halted: too much was lost',
      ],
      [approved(wants([BID]), { breaches: [findingOf('safe')] }), 'REDUCING', 'inventory-limit says safe'],
      [approved(null), 'REDUCING', 'no decision yet'],
      [approved(wants([BID]), { mid: null }), 'REDUCING', 'no decision yet'],
    ] as const
    for (const [approval, state, reason] of cases)
      expect(approval).toEqual({
        target: expect.objectContaining({ ...NOTHING, safety: true, because: [reason] }),
        state,
        clamps: [],
        refusal: null,
      })
  })

  it('a strategy that returns no orders is named as the reason why nothing stands', () => {
    const { target, state } = approved(wants(undefined))
    expect(target).toMatchObject(NOTHING)
    expect(target.because).toEqual([
      'why not',
      'the strategy returned no orders, so none are open in self-custody',
    ])
    expect(state).toBe('ACTIVE')
    expect(approved(wants([])).target.because).toEqual(['why not'])
  })
})
