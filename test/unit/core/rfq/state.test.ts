import { describe, expect, it } from 'vitest'
import type { ChainFill } from '../../../../src/core/rfq/chain-reading.ts'
import { requestCancel } from '../../../../src/core/rfq/open-order.ts'
import {
  addOrder,
  bindWallet,
  createRfqState,
  isOfOtherWallet,
  recordAccepted,
  recordBookedFill,
  recordCancelFailed,
  recordCancelSent,
  recordRejected,
  removeVoid,
  resumeOrders,
  startFillsAtNextReading,
  startPlacing,
} from '../../../../src/core/rfq/state.ts'
import { ASK, BID, rfqSettings, SOLVER } from '../../../support/order-harness.ts'
import { NOW, openOrder, stateWith } from './open-orders.ts'

const NO_COUNTS = { signed: 0, fills: 0, rejected: 0, cancelled: 0, expired: 0, void: 0 }

const fill = (key: string): ChainFill => ({
  key,
  salt: 1n,
  orderHash: '0xa',
  block: 5n,
  txHash: `0x${key}`,
  makerToken: '0x1',
  takerToken: '0x2',
  makerAmount: 1n,
  takerAmount: 1n,
})

describe('the life of an open order in the state', () => {
  it('a decided order is open at once, and the highest salt is remembered whatever comes after', () => {
    const state = createRfqState()
    expect(state).toEqual({
      wallet: null,
      lastSalt: 0n,
      openOrders: {},
      recentFills: [],
      fillsFrom: null,
      chain: null,
      bookedTransactions: [],
      counts: NO_COUNTS,
    })
    addOrder(state, openOrder(BID, 9n))
    addOrder(state, openOrder(ASK, 8n))
    expect(state.lastSalt).toBe(9n)
    expect(Object.keys(state.openOrders)).toEqual(['8', '9'])
  })

  it('the order of the journal replaces another one of its salt, and is the same object where they agree', () => {
    const decided = openOrder(BID, 1n, { phase: 'reserving', cancel: { sentAt: 1, txHash: null } })
    const state = stateWith(decided)
    expect(startPlacing(state, decided, NOW + 5)).toBe(decided)
    expect(decided).toMatchObject({ phase: 'placing', cancel: { sentAt: 1 } })
    const other = openOrder({ ...BID, usd: 50 }, 1n)
    const placed = startPlacing(state, other, NOW + 7)
    expect(placed).toMatchObject({ phase: 'placing', cancel: null, reservedAt: NOW + 7, order: other.order })
    expect(state.openOrders['1']).toBe(placed)
    startPlacing(state, openOrder(ASK, 4n), NOW + 8)
    expect(state).toMatchObject({ lastSalt: 4n, openOrders: { 4: { phase: 'placing', side: 'ask' } } })
  })

  it('an accepted order has its hash; the signature counts also where the order is no longer open', () => {
    const state = stateWith(openOrder(BID, 1n, { phase: 'placing' }))
    recordAccepted(state, 1n, '0xab')
    recordAccepted(state, 2n, '0xcd')
    expect(state.openOrders).toMatchObject({ 1: { phase: 'open', hash: '0xab' } })
    expect(Object.keys(state.openOrders)).toEqual(['1'])
    expect(state.counts).toEqual({ ...NO_COUNTS, signed: 2 })
  })

  it('a rejected order stays open with the hash that is known; only what was submitted was signed', () => {
    const state = stateWith(openOrder(BID, 1n, { hash: '0xaa' }), openOrder(ASK, 2n))
    recordRejected(state, 1n, { stage: 'submit', phase: 'refused', hash: null })
    recordRejected(state, 2n, { stage: 'sign', phase: 'unknown', hash: '0xbb' })
    recordRejected(state, 3n, { stage: 'submit', phase: 'unknown', hash: null })
    expect(state.openOrders).toMatchObject({
      1: { phase: 'refused', hash: '0xaa' },
      2: { phase: 'unknown', hash: '0xbb' },
    })
    expect(state.counts).toEqual({ ...NO_COUNTS, signed: 2, rejected: 3 })
  })

  it('an order that certainly has no signature is removed once', () => {
    const state = stateWith(openOrder(BID, 1n))
    expect(removeVoid(state, 2n)).toBe(false)
    expect(removeVoid(state, 1n)).toBe(true)
    expect(removeVoid(state, 1n)).toBe(false)
    expect(state).toMatchObject({ openOrders: {}, counts: { void: 1 } })
  })

  it('a cancellation that was sent has its transaction, and one that failed can be tried again', () => {
    const state = stateWith(openOrder(BID, 1n), openOrder(BID, 2n), openOrder(BID, 3n))
    const { 1: first, 2: second, 3: third } = state.openOrders
    requestCancel(first!, 11)
    requestCancel(second!, 12)
    expect(first!.cancel).toEqual({ sentAt: 11, txHash: null })
    recordCancelSent(state, [1n, 3n, 4n], '0xcc')
    expect(first!.cancel).toEqual({ sentAt: 11, txHash: '0xcc' })
    expect(second!.cancel).toEqual({ sentAt: 12, txHash: null })
    expect(third!.cancel).toBeNull()
    recordCancelFailed(state, [1n, 4n])
    expect(first!.cancel).toBeNull()
    expect(second!.cancel).toEqual({ sentAt: 12, txHash: null })
  })

  it('after a restart what was only decided is gone, and what was being signed or sent may exist', () => {
    const state = stateWith(
      openOrder(BID, 1n, { phase: 'reserving' }),
      openOrder(BID, 2n, { phase: 'placing', cancel: { sentAt: 1, txHash: null } }),
      openOrder(BID, 3n, { phase: 'open', cancel: { sentAt: 1, txHash: '0xcc' } }),
    )
    resumeOrders(state)
    expect(state.openOrders).toMatchObject({
      2: { phase: 'unknown', cancel: null },
      3: { phase: 'open', cancel: { txHash: '0xcc' } },
    })
    expect(Object.keys(state.openOrders)).toEqual(['2', '3'])
  })
})

