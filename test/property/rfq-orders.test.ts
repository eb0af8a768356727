import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toBook } from '../../src/base/money/asset.ts'
import { parseRate, RATE_ONE } from '../../src/base/money/rate.ts'
import { buildOrder, nextSalt, type TargetOrder } from '../../src/core/rfq/build-order.ts'
import { MAX_UINT128 } from '../../src/core/rfq/rfq-order.ts'
import type { RfqSettings } from '../../src/core/rfq/rfq-settings.ts'
import { rfqSettings, SOLVER } from '../support/order-harness.ts'

const wish: fc.Arbitrary<TargetOrder> = fc.record({
  side: fc.constantFrom('bid', 'ask'),
  stable: fc.constantFrom('USDC', 'USDT', 'USDT.bnb'),
  usd: fc.oneof(
    fc.double({ min: 1e-7, max: 10, noNaN: true }),
    fc.double({ min: 1, max: 1e9, noNaN: true }),
    fc.constantFrom(1e-6, 0.000_000_9, 1e9, 0.1 + 0.2),
  ),
  tzsPerUsd: fc.oneof(
    fc.double({ min: 1_000, max: 5_000, noNaN: true }),
    fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
  ),
})

const TOKENS: RfqSettings['tokens'] = {
  NTZS: `0x${'1'.repeat(40)}`,
  USDC: `0x${'2'.repeat(40)}`,
  USDT: `0x${'3'.repeat(40)}`,
  'USDT.bnb': `0x${'4'.repeat(40)}`,
}

function build(one: TargetOrder, change: Partial<RfqSettings> = {}, now = 1_767_603_600_000, offsetMs = 0) {
  const settings = rfqSettings({ tokens: TOKENS, ...change })
  return buildOrder(one, { settings, solver: SOLVER, salt: 1n, now, offsetMs })
}

/** Shillings at 18 decimals times 10^18 of the rate that this many dollars are worth at the wish's price. */
function worth(one: TargetOrder, dollars: bigint): bigint {
  const price = parseRate(one.tzsPerUsd)
  if (!price.ok) throw new Error('no price')
  return toBook(dollars, one.stable) * price.value
}

describe('an order', () => {
  it('is never in our disfavour, whole or in whatever parts it is filled, by the contract’s own rounding', () => {
    const parts = fc.array(
      fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1e6),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(wish, parts, (one, fractions) => {
        const built = build(one)
        if (!built.ok) return
        const { makerAmount, takerAmount } = built.value.order
        let [given, got] = [0n, 0n]
        for (const fraction of [...fractions, 1]) {
          const left = takerAmount - got
          const part = fraction === 1 ? left : (left * BigInt(Math.floor(fraction * 1e9))) / 1_000_000_000n
          got += part
          given += (part * makerAmount) / takerAmount
          const [shillings, dollars] = one.side === 'ask' ? [given, got] : [got, given]
          // Sold shillings are worth at most the dollars; bought shillings at least.
          if (one.side === 'ask') expect(shillings * RATE_ONE <= worth(one, dollars)).toBe(true)
          else expect(shillings * RATE_ONE >= worth(one, dollars)).toBe(true)
        }
        expect(got).toBe(takerAmount)
        expect(given <= makerAmount).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is never of nothing and never over uint128, and a wish that would be is refused in a sentence', () => {
    fc.assert(
      fc.property(wish, (one) => {
        const built = build(one)
        if (!built.ok) {
          expect(built.error).toMatch(/for an order|is invalid/)
          return
        }
        const { makerAmount, takerAmount } = built.value.order
        for (const amount of [makerAmount, takerAmount])
          expect(amount > 0n && amount <= MAX_UINT128).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is refused for sizes and prices that are no numbers of an order', () => {
    const plain: TargetOrder = { side: 'bid', stable: 'USDC', usd: 1, tzsPerUsd: 2_500 }
    for (const usd of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e9 + 1, 1e-9])
      expect(build({ ...plain, usd }).ok).toBe(false)
    for (const tzsPerUsd of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(build({ ...plain, tzsPerUsd }).ok).toBe(false)
    expect(build(plain, { tokens: { NTZS: TOKENS.NTZS! } }).ok).toBe(false)
    expect(build({ ...plain, side: 'ask', usd: 1e9, tzsPerUsd: 1e15 }).ok).toBe(false)
  })

  it('names us as maker, the solver as taker and origin, and one shilling token on one side', () => {
    fc.assert(
      fc.property(wish, (one) => {
        const built = build(one)
        if (!built.ok) return
        const { maker, taker, txOrigin, makerToken, takerToken } = built.value.order
        expect([maker, taker, txOrigin]).toEqual([rfqSettings().maker, SOLVER, SOLVER])
        expect([makerToken, takerToken].filter((token) => token === TOKENS.NTZS)).toHaveLength(1)
        expect([makerToken, takerToken]).toContain(TOKENS[one.stable])
        expect(built.value.makerAsset).toBe(one.side === 'ask' ? 'NTZS' : one.stable)
      }),
    )
  })

  it('arrives with 60 seconds to 24 hours to live, for every allowed life and every clock within its bound', () => {
    const times = fc.record({
      maxOffset: fc.integer({ min: 0, max: 60_000 }),
      /** Where in what the configuration allows. */
      life: fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1e6),
      /** How far the venue's clock really is, and how much of that we measured: all, or nothing at all. */
      offset: fc.integer({ min: -1_000, max: 1_000 }).map((thousandths) => thousandths / 1e3),
      isMeasured: fc.boolean(),
      /** A Date header tells whole seconds, and an answer takes its time. */
      error: fc.integer({ min: -500, max: 500 }),
      latency: fc.integer({ min: 0, max: 8_000 }),
      now: fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
    })
    fc.assert(
      fc.property(wish, times, (one, { maxOffset, life, offset, isMeasured, error, latency, now }) => {
        const margin = Math.max(15_000, maxOffset + 10_000)
        const [least, most] = [60_000 + margin, 86_400_000 - margin]
        const expiryMs = Math.round(least + (most - least) * life)
        const real = Math.round(offset * maxOffset)
        const built = build(one, { expiryMs }, now, isMeasured ? real + error : 0)
        if (!built.ok) return
        const left = Number(built.value.order.expiry) * 1_000 - (now + real + latency)
        expect(left).toBeGreaterThanOrEqual(60_000)
        expect(left).toBeLessThanOrEqual(86_400_000)
      }),
      { numRuns: 1_000 },
    )
  })

  it('has a salt above every one before it, also while the clock goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e9, max: 2e12, noNaN: true }), { maxLength: 50 }), (clock) => {
        let last = 0n
        for (const now of clock) {
          const salt = nextSalt(last, now)
          expect(salt > last).toBe(true)
          last = salt
        }
      }),
    )
  })
})
