import { describe, expect, test } from 'vitest'
import {
  type BookState,
  createBook,
  markToMarket,
  position,
  restateMark,
  settledPnl,
} from '../../../../../src/core/ledger/book/book.ts'
import { identityResidual, pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { postFill } from '../../../../../src/core/ledger/book/post-fill.ts'
import {
  postAdjustment,
  postFeeCorrection,
  postOpening,
  postTransfer,
} from '../../../../../src/core/ledger/book/post-transfer.ts'
import type { Amounts } from '../../../../../src/base/money/asset.ts'
import { AT_MID, fillOf, MID, NTZS, RATE, USD } from '../reconciliation/harness.ts'

const TZS = 10n ** 36n

function opened(pool: Partial<Amounts>, wallet: Partial<Amounts> = {}): BookState {
  const book = createBook()
  postOpening(book, 1, pool, 'pool', MID)
  postOpening(book, 1, wallet, 'wallet', MID)
  return book
}

/** Total, peak, fall below it and deepest fall, in whole shillings. */
function course(book: BookState): readonly bigint[] {
  const now = pnl(book)!
  expect(now.peakTzs - now.drawdownTzs).toBe(now.tzs.total)
  expect(identityResidual(book)).toEqual({ tzs: 0n, usd: 0n })
  return [now.tzs.total, now.peakTzs, now.drawdownTzs, now.maxDrawdownTzs].map((value) => value / TZS)
}

/** 10 USDC for so many shillings: at 2,500 the rest of 25,000 is earned. */
const fill = (id: string, shillings: bigint) => fillOf(id, { amountOut: shillings * NTZS })

describe('the course of the total', () => {
  test('fills, costs and adjustments make peaks and falls, openings and transfers none', () => {
    const book = opened({ NTZS: 1_000_000n * NTZS })
    postFill(book, 2, fill('a', 24_900n), AT_MID)
    expect(course(book)).toEqual([100n, 100n, 0n, 0n])
    postFeeCorrection(book, 3, 'NTZS', 40n * NTZS, 'fees', MID)
    expect(course(book)).toEqual([60n, 100n, 40n, 40n])
    postAdjustment(book, 4, 'NTZS', -30n * NTZS, 'pool', 'lost', MID)
    expect(course(book)).toEqual([30n, 100n, 70n, 70n])
    postTransfer(book, 5, 'withdrawal', 'NTZS', 500_000n * NTZS, 'pool', 'bank', MID)
    postOpening(book, 6, { USDT: 9n * USD }, 'pool', MID)
    expect(course(book)).toEqual([30n, 100n, 70n, 70n])
    postFill(book, 7, fill('b', 24_950n), AT_MID)
    expect(course(book)).toEqual([80n, 100n, 20n, 70n])
    postFill(book, 8, fill('c', 24_950n), AT_MID)
    expect(course(book)).toEqual([130n, 130n, 0n, 70n])
  })

  test('a fill at a mid that is not the fair value counts at the fair value', () => {
    const book = opened({ NTZS: 1_000_000n * NTZS })
    postFill(book, 2, fill('a', 25_000n), { paidFee: 0n, venueMid: MID, fairValue: 2_490n * RATE })
    expect(course(book)).toEqual([-100n, 0n, 100n, 100n])
  })

  test('marks make the same peaks and falls whether or not they are settled between', () => {
    for (const isSettled of [true, false]) {
      const book = opened({ USDC: 60n * USD }, { USDC: 40n * USD })
      for (const rate of [2_600n, 2_550n, 2_580n, 2_520n, 2_610n, 2_590n]) {
        markToMarket(book, rate * RATE)
        if (isSettled) settledPnl(book)
      }
      expect(course(book)).toEqual([9_000n, 11_000n, 2_000n, 8_000n])
    }
  })

  test('a fall that begins before a settlement continues after it', () => {
    const book = opened({ USDC: 100n * USD })
    markToMarket(book, 2_600n * RATE)
    markToMarket(book, 2_570n * RATE)
    expect(course(book)).toEqual([7_000n, 10_000n, 3_000n, 3_000n])
    markToMarket(book, 2_540n * RATE)
    expect(course(book)).toEqual([4_000n, 10_000n, 6_000n, 6_000n])
    markToMarket(book, 2_595n * RATE)
    expect(course(book)).toEqual([9_500n, 10_000n, 500n, 6_000n])
  })

  test('where dollars are lacking a rising mark is the fall', () => {
    const book = opened({ USDC: -100n * USD })
    for (const rate of [2_450n, 2_480n, 2_440n, 2_500n]) markToMarket(book, rate * RATE)
    expect(course(book)).toEqual([0n, 6_000n, 6_000n, 6_000n])
  })

  test('shillings alone, and dollars that cancel out, have no course in shillings', () => {
    const book = opened({ NTZS: 5n * NTZS, USDC: USD }, { USDT: -USD })
    markToMarket(book, 2_600n * RATE)
    expect(course(book)).toEqual([0n, 0n, 0n, 0n])
    expect(pnl(book)?.byStable).toMatchObject({
      USDC: { inventory: 100n * TZS },
      USDT: { inventory: -100n * TZS },
    })
  })

  test('dollars for shillings that no one has priced yet are valued by the first mark, on either side', () => {
    const late = createBook()
    postOpening(late, 1, { NTZS: 100_000n * NTZS }, 'pool', null)
    postFill(late, 2, fill('a', 24_900n), { paidFee: 0n, venueMid: null, fairValue: null })
    markToMarket(late, MID)
    expect(course(late)).toEqual([100n, 100n, 0n, 0n])
    const loss = createBook()
    postFill(loss, 2, fill('a', 25_100n), { paidFee: 0n, venueMid: null, fairValue: null })
    markToMarket(loss, MID)
    expect(course(loss)).toEqual([-100n, 0n, 100n, 100n])
    for (const out of [{ amountIn: 0n }, { amountOut: 0n }]) {
      const half = createBook()
      postFill(half, 2, fillOf('a', out), { paidFee: 0n, venueMid: null, fairValue: null })
      markToMarket(half, MID)
      expect(course(half)[0]).toBe(out.amountIn === 0n ? -24_900n : 25_000n)
    }
  })
})

describe('a restated mark', () => {
  test('belongs to the opening, in both currencies and wherever the money is; nothing was won or lost', () => {
    const book = opened(
      { NTZS: 600n * NTZS, USDC: 60n * USD },
      { NTZS: 400n * NTZS, 'USDT.bnb': 40n * 10n ** 18n },
    )
    const before = pnl(book)!
    restateMark(book, 2_600n * RATE)
    const after = pnl(book)!
    expect(after.tzs.opening - before.tzs.opening).toBe(100n * 100n * TZS)
    const step = 10n ** 54n / (2_600n * RATE) - 10n ** 54n / MID
    expect(after.usd.opening - before.usd.opening).toBe(1_000n * NTZS * step)
    expect(course(book)).toEqual([0n, 0n, 0n, 0n])
    markToMarket(book, 2_610n * RATE)
    expect(course(book)).toEqual([1_000n, 1_000n, 0n, 0n])
  })

  test('comes after what the marks before it brought', () => {
    const book = opened({ USDC: 100n * USD })
    markToMarket(book, 2_550n * RATE)
    restateMark(book, 2_600n * RATE)
    expect(course(book)).toEqual([5_000n, 5_000n, 0n, 0n])
  })

  test('of a book without a mark is its first mark', () => {
    const book = createBook()
    postOpening(book, 1, { USDC: USD }, 'pool', null)
    restateMark(book, MID)
    expect(pnl(book)?.tzs).toMatchObject({ opening: 2_500n * TZS, total: 0n })
  })
})

test('the position is what pool and wallet hold together, token by token', () => {
  const pool = { NTZS: 1n, USDC: 2n, USDT: 3n, 'USDT.bnb': 4n }
  const wallet = { NTZS: 10n, USDC: 20n, USDT: 30n, 'USDT.bnb': 40n }
  expect(position(opened(pool, wallet))).toEqual({ NTZS: 11n, USDC: 22n, USDT: 33n, 'USDT.bnb': 44n })
})
