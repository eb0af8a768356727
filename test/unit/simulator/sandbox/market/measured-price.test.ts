import { describe, expect, test } from 'vitest'
import { formatAmount } from '../../../../../src/base/money/asset.ts'
import {
  bookOfDouble,
  priceMeasured,
  type MeasuredSwap,
} from '../../../../../src/simulator/sandbox/market/measured-price.ts'

const BID: MeasuredSwap = {
  side: 'bid',
  to: 'USDC',
  amountIn: 250_000,
  mid: 2_568,
  spreadBps: 70,
  slippageBps: 100,
  source: 'waas',
}
const ASK: MeasuredSwap = { ...BID, side: 'ask', to: 'NTZS', amountIn: 100, spreadBps: 50 }

function textsOf(swap: MeasuredSwap) {
  const { amountOut, fee, earned } = priceMeasured(swap)
  return { out: formatAmount(amountOut), fee: formatAmount(fee), earned: formatAmount(earned) }
}

describe('a fill of the measured venue', () => {
  test('of 250000 NTZS at mid 2568, bid 70 bps and slippage 100 bps has the recorded payout, fee and spread', () => {
    expect(textsOf(BID)).toEqual({ out: '95.51712776916723', fee: '0.194704', earned: '1.640193' })
  })

  test('of 100 USDC at mid 2568, ask 50 bps and slippage 100 bps leaves the recorded balance of NTZS', () => {
    const { amountOut, fee, earned } = priceMeasured(ASK)
    expect(formatAmount(40_250_000n * 10n ** 18n - amountOut - fee)).toBe('39997031.481679999999977263')
    expect(formatAmount(earned)).toBe('3831.481680000003052555')
  })

  test('from the app has neither fee nor the cut for it, and its slippage goes to the provider', () => {
    expect(textsOf({ ...ASK, source: 'app' })).toEqual({
      out: '252960.84',
      fee: '0',
      earned: '3839.16000000000349246',
    })
  })

  test('from the ramp pays whole shillings without slippage, and the fee comes out of the spread', () => {
    expect(textsOf({ ...ASK, amountIn: 99.99, source: 'ramp' })).toEqual({
      out: '255490',
      fee: '513.54863999999997759',
      earned: '770.771359999977903499',
    })
  })

  test('whose spread is below the fee pays no more fee than the difference to the mid', () => {
    expect(textsOf({ ...ASK, source: 'ramp', spreadBps: 10 })).toMatchObject({
      out: '256543',
      fee: '257',
      earned: '0',
    })
  })
})

test.each([
  [95.51712776916723, '95.51712776916723'],
  [1.5e-7, '0.00000015'],
  [1.25e-18, '0.000000000000000001'],
  [1.5e-18, '0.000000000000000002'],
  [5e-20, '0'],
  [252_454.91832, '252454.91832'],
])('the double %d is stored as %s, rounded to 18 decimals', (value, text) => {
  expect(formatAmount(bookOfDouble(value))).toBe(text)
})
