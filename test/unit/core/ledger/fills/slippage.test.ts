import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fill } from '../../../../../src/core/ledger/fills/fill.ts'
import { explanationsOf, inferPricing } from '../../../../../src/core/ledger/fills/pricing.ts'
import { slippageOf, wholeBpsTest } from '../../../../../src/core/ledger/fills/slippage.ts'
import { parseAmount } from '../../../../../src/base/money/asset.ts'
import { parseRate } from '../../../../../src/base/money/rate.ts'

const amount = (text: string) => {
  const parsed = parseAmount(text)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}
const rate = (value: number) => {
  const parsed = parseRate(value)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

/** As the venue writes a double into its column of 18 decimals. */
const written = (value: number) => amount(value.toFixed(18))

const bid = (shillings: number, out: bigint, fee: bigint | null): Fill => ({
  id: 'f',
  side: 'bid',
  inAsset: 'NTZS',
  amountIn: amount(String(shillings)),
  outAsset: 'USDC',
  amountOut: out,
  fee,
  earnedText: null,
  txHash: null,
  createdAt: null,
  raw: '{}',
})

const candidates = (mid: number, bidBps: number) => ({
  mids: [rate(mid)],
  spreads: [{ bidBps, askBps: 50 }],
  protocolFeeBps: 20,
  otherFeesBps: [10],
  slippageBps: [],
  grain: 1n,
  isFine: true,
})

describe('a payout in doubles', () => {
  test('of a ramp is explained: whole shillings, and a fee out of the spread of the provider', () => {
    const ramp: Fill = {
      ...bid(0, amount('181190'), amount('364.678492800000000000')),
      side: 'ask',
      inAsset: 'USDT',
      amountIn: amount('71'),
      outAsset: 'NTZS',
    }
    const at = (askBps: number) =>
      inferPricing(ramp, { ...candidates(2_568.1584, 40), spreads: [{ bidBps: 40, askBps }] })
    expect(at(63)).toMatchObject({ formula: 'ask', bps: 63, slippageBps: null, fee: ramp.fee })
    expect([at(62).formula, at(64).formula]).toEqual(['unexplained', 'unexplained'])
    const spreads = [{ bidBps: 40, askBps: 63 }]
    for (const off of [{ fee: null }, { amountOut: amount('181190.5') }])
      expect(inferPricing({ ...ramp, ...off }, { ...candidates(2_568.1584, 40), spreads }).formula).toBe(
        'unexplained',
      )
    // 100.4 dollars less 20 bps: whole dollars are no sign of a ramp.
    expect(inferPricing(bid(257_760, amount('100'), 5n), candidates(2_557, 40)).formula).toBe('unexplained')
  })

  test.each([
    ['the most', 9_500n, { bps: 500, afterFee: 10_000n }],
    ['more than the most', 9_499n, null],
    ['less than nothing', 10_001n, null],
  ])('lets %s go: %d of 10,000', (_, kept, slippage) => {
    const [gross, one] = [10_000n * 10n ** 18n, 10n ** 18n]
    expect(slippageOf(kept * one, gross, [10_000n], 500n)).toEqual(slippage)
    expect(slippageOf(kept * one, 0n, [10_000n], 500n)).toBeNull()
  })

  test('that was measured is explained: 250,000 shillings at a mid of 2568, 70 bps, 100 bps let go and a fee of 20', () => {
    const pricing = inferPricing(
      bid(250_000, amount('95.517127769167230000'), amount('0.194704')),
      candidates(2_568, 70),
    )
    expect(pricing).toMatchObject({
      formula: 'slippage-floor',
      slippageBps: 100,
      bps: 70,
      fee: amount('0.194704'),
    })
  })

  test('is explained by its whole bps of slippage at every size, spread and fee, and by no other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.integer({ min: 10, max: 500 }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.constantFrom(0, 10, 20),
        fc.integer({ min: 2_000, max: 3_000 }),
        (shillings, bidBps, slippage, feeBps, mid) => {
          const out =
            (shillings / (mid * (1 + bidBps / 10_000))) * (1 - slippage / 10_000) * (1 - feeBps / 10_000)
          const { gross } = inferPricing(bid(shillings, written(out), 0n), {
            ...candidates(mid, bidBps),
            protocolFeeBps: feeBps,
            otherFeesBps: [],
          })
          const found = slippageOf(written(out), gross, [10_000n - BigInt(feeBps)], 5_000n)
          // A payout of a few millionths has too few digits to show its slippage.
          if (out > 1e-4) expect(found?.bps).toBe(slippage)
        },
      ),
    )
  })

  test('that slippage or a fee may explain is explained by the fee of its row', () => {
    const out = written((250_000 / (2_568 * 1.007)) * 0.998)
    const of = (fee: bigint) => inferPricing(bid(250_000, out, fee), candidates(2_568, 70))
    expect(of(amount('0.19'))).toMatchObject({ formula: 'divide', slippageBps: null })
    expect(of(0n)).toMatchObject({ formula: 'slippage-floor', slippageBps: 20 })
    const { formula, fee, gross } = inferPricing(bid(250_000, out, null), candidates(2_568, 70))
    expect([formula, fee]).toEqual(['divide', (gross * 20n) / 10_000n])
  })

  test('that is one part in 10^11 off, or lets more than half go, is unexplained', () => {
    const exact = (250_000 / (2_568 * 1.007)) * 0.99 * 0.998
    const of = (out: number) => inferPricing(bid(250_000, written(out), 0n), candidates(2_568, 70)).formula
    expect(of(exact)).toBe('slippage-floor')
    expect(of(exact * (1 + 1e-11))).toBe('unexplained')
    expect(of((250_000 / (2_568 * 1.007)) * 0.949 * 0.998)).toBe('slippage-floor')
    expect(of((250_000 / (2_568 * 1.007)) * 0.499 * 0.998)).toBe('unexplained')
  })
})

