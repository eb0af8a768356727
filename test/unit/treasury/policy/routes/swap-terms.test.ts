import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBook, TOKEN_UNIT } from '../../../../../src/base/money/asset.ts'
import {
  dollarsForShillings,
  shillingsForDollars,
  splitProtocolFee,
} from '../../../../../src/base/money/payout.ts'
import { swapTerms } from '../../../../../src/treasury/policy/routes/swap-terms.ts'
import { input, MID, TZS, USD } from '../plan-world.ts'

const quote = (bps: number | null, isActive = true) => ({
  bidBps: bps,
  askBps: bps,
  isActive,
  isHalted: false,
})
const terms = (
  change: Parameters<typeof input>[0],
  from: 'USDC' | 'NTZS',
  to: 'USDC' | 'NTZS',
  amount: bigint,
) => {
  const read = swapTerms(input(change), from, to, amount)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

const PAYOUTS = (['divide', 'multiply'] as const).flatMap((formula) =>
  [1n, TOKEN_UNIT.USDC].map((grain) => [formula, grain] as const),
)

describe('a swap as a taker', () => {
  test('is never one with ourselves: the floor is above what our own quote pays after the fee, at any spread', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 500 }),
        fc.bigInt({ min: 10n ** 6n, max: 10n ** 12n }),
        (bps, units) => {
          const dollars = units
          const own = splitProtocolFee(shillingsForDollars(toBook(dollars, 'USDC'), MID, bps, 'down'), 10).net
          expect(terms({ quote: quote(bps) }, 'USDC', 'NTZS', dollars).minOutput).toBeGreaterThan(own)
          const shillings = units * 10n ** 15n
          // The venue may count dollars in units of the token, or finer.
          for (const [formula, grain] of PAYOUTS) {
            const gross = dollarsForShillings(shillings, MID, bps, formula, grain, 'down')
            const paid = splitProtocolFee(gross, 10, grain).net
            const { minOutput } = terms({ quote: quote(bps) }, 'NTZS', 'USDC', shillings)
            expect(toBook(minOutput, 'USDC')).toBeGreaterThan(paid)
          }
        },
      ),
    )
  })

  test('gives up no more than 200 bps of the mid where our own side is off', () => {
    for (const off of [quote(null), quote(20, false)])
      expect(terms({ quote: off }, 'USDC', 'NTZS', 1_000n * USD).minOutput).toBe(
        (2_568_000n * TZS * 98n) / 100n,
      )
  })

  test('waits for the confirmation of our own quote', () => {
    const unknown = { ...quote(null), isKnown: false }
    const read = swapTerms(input({ quote: unknown }), 'USDC', 'NTZS', USD)
    expect(read.ok ? '' : read.error).toContain('is not confirmed')
  })

  test('has no price without a mid, and no way into USDT or between two dollars', () => {
    expect(swapTerms(input({ mid: null }), 'USDC', 'NTZS', USD).ok).toBe(false)
    expect(swapTerms(input(), 'NTZS', 'USDT', TZS).ok).toBe(false)
    expect(swapTerms(input(), 'USDT', 'USDC', USD).ok).toBe(false)
  })
})
