import { describe, expect, test } from 'vitest'
import { createBook, markToMarket } from '../../../../../src/core/ledger/book/book.ts'
import { isLossSurelyWithin } from '../../../../../src/core/ledger/book/loss-filter.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { postOpening } from '../../../../../src/core/ledger/book/post-transfer.ts'
import {
  beginStretch,
  deepestFall,
  extendStretch,
  steepestRise,
} from '../../../../../src/core/ledger/book/stretch.ts'
import type { Amounts } from '../../../../../src/base/money/asset.ts'
import { MID, RATE, USD } from '../reconciliation/harness.ts'

const TZS = 10n ** 36n

/** Deepest fall and steepest rise of a mark that begins with the first of these. */
function extremes(first: bigint, ...marks: readonly bigint[]) {
  const stretch = beginStretch(first)
  for (const mark of marks) extendStretch(stretch, mark)
  const { highest, lowest } = stretch
  return [highest, lowest, deepestFall(stretch), steepestRise(stretch)]
}

describe('a stretch of marks', () => {
  test('knows its highest and lowest mark, its deepest fall and its steepest rise', () => {
    expect(extremes(100n)).toEqual([100n, 100n, 0n, 0n])
    expect(extremes(100n, 90n)).toEqual([100n, 90n, 10n, 0n])
    expect(extremes(100n, 110n)).toEqual([110n, 100n, 0n, 10n])
    // The fall of 30 was before the highest mark, the one after it is smaller; and the same upside down.
    expect(extremes(100n, 70n, 120n, 110n)).toEqual([120n, 70n, 30n, 50n])
    expect(extremes(100n, 130n, 80n, 90n)).toEqual([130n, 80n, 50n, 30n])
    expect(extremes(100n, 90n, 105n, 60n)).toEqual([105n, 60n, 45n, 15n])
    expect(extremes(100n, 110n, 95n, 140n)).toEqual([140n, 95n, 15n, 45n])
    expect(extremes(100n, 100n, 90n, 90n, 95n)).toEqual([100n, 90n, 10n, 5n])
  })
})

describe('the filter for losses', () => {
  const held = (amounts: Partial<Amounts>) => {
    const book = createBook()
    postOpening(book, 1, amounts, 'pool', MID)
    return book
  }

  test('proves nothing without a mark', () => {
    const book = createBook()
    expect(isLossSurelyWithin(book, 10n ** 60n, null)).toBe(false)
    expect(isLossSurelyWithin(book, null, null)).toBe(false)
  })

  test('of settled sums it is exact: a loss or a fall at its limit is within it', () => {
    const book = held({ USDC: 100n * USD })
    for (const rate of [2_600n, 2_400n]) {
      markToMarket(book, rate * RATE)
      pnl(book)
    }
    // 100 dollars: 10,000 up, then 20,000 down, 10,000 under the opening.
    expect(isLossSurelyWithin(book, 10_000n * TZS, null)).toBe(true)
    expect(isLossSurelyWithin(book, 10_000n * TZS - 1n, null)).toBe(false)
    expect(isLossSurelyWithin(book, null, 20_000n * TZS)).toBe(true)
    expect(isLossSurelyWithin(book, null, 20_000n * TZS - 1n)).toBe(false)
    expect(isLossSurelyWithin(book, 10_000n * TZS, 20_000n * TZS - 1n)).toBe(false)
    expect(isLossSurelyWithin(book, null, null)).toBe(true)
  })

  test.each([
    ['dollars that are held', 100n, [2_600n, 2_400n]],
    ['dollars that are lacking', -100n, [2_400n, 2_600n]],
  ])(
    'of marks that are not settled it leaves what is near its limit to the sums: %s',
    (_, dollars, rates) => {
      const book = held({ USDC: dollars * USD })
      for (const rate of rates) markToMarket(book, rate * RATE)
      const within = (loss: bigint | null, fall: bigint | null) => isLossSurelyWithin(book, loss, fall)
      expect(within(10_001n * TZS, null)).toBe(true)
      expect(within(10_000n * TZS, null)).toBe(false)
      expect(within(9_999n * TZS, null)).toBe(false)
      expect(within(null, 20_001n * TZS)).toBe(true)
      expect(within(null, 20_000n * TZS)).toBe(false)
      expect(within(10_001n * TZS, 19_999n * TZS)).toBe(false)
      expect(within(9_999n * TZS, 20_001n * TZS)).toBe(false)
      expect(within(null, null)).toBe(true)
      expect(pnl(book)).toMatchObject({ drawdownTzs: 20_000n * TZS, maxDrawdownTzs: 20_000n * TZS })
    },
  )

  test('counts what was lost and gained before the stretch', () => {
    const book = held({ USDC: 50n * USD, USDT: 50n * USD })
    markToMarket(book, 2_400n * RATE)
    pnl(book)
    markToMarket(book, 2_390n * RATE)
    expect(isLossSurelyWithin(book, 11_001n * TZS, 11_001n * TZS)).toBe(true)
    expect(isLossSurelyWithin(book, 10_999n * TZS, null)).toBe(false)
    expect(isLossSurelyWithin(book, null, 10_999n * TZS)).toBe(false)
    const gained = held({ USDC: 100n * USD })
    markToMarket(gained, 2_600n * RATE)
    pnl(gained)
    markToMarket(gained, 2_550n * RATE)
    expect(isLossSurelyWithin(gained, 0n, 5_001n * TZS)).toBe(true)
    expect(isLossSurelyWithin(gained, 0n, 4_999n * TZS)).toBe(false)
  })
})