describe('the explanations of a payout', () => {
  const quoted = 95.5 * (1 - 0.002)
  const both = [
    'divide at 2568 and 70 bps, slippage 20 bps, fee 0 bps',
    'divide at 2568 and 70 bps, slippage 0 bps, fee 20 bps',
  ]
  const shillings = 95.5 * 2_568 * 1.007
  test.each([
    ['are both where 20 bps may be slippage or the fee', null, both.toReversed()],
    ['are one where the row has a fee', amount('0.19'), both.slice(1)],
    ['are one where the row has none', 0n, both.slice(0, 1)],
  ])('%s', (_, fee, expected) => {
    const fill = { ...bid(0, written(quoted), fee), amountIn: written(shillings) }
    const given = candidates(2_568, 70)
    const more = { ...given, mids: [0n, ...given.mids], otherFeesBps: [10, -1, 12.5] }
    expect(explanationsOf(fill, more).toSorted()).toEqual(expected.toSorted())
    const { otherFeesBps: _none, ...fewer } = given
    expect(explanationsOf(fill, fewer).toSorted()).toEqual(expected.toSorted())
  })
})

test('the test in doubles passes every payout that slippage explains, and refuses half a bps', () => {
  const drawn = fc.record({
    gross: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.bigInt({ min: 1n, max: 10n ** 30n })),
    step: fc.constantFrom(1n, 10n ** 12n),
    /** By how much the estimate is off, in thousandths of a step. */
    off: fc.integer({ min: -1_000, max: 1_000 }),
    slippage: fc.integer({ min: 0, max: 5_000 }),
    afterFee: fc.integer({ min: 9_000, max: 10_000 }),
    /** By how much the payout is off, in parts of 10^14. */
    parts: fc.integer({ min: -100, max: 100 }),
  })
  let explained = 0
  let refused = 0
  fc.assert(
    fc.property(drawn, ({ gross, step, off, slippage, afterFee, parts }) => {
      const paid = (halfBps: number) => (gross * BigInt(20_000 - halfBps) * BigInt(afterFee)) / 200_000_000n
      const estimate = Math.max(0, Number(gross) + (off / 1_000) * Number(step))
      const exact = paid(2 * slippage)
      const amountOut = exact + (exact * BigInt(parts)) / 10n ** 14n
      const afterFees = [1n, BigInt(afterFee)]
      if (slippageOf(amountOut, gross, afterFees, 5_000n) !== null) {
        explained += 1
        expect(wholeBpsTest(amountOut, afterFees, Number(step))(estimate)).toBe(true)
      }
      if (estimate < 1e6 * Number(step)) return
      refused += 1
      expect(wholeBpsTest(paid(2 * slippage + 1), [BigInt(afterFee)], Number(step))(estimate)).toBe(false)
    }),
    { numRuns: 2_000 },
  )
  expect(Math.min(explained, refused)).toBeGreaterThan(300)
})
