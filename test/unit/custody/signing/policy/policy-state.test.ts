import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../src/base/time.ts'
import type { OrderReading } from '../../../../../src/core/rfq/chain-reading.ts'
import {
  atRiskUsd,
  emptyPolicyState,
  liveRecords,
  liveOrdersUsd,
  applyOwnReading,
  type PolicyState,
} from '../../../../../src/custody/signing/policy/policy-state.ts'
import { NOW, signableOrder, signingPolicy, usd } from '../../../../support/signing-fixture.ts'

const EXPIRES = NOW + 60_000
const policy = signingPolicy()

/** One order of 100 dollars that was just signed. */
function oneSigned(): PolicyState {
  const order = signableOrder({ takerAmount: 100_000_000n, makerAmount: 250_000n * 10n ** 18n })
  const nothing = { filledUsd: 0n, endedAtBlock: null, endedAt: null }
  const state = emptyPolicyState()
  state.signed.set('1', { order, usd: usd(100), signedAt: NOW, ...nothing })
  return state
}

function read(
  state: PolicyState,
  number: bigint,
  t: number,
  order: Partial<OrderReading> = {},
  readAt = t,
): ReturnType<typeof applyOwnReading> {
  const reading = { salt: 1n, hash: '0x00', status: 'FILLABLE', takerFilled: 0n, ...order } as const
  return applyOwnReading(state, { head: { number, hash: '0x00', t }, orders: [reading] }, readAt, policy)
}

describe('value at risk', () => {
  test('value at risk counts from signing, and is released only some blocks after the chain shows the order expired', () => {
    const state = oneSigned()
    expect([liveOrdersUsd(state), atRiskUsd(state, NOW, HOUR_MS)]).toEqual([usd(100), usd(100)])
    read(state, 10n, EXPIRES - 1)
    read(state, 20n, EXPIRES)
    read(state, 22n, EXPIRES + 2_000)
    expect(liveOrdersUsd(state)).toBe(usd(100))
    read(state, 23n, EXPIRES + 3_000)
    expect([liveOrdersUsd(state), atRiskUsd(state, EXPIRES, HOUR_MS)]).toEqual([0n, 0n])
  })

  test('neither our clock nor the chain’s alone releases value at risk', () => {
    const state = oneSigned()
    read(state, 10n, NOW, {}, EXPIRES + 1)
    read(state, 30n, NOW + 1_000, {}, EXPIRES + DAY_MS)
    expect(liveOrdersUsd(state)).toBe(usd(100))
    const fast = oneSigned()
    read(fast, 10n, EXPIRES + 1, {}, NOW)
    read(fast, 30n, EXPIRES + 2, {}, NOW + 1_000)
    expect(liveOrdersUsd(fast)).toBe(usd(100))
  })

  test('the value of a filled order is no longer outstanding, and stays at risk for an hour and a day', () => {
    const state = oneSigned()
    read(state, 10n, NOW + 2_000, { status: 'FILLED', takerFilled: 100_000_000n })
    const { changed } = read(state, 13n, NOW + 8_000, { status: 'FILLED', takerFilled: 100_000_000n })
    expect(changed).toHaveLength(1)
    const endedAt = NOW + 8_000
    expect(liveOrdersUsd(state)).toBe(0n)
    expect(liveRecords(state)).toEqual([])
    expect(atRiskUsd(state, endedAt + HOUR_MS - 1, HOUR_MS)).toBe(usd(100))
    expect(atRiskUsd(state, endedAt + HOUR_MS, HOUR_MS)).toBe(0n)
    expect(atRiskUsd(state, endedAt + DAY_MS - 1, DAY_MS)).toBe(usd(100))
  })

  test('a cancelled order that was filled in part keeps the filled part at risk, rounded up', () => {
    const state = oneSigned()
    const third = { status: 'CANCELLED', takerFilled: 33_333_333n } as const
    read(state, 10n, NOW + 2_000, third)
    read(state, 13n, NOW + 8_000, third)
    expect(liveOrdersUsd(state)).toBe(0n)
    expect(atRiskUsd(state, NOW + 8_000, HOUR_MS)).toBe(33_333_333n * 10n ** 12n)
  })

  test('the value of an order whose cancellation a reorganisation removed stays live', () => {
    const state = oneSigned()
    read(state, 10n, NOW + 2_000, { status: 'CANCELLED' })
    read(state, 12n, NOW + 6_000, { status: 'FILLABLE' })
    read(state, 14n, NOW + 10_000, { status: 'CANCELLED' })
    expect(liveOrdersUsd(state)).toBe(usd(100))
  })

  test('a reading with more filled than the order has does not reduce the value at risk', () => {
    const state = oneSigned()
    read(state, 10n, NOW + 2_000, { takerFilled: 10n ** 30n })
    expect([liveOrdersUsd(state), atRiskUsd(state, NOW, HOUR_MS)]).toEqual([0n, usd(100)])
  })
})

describe('a reading', () => {
  test('a reading behind the last block changes nothing', () => {
    const state = oneSigned()
    read(state, 10n, NOW + 2_000)
    expect(read(state, 9n, EXPIRES + 1_000, { status: 'CANCELLED' })).toEqual({ changed: [], forgotten: [] })
    expect(state.head?.number).toBe(10n)
  })

  test('a reading with a clock ahead of ours releases nothing, and the rules see that clock', () => {
    const state = oneSigned()
    read(state, 10n, NOW + 60_000, { status: 'CANCELLED' }, NOW)
    read(state, 20n, NOW + 62_000, { status: 'CANCELLED' }, NOW + 2_000)
    expect(liveOrdersUsd(state)).toBe(usd(100))
    expect(state.head).toEqual({ number: 20n, t: NOW + 62_000, readAt: NOW + 2_000 })
  })

  test('an order that ended unfilled is forgotten after its minute, and a filled one after its day', () => {
    const state = oneSigned()
    read(state, 10n, NOW + 2_000, { status: 'CANCELLED' })
    expect(read(state, 13n, NOW + 8_000, { status: 'CANCELLED' }).forgotten).toEqual([])
    expect(read(state, 40n, NOW + MINUTE_MS, { status: 'CANCELLED' }).forgotten).toEqual([1n])
    const filled = oneSigned()
    read(filled, 10n, NOW + 2_000, { status: 'FILLED', takerFilled: 1n })
    read(filled, 13n, NOW + 8_000, { status: 'FILLED', takerFilled: 1n })
    expect(read(filled, 99n, NOW + DAY_MS).forgotten).toEqual([])
    expect(read(filled, 100n, NOW + 8_000 + DAY_MS).forgotten).toEqual([1n])
    expect(filled.signed.size).toBe(0)
  })
})