describe('booked fills', () => {
  it('a booked fill is remembered with its transaction, and counts where its tokens are ours', () => {
    const state = createRfqState()
    recordBookedFill(state, { fill: fill('a'), mid: 1n }, true)
    recordBookedFill(state, { fill: fill('b'), mid: null }, false)
    expect(state.recentFills.map(({ fill: { key } }) => key)).toEqual(['a', 'b'])
    expect(state.bookedTransactions).toEqual(['0xa', '0xb'])
    expect(state.counts.fills).toBe(1)
  })

  it('of more than 2,000 transactions the oldest is forgotten', () => {
    const state = createRfqState()
    for (let n = 0; n < 2_000; n++) recordBookedFill(state, { fill: fill(`${n}`), mid: null }, true)
    expect(state.bookedTransactions[0]).toBe('0x0')
    recordBookedFill(state, { fill: fill('2000'), mid: null }, true)
    expect(state.bookedTransactions).toHaveLength(2_000)
    expect(state.bookedTransactions[0]).toBe('0x1')
  })

  it('the next reading can be made the first one again', () => {
    const state = createRfqState()
    state.fillsFrom = 9n
    startFillsAtNextReading(state)
    expect(state.fillsFrom).toBeNull()
  })
})

describe('the wallet that the state is about', () => {
  const settings = rfqSettings()
  const other = rfqSettings({ maker: SOLVER })

  it('the first wallet is bound and keeps what was read; the same one again changes nothing', () => {
    const state = createRfqState()
    state.fillsFrom = 9n
    expect(bindWallet(state, settings)).toBe(true)
    expect(state.fillsFrom).toBe(9n)
    const { NTZS, USDC, USDT } = settings.tokens
    const turned = rfqSettings({ tokens: { USDT: USDT!, USDC: USDC!, NTZS: NTZS! } })
    expect(bindWallet(state, turned)).toBe(true)
    expect(state.fillsFrom).toBe(9n)
  })

  it('another wallet, chain, exchange or token waits for the open orders of the former one, then reads afresh', () => {
    for (const changed of [
      other,
      rfqSettings({ chainId: 1 }),
      rfqSettings({ exchange: SOLVER }),
      rfqSettings({ tokens: { ...settings.tokens, USDT: SOLVER } }),
    ]) {
      const state = stateWith(openOrder(BID, 1n))
      expect(isOfOtherWallet(state, changed)).toBe(false)
      bindWallet(state, settings)
      expect(isOfOtherWallet(state, settings)).toBe(false)
      expect(isOfOtherWallet(state, changed)).toBe(true)
      expect(bindWallet(state, changed)).toBe(false)
      expect(bindWallet(state, settings)).toBe(true)
      removeVoid(state, 1n)
      Object.assign(state, { fillsFrom: 9n, recentFills: [{ fill: fill('a'), mid: null }], chain: {} })
      expect(isOfOtherWallet(state, changed)).toBe(false)
      expect(bindWallet(state, changed)).toBe(true)
      expect(state).toMatchObject({ chain: null, fillsFrom: null, recentFills: [] })
      expect(bindWallet(state, settings)).toBe(true)
    }
  })
})
