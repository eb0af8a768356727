import { describe, expect, test } from 'vitest'
import {
  type BookState,
  createBook,
  type LedgerEntry,
  markToMarket,
} from '../../../../../src/core/ledger/book/book.ts'
import { identityResidual, mapTerms, pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import {
  postChainCorrection,
  postFill,
  postFillUndone,
} from '../../../../../src/core/ledger/book/post-fill.ts'
import {
  postAdjustment,
  postFeeCorrection,
  postOpening,
  postSweep,
  postTransfer,
} from '../../../../../src/core/ledger/book/post-transfer.ts'
import { postedFill, type PostedFill } from '../../../../../src/core/ledger/fills/fees.ts'
import { postedElsewhere } from '../../../../../src/core/ledger/fills/other-chain.ts'
import { ASSETS } from '../../../../../src/base/money/asset.ts'
import { AT_MID, fillOf, MID, NTZS, OPENING, RATE, USD } from '../reconciliation/harness.ts'

const TZS = 10n ** 36n
const HIGHER = 2_600n * RATE

function opened(): BookState {
  const book = createBook()
  postOpening(book, 1, OPENING, 'pool', MID)
  return book
}

/** Over all accounts each token sums to zero, and both identities hold. */
function expectWhole(book: BookState): void {
  const accounts = Object.values(book.accounts)
  const sums = ASSETS.map((asset) => accounts.reduce((sum, account) => sum + account[asset], 0n))
  expect(sums).toEqual([0n, 0n, 0n, 0n])
  expect(identityResidual(book)).toEqual({ tzs: 0n, usd: 0n })
}

/** An entry as text: its head, then a line for each posting. */
function lines({ number, t, kind, reason, fillId, postings, ...more }: LedgerEntry): readonly string[] {
  expect(more).toEqual({})
  const moved = postings.map(({ account, asset, amount }) => `${account} ${amount} ${asset}`)
  return [`${number} at ${t}, ${kind} of ${fillId}: ${reason}`, ...moved]
}

/** A bid of 10 dollars whose row names no chain, as it was booked. */
const BARE = fillOf('x', {
  side: 'bid',
  inAsset: 'NTZS',
  amountIn: 25_100n * NTZS,
  outAsset: 'USDT',
  amountOut: 10n * USD,
  fee: 7n,
})
const booked = (id: string): PostedFill => ({
  ...postedFill(BARE, 7n),
  elsewhere: { id, fee: 7n, word: 7n, mid: MID },
})

describe('the entry of a posting', () => {
  test('an opening moves what is there from the opening account, and leaves out what is zero', () => {
    const book = createBook()
    expect(lines(postOpening(book, 3, { NTZS: 5n, USDC: 0n, USDT: -2n }, 'wallet', MID))).toEqual([
      '1 at 3, opening of null: opening of the wallet',
      'opening -5 NTZS',
      'wallet 5 NTZS',
      'opening 2 USDT',
      'wallet -2 USDT',
    ])
    expectWhole(book)
  })

  test.each([
    ['deposit', 9n],
    ['withdrawal', -9n],
  ] as const)('a %s crosses our border once, with its sign', (kind, amount) => {
    const book = opened()
    expect(lines(postTransfer(book, 3, kind, 'USDC', 9n, 'wallet', 'why', MID))).toEqual([
      `2 at 3, ${kind} of null: why`,
      `external ${-amount} USDC`,
      `wallet ${amount} USDC`,
    ])
    expectWhole(book)
  })

  test('an adjustment and a fee correction name their accounts, and a sweep both places', () => {
    const book = opened()
    expect(lines(postAdjustment(book, 3, 'USDC', 4n, 'wallet', 'why', MID))).toEqual([
      '2 at 3, adjustment of null: why',
      'adjustments -4 USDC',
      'wallet 4 USDC',
    ])
    expect(lines(postFeeCorrection(book, 4, 'USDC', 5n, 'why', MID))).toEqual([
      '3 at 4, fee-correction of null: why',
      'pool -5 USDC',
      'fees 5 USDC',
    ])
    expect(lines(postSweep(book, 5, 'wallet', ['USDC', 'USDT'], 'why'))).toEqual([
      '4 at 5, sweep of null: why',
      'wallet -4 USDC',
      'pool 4 USDC',
    ])
    expectWhole(book)
  })

  test('a fill without a fee has no posting of one', () => {
    const book = opened()
    const { postings } = postFill(book, 3, fillOf('a'), AT_MID)
    expect(postings.map(({ account }) => account)).toEqual(['pool', 'trading', 'pool', 'trading'])
    expectWhole(book)
  })

  test('a fill that the chain took away is posted back, and the fill before it stays', () => {
    const book = opened()
    postFill(book, 2, fillOf('a'), { ...AT_MID, where: 'wallet' })
    expect(lines(postFillUndone(book, 3, fillOf('a'), { venueMid: MID, fairValue: HIGHER }))).toEqual([
      '3 at 3, fill-undone of a: a is no longer on the chain',
      `wallet ${-10n * USD} USDC`,
      `trading ${10n * USD} USDC`,
      `wallet ${24_900n * NTZS} NTZS`,
      `trading ${-24_900n * NTZS} NTZS`,
    ])
    expect(book.accounts.wallet).toMatchObject({ USDC: 0n, NTZS: 0n })
    expectWhole(book)
  })

  test.each([
    ['from-position', 7n],
    ['none', 0n],
  ] as const)('a fill is moved to the other chain with its fee: the model is %s', (model, fee) => {
    const book = createBook()
    postOpening(book, 1, { USDT: 100n * USD, 'USDT.bnb': 100n * USD }, 'pool', MID)
    postFill(book, 2, BARE, { ...AT_MID, paidFee: fee })
    const before = pnl(book)?.tzs.total
    const from = booked('x')
    const shown = postedElsewhere({ ...from, elsewhere: from.elsewhere! })
    const correction = { booked: from, shown, model, where: 'pool', reason: 'shown there' } as const
    const entry = postChainCorrection(book, 3, correction, HIGHER)
    expect(lines(entry)[0]).toBe('3 at 3, chain-correction of x: shown there')
    const fees = entry.postings.filter(({ account }) => account === 'fees').map(({ amount: moved }) => moved)
    expect(fees).toEqual(fee === 0n ? [] : [-7n, 7n])
    expect(book.accounts).toMatchObject({
      pool: { USDT: 100n * USD, 'USDT.bnb': 90n * USD - fee, NTZS: 25_100n * NTZS },
      fees: { USDT: 0n, 'USDT.bnb': fee },
    })
    expectWhole(book)
    markToMarket(book, MID)
    expect(pnl(book)?.tzs.total).toBe(before)
  })

  test('a fill that names its chain can be moved too: then the entry names no fill', () => {
    const book = opened()
    const { elsewhere: _, ...named } = booked('x')
    const correction = { booked: named, shown: named, model: 'none', where: 'pool', reason: 'x' } as const
    expect(postChainCorrection(book, 2, correction, null).fillId).toBeNull()
    expectWhole(book)
  })
})

describe('what a posting is worth', () => {
  test('is counted at the fair value of its moment, and not at the mark before it', () => {
    const flow = opened()
    postTransfer(flow, 2, 'deposit', 'USDC', USD, 'wallet', 'why', HIGHER)
    expect(pnl(flow)?.tzs.flows).toBe(2_600n * TZS)
    const adjustment = opened()
    postAdjustment(adjustment, 2, 'USDC', USD, 'wallet', 'why', HIGHER)
    expect(pnl(adjustment)?.tzs.unreconciled).toBe(2_600n * TZS)
    const cost = opened()
    postFeeCorrection(cost, 2, 'USDC', USD, 'why', HIGHER)
    expect(pnl(cost)?.tzs.costs).toBe(-2_600n * TZS)
    const opening = opened()
    postOpening(opening, 2, { USDT: USD }, 'wallet', HIGHER)
    expect(pnl(opening)?.tzs.opening).toBe((1_000_000n + 400n * 2_500n + 2_600n) * TZS)
    for (const book of [flow, adjustment, cost, opening]) expectWhole(book)
  })

  test("a fill before the first mark is marked by the venue's mid, and a later one by the last mark", () => {
    const book = createBook()
    postFill(book, 1, fillOf('a'), { paidFee: 0n, venueMid: MID, fairValue: null })
    expect(book.pnl.mark).toBe(MID)
    postFill(book, 2, fillOf('b'), { paidFee: 0n, venueMid: HIGHER, fairValue: null })
    expect(book.pnl.mark).toBe(MID)
    expectWhole(book)
  })

  test('without a fair value the last mark stays', () => {
    const book = opened()
    markToMarket(book, null)
    expect(book.pnl.mark).toBe(MID)
  })

  test('the terms of the PnL are the five that the total is the sum of', () => {
    const lengths = { spreadCapture: 13, staleMid: 8, inventory: 9, costs: 5, unreconciled: 12 }
    expect(mapTerms((term) => term.length)).toEqual(lengths)
  })
})
