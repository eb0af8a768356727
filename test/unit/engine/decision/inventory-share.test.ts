import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inventoryShare, LazyInventoryShare } from '../../../../src/engine/decision/inventory-share.ts'
import { createBook, position } from '../../../../src/ledger/book/book.ts'
import { ASSETS } from '../../../../src/money/asset.ts'

const RATE = 10n ** 18n
const step = fc.record({
  asset: fc.constantFrom(...ASSETS),
  account: fc.constantFrom('pool' as const, 'wallet' as const),
  amount: fc.oneof(fc.constant(0n), fc.bigInt({ min: -(10n ** 26n), max: 10n ** 26n })),
  mid: fc.bigInt({ min: 2_000n * RATE, max: 3_000n * RATE }),
  target: fc.double({ min: 0, max: 1, noNaN: true }),
  reads: fc.subarray(['ntzs', 'usd', 'totalTzs', 'usdShare', 'deviation', 'tzsPerUsd'] as const),
})

describe('the share that is computed as far as it is read', () => {
  it('is the share of the book, whatever was read before and whatever has moved since', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const book = createBook()
        const lazy = new LazyInventoryShare(book)
        for (const { asset, account, amount, mid, target, reads } of steps) {
          book.accounts[account][asset] += amount
          lazy.show(mid, target)
          const whole = inventoryShare(position(book), mid, target)
          for (const member of reads) expect(lazy[member]).toBe(whole[member])
        }
      }),
    )
  })

  it('shows one and the same units while none moves, at any mid', () => {
    const book = createBook()
    const lazy = new LazyInventoryShare(book)
    const heldAt = (mid: bigint) => {
      lazy.show(mid, 0.5)
      return lazy.held
    }
    book.accounts.pool.USDC = 5n
    const before = heldAt(2_500n * RATE)
    expect(heldAt(2_600n * RATE)).toBe(before)
    book.accounts.wallet.NTZS = 1n
    expect(heldAt(2_600n * RATE)).not.toBe(before)
  })
})
