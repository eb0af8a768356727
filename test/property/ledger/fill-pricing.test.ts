import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  inferPricing,
  feeFromNet,
  type FillPricing,
  type PricingCandidates,
} from '../../../src/core/ledger/fills/pricing.ts'
import type { Fill } from '../../../src/core/ledger/fills/fill.ts'
import { STABLE_ASSETS, TOKEN_UNIT } from '../../../src/base/money/asset.ts'
import { dollarsForShillings, shillingsForDollars } from '../../../src/base/money/payout.ts'
import { divide } from '../../../src/base/money/rounding.ts'
import { fillOf } from '../../unit/core/ledger/reconciliation/harness.ts'

/** What the smallest step of a payout in dollars can be. */
const grain = fc.constantFrom(1n, TOKEN_UNIT.USDC)

const market = fc.record({
  grain,
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
      const amountIn = m.size * (ask ? 10n ** 12n : 10n ** 15n)
      const step = ask ? 1n : m.grain
      const gross =
        m.formula === 'ask'
          ? shillingsForDollars(amountIn, m.mid, m.bps, m.rounding)
          : dollarsForShillings(amountIn, m.mid, m.bps, m.formula, m.grain, m.rounding)
      const share = BigInt(10_000 - m.protocolFeeBps)
      const amountOut = divide(gross * share, 10_000n * step, m.netRounding) * step
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
        isFine: false,
        protocolFeeBps: m.protocolFeeBps,
        grain: step,
        slippageBps: [],
      })
      expect(found.formula).not.toBe('unexplained')
      expect(found.gross - found.fee).toBe(amountOut)
      const off = feeFromNet(amountOut, m.protocolFeeBps, step) - found.fee
      expect(off >= -2n * step && off <= 2n * step).toBe(true)
    }),
    { numRuns: 200 },
  )
})

/** Every candidate in whole numbers, none left out by an estimate. */
function pricedByAll(fill: Fill, candidates: PricingCandidates): Partial<FillPricing> {
  const { amountIn, amountOut, inAsset } = fill
  const { grain: step } = candidates
  const near = (scaled: bigint) =>
    scaled - amountOut * 10_000n > -10_000n * step && scaled - amountOut * 10_000n < 10_000n * step
  const afterFees = [candidates.protocolFeeBps, ...(candidates.otherFeesBps ?? [])].map((bps) =>
    BigInt(10_000 - bps),
  )
  const cases = candidates.spreads.flatMap(({ askBps, bidBps }) =>
    candidates.mids.flatMap((mid) =>
      (inAsset === 'NTZS' ? (['divide', 'multiply'] as const) : (['ask'] as const)).flatMap((formula) =>
        (['down', 'up'] as const).map((rounding) => {
          const gross =
            formula === 'ask'
              ? shillingsForDollars(amountIn, mid, askBps, rounding)
              : dollarsForShillings(amountIn, mid, bidBps, formula, step, rounding)
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
      const net = ((one.gross * (afterFees[0] ?? 0n)) / (10_000n * step)) * step
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
    fine: grain,
    amountIn: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.bigInt({ min: 0n, max: 10n ** 30n })),
    /** Which candidates paid, and by how many grains the payout is beside theirs. */
    pick: fc.nat(1_000),
    off: fc.integer({ min: -3, max: 3 }),
    isFloor: fc.boolean(),
    isNamed: fc.boolean(),
  })
  const unseen = new Set<string | undefined>(['ask', 'divide', 'multiply', 'slippage-floor', 'unexplained'])
  fc.assert(
    fc.property(drawn, (m) => {
      const { stable, isAsk, amountIn, pick } = m
      const step = isAsk ? 1n : m.fine
      const mid = m.mids[pick % m.mids.length] ?? 1n
      const { askBps, bidBps } = m.spreads[pick % m.spreads.length] ?? { askBps: 10, bidBps: 10 }
      const gross = isAsk
        ? shillingsForDollars(amountIn, mid, askBps, pick % 2 === 0 ? 'up' : 'down')
        : dollarsForShillings(amountIn, mid, bidBps, pick % 2 === 0 ? 'divide' : 'multiply', step, 'down')
      const kept = (amount: bigint, bps: number) =>
        ((amount * BigInt(10_000 - bps)) / (10_000n * step)) * step
      const net = kept(gross, m.protocolFeeBps)
      const paid = (m.isFloor ? kept(net, m.slippageBps[0] ?? 0) : net) + BigInt(m.off) * step
      const amountOut = paid < 0n ? 0n : paid
      const fill = fillOf('x', {
        side: isAsk ? 'ask' : 'bid',
        inAsset: isAsk ? stable : 'NTZS',
        outAsset: isAsk ? 'NTZS' : stable,
        amountIn,
        amountOut,
        fee: m.isNamed ? gross - net : null,
      })
      const candidates = { ...m, grain: step, isFine: false }
      const expected = pricedByAll(fill, candidates)
      unseen.delete(expected.formula)
      expect(inferPricing(fill, candidates)).toMatchObject(expected)
    }),
    { numRuns: 1_000 },
  )
  expect(unseen).toEqual(new Set())
})
