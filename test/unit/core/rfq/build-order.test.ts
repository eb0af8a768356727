import { describe, expect, it } from 'vitest'
import { buildOrder, nextSalt, type TargetOrder } from '../../../../src/core/rfq/build-order.ts'
import { MAX_UINT128 } from '../../../../src/core/rfq/rfq-order.ts'
import { ASK, BID, rfqSettings, SOLVER } from '../../../support/order-harness.ts'
import { NOW } from './open-orders.ts'

const SETTINGS = rfqSettings()
const NTZS = 10n ** 18n

const build = (target: TargetOrder, offsetMs = 0, settings = SETTINGS, now = NOW) =>
  buildOrder(target, { settings, solver: SOLVER, salt: 7n, now, offsetMs })

function amounts(target: TargetOrder): readonly [maker: bigint, taker: bigint] | string {
  const built = build(target)
  return built.ok ? [built.value.order.makerAmount, built.value.order.takerAmount] : built.error
}

describe('the order that a target becomes', () => {
  it('never lives longer than rfq.maxLifeMs by our clock, however far the venue is ahead', () => {
    const settings = { ...SETTINGS, maxLifeMs: 120_000 }
    const lifeOf = (offsetMs: number) => {
      const built = build(ASK, offsetMs, settings)
      return built.ok ? Number(built.value.order.expiry) * 1_000 - NOW : built.error
    }
    expect([-5_000, 0, 5_000].map(lifeOf)).toEqual([115_000, 120_000, 120_000])
  })

  it('an ask gives shillings for dollars and a bid gives dollars for shillings, to the solver alone', () => {
    const zero = { hash: null, status: null, makerFilled: 0n, takerFilled: 0n, endedAt: null, cancel: null }
    const common = { maker: SETTINGS.maker, taker: SOLVER, txOrigin: SOLVER, pool: `0x${'0'.repeat(64)}` }
    const order = { ...common, expiry: 1_000_120n, salt: 7n }
    const { NTZS: shilling, USDC: dollar } = SETTINGS.tokens
    expect(build(ASK)).toEqual({
      ok: true,
      value: {
        order: {
          ...order,
          makerToken: shilling,
          takerToken: dollar,
          makerAmount: 248_500n * NTZS,
          takerAmount: 100_000_000n,
        },
        side: 'ask',
        stable: 'USDC',
        makerAsset: 'NTZS',
        takerAsset: 'USDC',
        price: 2_485n * 10n ** 18n,
        reservedAt: NOW,
        phase: 'reserving',
        ...zero,
      },
    })
    expect(build(BID)).toMatchObject({
      ok: true,
      value: {
        order: {
          ...order,
          makerToken: dollar,
          takerToken: shilling,
          makerAmount: 100_000_000n,
          takerAmount: 251_500n * NTZS,
        },
        side: 'bid',
        makerAsset: 'USDC',
        takerAsset: 'NTZS',
      },
    })
  })

  it('its shillings are rounded in our favour: down for an ask, up for a bid', () => {
    // 0.000001 dollars of USDT.bnb have 12 zeroes, and this price 18 decimals.
    const target = { usd: 0.000_001, stable: 'USDC', tzsPerUsd: 2_500.000_000_1 } as const
    const exact = 2_500_000_000_100_000n
    expect(amounts({ ...target, side: 'ask' })).toEqual([exact, 1n])
    expect(amounts({ ...target, side: 'bid' })).toEqual([1n, exact])
    // A third of a unit is left: base units of six decimals hold every figure, so only the price can leave one.
    const odd = { usd: 0.000_003, stable: 'USDC', tzsPerUsd: 1.000_000_000_000_000_2 } as const
    expect(amounts({ ...odd, side: 'ask' })).toEqual([3_000_000_000_000n, 3n])
    expect(amounts({ ...odd, side: 'bid' })).toEqual([3n, 3_000_000_000_001n])
  })

  it('its dollars are whole millionths, rounded down, in the units of the token', () => {
    expect(amounts({ ...BID, usd: 1.000_000_9 })).toEqual([1_000_000n, 2_515n * NTZS])
    const bnb = { ...SETTINGS.tokens, 'USDT.bnb': SETTINGS.tokens.USDT! }
    const built = build({ ...BID, stable: 'USDT.bnb' }, 0, { ...SETTINGS, tokens: bnb })
    expect(built).toMatchObject({ value: { order: { makerAmount: 100n * 10n ** 18n } } })
  })

  it("expires by the venue's clock, in whole seconds rounded down", () => {
    const expiry = (offsetMs: number) => {
      const built = build(BID, offsetMs)
      return built.ok ? built.value.order.expiry : null
    }
    expect(expiry(999)).toBe(1_000_120n)
    expect(expiry(1_000)).toBe(1_000_121n)
    expect(expiry(-1)).toBe(1_000_119n)
  })

  it('a target without an order is refused with the reason', () => {
    const { NTZS: _, ...noShilling } = SETTINGS.tokens
    const settings = { ...SETTINGS, tokens: noShilling }
    expect(build(BID, 0, settings)).toEqual({ ok: false, error: 'rfq.tokens names no USDC' })
    expect(amounts({ ...BID, stable: 'USDT.bnb' })).toBe('rfq.tokens names no USDT.bnb')
    expect(amounts({ ...BID, tzsPerUsd: 0.5 })).toBe(
      'the price 0.5 is invalid: 0.5 is not between 1 and 1000000 TZS per USD',
    )
    expect(amounts({ ...BID, usd: 0 })).toBe('0 dollars at 2515 are too small for an order')
    for (const usd of [-1, -Infinity, Number.NaN, 0.000_000_9, 1e9 + 0.001, Infinity])
      expect(amounts({ ...BID, usd })).toContain(`${usd} dollars at 2515`)
  })

  it('a target of a thousand million dollars is the largest, and its amounts fit into the exchange', () => {
    expect(amounts({ ...BID, usd: 1e9 })).toEqual([10n ** 15n, 2_515n * 10n ** 27n])
    expect(amounts({ ...ASK, usd: 1e9, tzsPerUsd: 1_000_000 })).toEqual([10n ** 33n, 10n ** 15n])
    expect(10n ** 33n).toBeLessThan(MAX_UINT128)
  })
})

describe('the salt of the next order', () => {
  it('has the time in its upper digits and is always above the last one', () => {
    expect(nextSalt(0n, 1_000.9)).toBe(1_000n << 20n)
    expect(nextSalt((1_000n << 20n) - 1n, 1_000)).toBe(1_000n << 20n)
    expect(nextSalt(1_000n << 20n, 1_000)).toBe((1_000n << 20n) + 1n)
    expect(nextSalt(2_000n << 20n, 1_000)).toBe((2_000n << 20n) + 1n)
    expect(nextSalt(5n, -3)).toBe(6n)
  })
})
