import { describe, expect, test } from 'vitest'
import {
  inferPricing,
  feeFromNet,
  type PricingCandidates,
} from '../../../../../src/core/ledger/fills/pricing.ts'
import { fillOf, MID, NTZS, RATE, USD } from '../reconciliation/harness.ts'

/** One unit of USDC. */
const UNIT = 10n ** 12n

const candidates: PricingCandidates = {
  mids: [MID, 2_490n * RATE],
  spreads: [
    { bidBps: 60, askBps: 50 },
    { bidBps: 80, askBps: 70 },
  ],
  protocolFeeBps: 10,
  grain: UNIT,
  isFine: false,
  slippageBps: [50, 100],
}

/** 10 USDC at 2500 less 50 bps = 24,875; less 10 bps of fee = 24,850.125. */
const ASK = fillOf('a', { amountOut: 24_850_125n * 10n ** 15n, fee: null })
/** 25,000 NTZS at 2500 x 1.006 = 9.940357 (down); less 10 bps = 9.930416 (down). */
const DIVIDE = fillOf('b', {
  side: 'bid',
  inAsset: 'NTZS',
  amountIn: 25_000n * NTZS,
  outAsset: 'USDC',
  amountOut: 9_930_416n * UNIT,
  fee: null,
})

describe('what explains a fill', () => {
  test('a sale of shillings at our ask, with the fee that makes gross and payout meet', () => {
    expect(inferPricing(ASK, candidates)).toEqual({
      formula: 'ask',
      mid: MID,
      bps: 50,
      slippageBps: null,
      gross: 24_875n * NTZS,
      fee: 24_875n * 10n ** 15n,
    })
  })

  test('a purchase of shillings by the dividing formula', () => {
    const found = inferPricing(DIVIDE, candidates)
    expect(found).toMatchObject({
      formula: 'divide',
      mid: MID,
      bps: 60,
      gross: 9_940_357n * UNIT,
      fee: 9_941n * UNIT,
    })
  })

  test('a purchase of shillings by the multiplying formula', () => {
    // 10 x (1 - 0.006) = 9.94, less 10 bps = 9.93006
    const found = inferPricing({ ...DIVIDE, amountOut: 9_930_060n * UNIT }, candidates)
    expect(found).toMatchObject({
      formula: 'multiply',
      bps: 60,
      gross: 9_940_000n * UNIT,
      fee: 9_940n * UNIT,
    })
  })

  test('a venue that rounds up is explained too', () => {
    const found = inferPricing({ ...DIVIDE, amountOut: 9_930_417n * UNIT }, candidates)
    expect(found.formula).toBe('divide')
    expect(found.gross - found.fee).toBe(9_930_417n * UNIT)
  })

  test('one unit beyond either rounding is not explained', () => {
    const none = { ...candidates, slippageBps: [] }
    expect(inferPricing({ ...DIVIDE, amountOut: 9_930_419n * UNIT }, none).formula).toBe('unexplained')
    expect(inferPricing({ ...DIVIDE, amountOut: 9_930_414n * UNIT }, none).formula).toBe('unexplained')
  })

  test('the previous mid and the previous spread are tried after the current ones', () => {
    // 10 x 2490 x 0.993 = 24,725.7; x 0.999
    const found = inferPricing({ ...ASK, amountOut: 24_700_974_300n * 10n ** 12n }, candidates)
    expect(found).toMatchObject({ formula: 'ask', mid: 2_490n * RATE, bps: 70 })
  })

  test('a payout finer than the unit of the token is explained to the last of eighteen decimals', () => {
    // 25,000 / 2500 / 1.006 = 9.94035785..., less 10 bps
    const gross = (25_000n * NTZS * 10_000n) / (2_500n * 10_060n)
    const fine = { ...DIVIDE, outAsset: 'USDT.bnb', amountOut: (gross * 9_990n) / 10_000n } as const
    expect(inferPricing(fine, { ...candidates, grain: 1n })).toMatchObject({
      formula: 'divide',
      gross,
      fee: gross - fine.amountOut,
    })
    const off = { ...fine, amountOut: fine.amountOut + 3n }
    expect(inferPricing(off, { ...candidates, grain: 1n }).formula).toBe('unexplained')
  })

  test('a taker paid exactly the floor is named, with the tolerance that was used up', () => {
    // 24,850.125 x 0.99
    const found = inferPricing({ ...ASK, amountOut: 24_601_623_750n * 10n ** 12n }, candidates)
    expect(found).toMatchObject({
      formula: 'slippage-floor',
      slippageBps: 100,
      bps: 50,
      gross: 24_875n * NTZS,
    })
    expect(found.fee).toBe(24_875n * 10n ** 15n)
  })

  test('a fee on the row is taken as it is, and may itself complete the gross', () => {
    const found = inferPricing(
      { ...ASK, amountOut: 24_825_250n * 10n ** 15n, fee: 49_750n * 10n ** 15n },
      candidates,
    )
    expect(found).toMatchObject({ formula: 'ask', gross: 24_875n * NTZS, fee: 49_750n * 10n ** 15n })
  })

  test('a fee that another source names is tried too, and one that is no fee trips nothing', () => {
    // 24,875 less 20 bps
    const fill = { ...ASK, amountOut: 24_825_250n * 10n ** 15n }
    const otherFeesBps = [-1, 10_000, 12.5, 20]
    const fee = 49_750n * 10n ** 15n
    expect(inferPricing(fill, { ...candidates, otherFeesBps })).toMatchObject({ formula: 'ask', fee })
    expect(inferPricing(fill, candidates).formula).toBe('unexplained')
  })

  test('what nothing explains is reported so and gets a fee from the payout alone', () => {
    const found = inferPricing({ ...ASK, amountOut: 999n * NTZS }, candidates)
    expect(found).toMatchObject({
      formula: 'unexplained',
      mid: null,
      bps: null,
      fee: NTZS,
      gross: 1_000n * NTZS,
    })
  })

  test('dollars for dollars, no mid, no spread and an absurd fee are unreconciled, not errors', () => {
    for (const legs of [{ inAsset: 'USDT' }, { outAsset: 'NTZS' }] as const)
      expect(inferPricing({ ...DIVIDE, ...legs }, candidates).formula).toBe('unexplained')
    expect(inferPricing(ASK, { ...candidates, mids: [] }).formula).toBe('unexplained')
    expect(inferPricing(ASK, { ...candidates, mids: [0n] }).formula).toBe('unexplained')
    expect(inferPricing(ASK, { ...candidates, spreads: [] }).formula).toBe('unexplained')
    for (const protocolFeeBps of [10_000, -1, Number.NaN, 12.5]) {
      expect(inferPricing(ASK, { ...candidates, protocolFeeBps })).toMatchObject({
        formula: 'unexplained',
        fee: 0n,
      })
    }
  })

  test('a fee from the payout alone is what the payout lacks', () => {
    expect(feeFromNet(9_930_060n * UNIT, 10, UNIT)).toBe(9_940n * UNIT)
    expect(feeFromNet(USD, 0, UNIT)).toBe(0n)
    // 1 / 999 is 0.001001001..., up to one grain.
    expect(feeFromNet(USD, 10, UNIT)).toBe(1_002n * UNIT)
    expect(feeFromNet(USD, 10, 1n)).toBe(1_001_001_001_001_002n)
  })
})
