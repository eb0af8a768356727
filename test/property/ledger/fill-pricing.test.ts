import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  inferPricing,
  feeFromNet,
  type FillPricing,
  type PricingCandidates,
} from '../../../src/ledger/fills/pricing.ts'
import type { Fill } from '../../../src/ledger/fills/fill.ts'
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
    { numRuns: 200 },
  )
})

/** Every candidate in whole numbers, none left out by an estimate. */
function pricedByAll(fill: Fill, candidates: PricingCandidates): Partial<FillPricing> {
  const { amountIn, amountOut, inAsset, outAsset } = fill
  const near = (scaled: bigint) =>
    scaled - amountOut * 10_000n > -10_000n && scaled - amountOut * 10_000n < 10_000n
  const afterFees = [candidates.protocolFeeBps, ...(candidates.otherFeesBps ?? [])].map((bps) =>
    BigInt(10_000 - bps),
  )
  const cases = candidates.spreads.flatMap(({ askBps, bidBps }) =>
    candidates.mids.flatMap((mid) =>
      (inAsset === 'NTZS' ? (['divide', 'multiply'] as const) : (['ask'] as const)).flatMap((formula) =>
        (['down', 'up'] as const).map((rounding) => {
          const gross =
            formula === 'ask'
              ? shillingsForDollars(amountIn, inAsset as 'USDC', mid, askBps, rounding)
              : dollarsForShillings(amountIn, outAsset as 'USDC', mid, bidBps, formula, rounding)
          return { formula, mid, bps: formula === 'ask' ? askBps : bidBps, gross }
        }),
      ),
    ),
  )
  const isSaid = (gross: bigint) => fill.fee !== null && gross === amountOut + fill.fee
  const quoted = cases.find(({ gross }) => isSaid(gross) || afterFees.some((after) => near(gross * after)))
  if (quoted !== undefined) return { ...quoted, slippageBps: null }
  for (const slippageBps of candidates.slippageBps)
    for (const one of cases) {
      const net = (one.gross * (afterFees[0] ?? 0n)) / 10_000n
      if (near(net * BigInt(10_000 - slippageBps))) return { ...one, formula: 'slippage-floor', slippageBps }
    }
  return { formula: 'unexplained' }
}

test('no candidate that fits to the last unit is left out, and none that does not is taken', () => {
  const spread = fc.record({
    bidBps: fc.integer({ min: 10, max: 500 }),
    askBps: fc.integer({ min: 10, max: 500 }),
  })
  const drawn = fc.record({
    mids: fc.array(fc.bigInt({ min: 1n, max: 4_000n * 10n ** 18n }), { minLength: 1, maxLength: 4 }),
    spreads: fc.array(spread, { minLength: 1, maxLength: 4 }),
    protocolFeeBps: fc.integer({ min: 0, max: 9_999 }),
    otherFeesBps: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 2 }),
    slippageBps: fc.array(fc.integer({ min: 1, max: 9_999 }), { maxLength: 2 }),
    stable: fc.constantFrom(...STABLE_ASSETS),
    isAsk: fc.boolean(),
    amountIn: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 6n }), fc.bigInt({ min: 0n, max: 10n ** 30n })),
    /** Which candidates paid, and by how many units the payout is beside theirs. */
    pick: fc.nat(1_000),
    off: fc.integer({ min: -3, max: 3 }),
    isFloor: fc.boolean(),
    isNamed: fc.boolean(),
  })
  const unseen = new Set<string | undefined>(['ask', 'divide', 'multiply', 'slippage-floor', 'unexplained'])
  fc.assert(
    fc.property(drawn, (m) => {
      const { stable, isAsk, amountIn, pick } = m
      const mid = m.mids[pick % m.mids.length] ?? 1n
      const { askBps, bidBps } = m.spreads[pick % m.spreads.length] ?? { askBps: 10, bidBps: 10 }
      const gross = isAsk
        ? shillingsForDollars(amountIn, stable, mid, askBps, pick % 2 === 0 ? 'up' : 'down')
        : dollarsForShillings(amountIn, stable, mid, bidBps, pick % 2 === 0 ? 'divide' : 'multiply', 'down')
      const net = (gross * BigInt(10_000 - m.protocolFeeBps)) / 10_000n
      const kept = m.isFloor ? (net * BigInt(10_000 - (m.slippageBps[0] ?? 0))) / 10_000n : net
      const amountOut = kept + BigInt(m.off) < 0n ? 0n : kept + BigInt(m.off)
      const fill = fillOf('x', {
        side: isAsk ? 'ask' : 'bid',
        inAsset: isAsk ? stable : 'NTZS',
        outAsset: isAsk ? 'NTZS' : stable,
        amountIn,
        amountOut,
        fee: m.isNamed ? gross - net : null,
      })
      const expected = pricedByAll(fill, m)
      unseen.delete(expected.formula)
      expect(inferPricing(fill, m)).toMatchObject(expected)
    }),
    { numRuns: 1_000 },
  )
  expect(unseen).toEqual(new Set())
})
