import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/base/time.ts'
import { calibrateTape } from '../../../src/research/calibration/calibrate.ts'
import type { Calibration, Estimate } from '../../../src/core/models/calibration.ts'
import { ASSETS } from '../../../src/base/money/asset.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import { ROW_KINDS, type TapeRow } from '../../../src/store/tape/model/row.ts'
import { MONDAY, tapeOf } from '../../unit/research/calibration/drawn-tape.ts'

const t = fc.integer({ min: 0, max: 400 }).map((steps) => MONDAY + (steps * HOUR_MS) / 4)
const bps = fc.integer({ min: 10, max: 500 })
const shown = fc.option(bps)
const asset = fc.constantFrom(...ASSETS)
const amount = fc.bigInt({ min: 1n, max: 10n ** 30n })
const mid = fc.integer({ min: 1, max: 1_000_000 }).map((tzs) => BigInt(tzs) * RATE_ONE)

const row: fc.Arbitrary<TapeRow> = fc.oneof(
  fc.record({
    type: fc.constant('rate' as const),
    t,
    mid,
    rateUpdatedAt: fc.option(t),
    quotable: fc.option(fc.boolean()),
  }),
  fc.record({ type: fc.constant('reference' as const), t, source: fc.constantFrom('a', 'b'), mid }),
  fc.record({
    type: fc.constant('competition' as const),
    t,
    from: asset,
    to: asset,
    amount,
    bidBps: shown,
    askBps: shown,
  }),
  fc.record({
    type: fc.constant('balances' as const),
    t,
    amounts: fc.dictionary(asset, fc.bigInt({ min: 0n, max: 10n ** 24n })),
    source: fc.constantFrom('pool' as const, 'wallet' as const, null),
  }),
  fc.record({
    type: fc.constant('quote' as const),
    t,
    bidBps: bps,
    askBps: bps,
    quoteBid: fc.boolean(),
    quoteAsk: fc.boolean(),
    quotePairs: fc.constantFrom(null, null, [], ['USDC/NTZS']),
  }),
  fc.record({
    type: fc.constant('fill' as const),
    t,
    id: fc.uuid(),
    from: asset,
    to: asset,
    amountIn: amount,
    amountOut: amount,
    protocolFee: fc.option(amount),
    feesEarned: fc.constant(null),
    txHash: fc.constant(null),
    seenAt: fc.constant(null),
  }),
)

const rows = fc
  .array(row, { maxLength: 250 })
  .map((each) => each.toSorted((x, y) => x.t - y.t || ROW_KINDS.indexOf(x.type) - ROW_KINDS.indexOf(y.type)))

function estimatesOf({ both, bid, ask, sigma, markouts }: Calibration): readonly Estimate[] {
  const intensities = [both, bid, ask].filter((each) => each !== null)
  return [
    ...intensities.flatMap(({ a, k }) => [a, k]),
    ...(sigma === null ? [] : [sigma]),
    ...markouts.map((each) => each.bps),
  ]
}

describe('a calibration of any tape', () => {
  it('is finite, holds each estimate in its interval, has positive A and k, and survives JSON', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 0, max: 20 }), async (given, toleranceBps) => {
        const found = await calibrateTape(tapeOf(given), { toleranceBps, seed: 1, protocolFeeBps: 10 })
        expect(JSON.parse(JSON.stringify(found))).toEqual(found)
        for (const { value, low, high } of estimatesOf(found)) {
          expect([value, low, high].every(Number.isFinite)).toBe(true)
          expect(low).toBeLessThanOrEqual(value)
          expect(high).toBeGreaterThanOrEqual(value)
        }
        for (const { a, k } of [found.both, found.bid, found.ask].filter((each) => each !== null)) {
          expect(Math.min(a.value, a.low, k.value, k.low)).toBeGreaterThan(0)
        }
        const counted = found.both.fills + (found.warnings.join().match(/left out/) === null ? 0 : 1)
        const fills = given.filter(({ type }) => type === 'fill').length
        expect(counted).toBeGreaterThanOrEqual(Math.min(1, fills))
        expect(found.both.fills).toBeLessThanOrEqual(fills)
        expect(found.warnings.join()).not.toMatch(/NaN|Infinity|undefined/)
      }),
      { numRuns: 40 },
    )
  })
})
