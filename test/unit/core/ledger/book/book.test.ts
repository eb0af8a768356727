import { describe, expect, test } from 'vitest'
import { decodeJson, encodeJson } from '../../../../../src/base/codec.ts'
import {
  createBook,
  markToMarket,
  poolAmounts,
  position,
  walletAmounts,
} from '../../../../../src/core/ledger/book/book.ts'
import {
  postAdjustment,
  postFeeCorrection,
  postOpening,
  postSweep,
  postTransfer,
} from '../../../../../src/core/ledger/book/post-transfer.ts'
import { postFill } from '../../../../../src/core/ledger/book/post-fill.ts'
import { identityResidual, pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { AT_MID, fillOf, MID, NTZS, OPENING, RATE, USD } from '../reconciliation/harness.ts'

describe('the book', () => {
  test('a fill credits what the taker paid and debits what the taker got plus the protocol fee', () => {
    const book = createBook()
    postOpening(book, 1, OPENING, 'pool', MID)
    const entry = postFill(book, 2, fillOf('a'), { ...AT_MID, paidFee: 25n * NTZS })
    expect(entry).toEqual({
      number: 2,
      t: 2,
      kind: 'fill',
      reason: 'ask',
      fillId: 'a',
      postings: [
        { account: 'pool', asset: 'USDC', amount: 10n * USD },
        { account: 'trading', asset: 'USDC', amount: -10n * USD },
        { account: 'pool', asset: 'NTZS', amount: -24_925n * NTZS },
        { account: 'trading', asset: 'NTZS', amount: 24_900n * NTZS },
        { account: 'fees', asset: 'NTZS', amount: 25n * NTZS },
      ],
    })
    expect(poolAmounts(book)).toMatchObject({ NTZS: 975_075n * NTZS, USDC: 410n * USD })
  })

  test('entries are numbered from one without holes', () => {
    const book = createBook()
    const numbers = [
      postOpening(book, 1, OPENING, 'wallet', MID),
      postSweep(book, 2, 'wallet', ['NTZS', 'USDC'], 'activated'),
      postFill(book, 3, fillOf('a'), AT_MID),
      postFeeCorrection(book, 4, 'NTZS', 1n, 'rounding', MID),
      postTransfer(book, 5, 'deposit', 'USDT', 5n, 'pool', 'top-up', MID),
      postAdjustment(book, 6, 'USDC', 1n, 'pool', 'dust', MID),
    ].map((entry) => entry.number)
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6])
    expect(book.entries).toBe(6)
  })

  test('a sweep moves everything from the wallet to the pool and changes neither position nor PnL', () => {
    const book = createBook()
    postOpening(book, 1, OPENING, 'wallet', MID)
    const before = { position: position(book), pnl: pnl(book) }
    postSweep(book, 2, 'wallet', ['NTZS', 'USDC'], 'activated')
    expect({ position: position(book), pnl: pnl(book) }).toEqual(before)
    expect(walletAmounts(book)).toMatchObject({ NTZS: 0n, USDC: 0n })
    expect(poolAmounts(book)).toMatchObject(OPENING)
  })

  test('a sweep leaves a debt where it is: only tokens can move', () => {
    const book = createBook()
    postOpening(book, 1, { NTZS: -7n, USDC: 5n }, 'pool', MID)
    const entry = postSweep(book, 2, 'pool', ['NTZS', 'USDC'], 'deactivated')
    expect(entry.postings).toEqual([
      { account: 'pool', asset: 'USDC', amount: -5n },
      { account: 'wallet', asset: 'USDC', amount: 5n },
    ])
    expect(poolAmounts(book).NTZS).toBe(-7n)
  })

  test('a fill the pool cannot cover is booked as the venue says, below zero', () => {
    const book = createBook()
    postFill(book, 1, fillOf('a'), { ...AT_MID, paidFee: 25n * NTZS })
    expect(poolAmounts(book).NTZS).toBe(-24_925n * NTZS)
    expect(identityResidual(book)).toEqual({ tzs: 0n, usd: 0n })
  })

  test('a withdrawal takes units away and is not a loss; a deposit is not a gain', () => {
    const book = createBook()
    postOpening(book, 1, OPENING, 'wallet', MID)
    postTransfer(book, 2, 'withdrawal', 'USDC', 100n * USD, 'wallet', 'to the bank', MID)
    expect(walletAmounts(book).USDC).toBe(300n * USD)
    expect(pnl(book)?.tzs).toMatchObject({ total: 0n, flows: -100n * 2_500n * 10n ** 36n })
    postTransfer(book, 3, 'deposit', 'NTZS', 1n, 'wallet', 'top-up', MID)
    expect(pnl(book)?.tzs.total).toBe(0n)
  })

  test('a fee correction is a cost, an adjustment is unreconciled, each at the mark', () => {
    const book = createBook()
    postOpening(book, 1, OPENING, 'pool', MID)
    postFeeCorrection(book, 2, 'USDC', 2n * USD, 'fees were higher', MID)
    postAdjustment(book, 3, 'NTZS', 9n * NTZS, 'pool', 'dust', MID)
    expect(pnl(book)?.tzs).toMatchObject({
      costs: -5_000n * 10n ** 36n,
      unreconciled: 9n * 10n ** 36n,
      total: -4_991n * 10n ** 36n,
    })
    expect(pnl(book)?.usd).toMatchObject({
      costs: -2n * 10n ** 54n,
      unreconciled: 9n * NTZS * (10n ** 54n / MID),
    })
    expect(book.accounts.fees.USDC).toBe(2n * USD)
  })

  test('without a mid the book cannot be valued, which is not zero', () => {
    const book = createBook()
    postOpening(book, 1, OPENING, 'pool', null)
    expect(pnl(book)).toBeNull()
    expect(identityResidual(book)).toBeNull()
  })

  test('what was booked before the first mid is valued by the first mid', () => {
    const late = createBook()
    postOpening(late, 1, OPENING, 'pool', null)
    postFill(late, 2, fillOf('a'), { paidFee: 25n * NTZS, venueMid: null, fairValue: null })
    postTransfer(late, 3, 'deposit', 'USDT', 7n * USD, 'pool', 'top-up', null)
    postFeeCorrection(late, 4, 'NTZS', 3n, 'rounding', null)
    postAdjustment(late, 5, 'USDT.bnb', 1n, 'pool', 'dust', null)
    markToMarket(late, MID)
    const early = createBook()
    postOpening(early, 1, OPENING, 'pool', MID)
    postFill(early, 2, fillOf('a'), { ...AT_MID, paidFee: 25n * NTZS })
    postTransfer(early, 3, 'deposit', 'USDT', 7n * USD, 'pool', 'top-up', MID)
    postFeeCorrection(early, 4, 'NTZS', 3n, 'rounding', MID)
    postAdjustment(early, 5, 'USDT.bnb', 1n, 'pool', 'dust', MID)
    expect(pnl(late)?.tzs).toEqual(pnl(early)?.tzs)
    expect(pnl(late)?.usd).toEqual(pnl(early)?.usd)
    expect(identityResidual(late)).toEqual({ tzs: 0n, usd: 0n })
  })

  test('fills that no market of ours could make still add up', () => {
    const book = createBook()
    postOpening(book, 1, OPENING, 'pool', MID)
    postFill(book, 2, fillOf('a', { outAsset: 'USDT', amountOut: 9n * USD }), AT_MID)
    postFill(book, 3, fillOf('b', { inAsset: 'NTZS', outAsset: 'NTZS' }), { ...AT_MID, paidFee: 3n })
    markToMarket(book, 2_600n * RATE)
    expect(identityResidual(book)).toEqual({ tzs: 0n, usd: 0n })
  })

  test('the whole state survives JSON and continues as if nothing had happened', () => {
    const book = createBook()
    postOpening(book, 1, OPENING, 'pool', MID)
    const copy = decodeJson(encodeJson(book)) as typeof book
    for (const one of [book, copy])
      postFill(one, 2, fillOf('a'), { paidFee: 25n * NTZS, venueMid: MID, fairValue: 2_510n * RATE })
    expect(copy).toEqual(book)
  })
})
