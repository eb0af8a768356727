import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { inferPricing, feeFromNet } from '../../../src/ledger/fills/pricing.ts'
import { STABLE_ASSETS } from '../../../src/money/asset.ts'
import { dollarsForShillings, shillingsForDollars } from '../../../src/money/payout.ts'
import { divide } from '../../../src/money/rounding.ts'
import { fillOf } from '../../unit/ledger/reconciliation/harness.ts'

const market = fc.record({
  mid: fc.bigInt({ min: 1_000n * 10n ** 18n, max: 4_000n * 10n ** 18n }),
  bps: fc.integer({ min: 10, max: 500 }),
  protocolFeeBps: fc.integer({ min: 0, max: 100 }),
  stable: fc.constantFrom(...STABLE_ASSETS),
  formula: fc.constantFrom('ask' as const, 'divide' as const, 'multiply' as const),
  rounding: fc.constantFrom('down' as const, 'up' as const),
  netRounding: fc.constantFrom('down' as const, 'up' as const),
  size: fc.bigInt({ min: 10n ** 4n, max: 10n ** 9n }),
})

test('every payout that a known formula makes is explained, and its fee completes the gross', () => {
  fc.assert(
    fc.property(market, (m) => {
      const ask = m.formula === 'ask'
      const amountIn = ask ? m.size * (m.stable === 'USDT.bnb' ? 10n ** 12n : 1n) : m.size * 10n ** 15n
      const gross =
        m.formula === 'ask'
          ? shillingsForDollars(amountIn, m.stable, m.mid, m.bps, m.rounding)
          : dollarsForShillings(amountIn, m.stable, m.mid, m.bps, m.formula, m.rounding)
      const amountOut = divide(gross * BigInt(10_000 - m.protocolFeeBps), 10_000n, m.netRounding)
      const fill = fillOf('x', {
        side: ask ? 'ask' : 'bid',
        inAsset: ask ? m.stable : 'NTZS',
        outAsset: ask ? 'NTZS' : m.stable,
        amountIn,
        amountOut,
        fee: null,
      })
      const found = inferPricing(fill, {
        mids: [m.mid + 10n ** 18n, m.mid],
        spreads: [{ bidBps: m.bps, askBps: m.bps }],
        protocolFeeBps: m.protocolFeeBps,
        slippageBps: [],
      })
      expect(found.formula).not.toBe('unexplained')
      expect(found.gross - found.fee).toBe(amountOut)
      const off = feeFromNet(amountOut, m.protocolFeeBps) - found.fee
      expect(off >= -2n && off <= 2n).toBe(true)
    }),
    { numRuns: 500 },
  )
})
