import { describe, expect, test } from 'vitest'
import { type BookState, createBook, markToMarket } from '../../../../../src/core/ledger/book/book.ts'
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
import { fillOf, MID, NTZS, OPENING, RATE, USD } from '../reconciliation/harness.ts'

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
    expect(postOpening(book, 3, { NTZS: 5n, USDC: 0n, USDT: -2n }, 'wallet', MID)).toEqual({
      number: 1,
      t: 3,
      kind: 'opening',
      reason: 'opening of the wallet',
      fillId: null,
      postings: [
        { account: 'opening', asset: 'NTZS', amount: -5n },
        { account: 'wallet', asset: 'NTZS', amount: 5n },
        { account: 'opening', asset: 'USDT', amount: 2n },
        { account: 'wallet', asset: 'USDT', amount: -2n },
      ],
    })
    expectWhole(book)
  })

  test.each([
    ['deposit', 9n],
    ['withdrawal', -9n],
  ] as const)('a %s crosses our border once, with its sign', (kind, amount) => {
    const book = opened()
    expect(postTransfer(book, 3, kind, 'USDC', 9n, 'wallet', 'why', MID)).toEqual({
      number: 2,
      t: 3,
      kind,
      reason: 'why',
      fillId: null,
      postings: [
        { account: 'external', asset: 'USDC', amount: -amount },
        { account: 'wallet', asset: 'USDC', amount },
      ],
    })
    expectWhole(book)
  })

  test('an adjustment and a fee correction name their accounts, and a sweep both places', () => {
    const book = opened()
    const common = { fillId: null, reason: 'why' }
    expect(postAdjustment(book, 3, 'USDC', 4n, 'wallet', 'why', MID)).toEqual({
      ...common,
      number: 2,
      t: 3,
      kind: 'adjustment',
      postings: [
        { account: 'adjustments', asset: 'USDC', amount: -4n },
        { account: 'wallet', asset: 'USDC', amount: 4n },
      ],
    })
    expect(postFeeCorrection(book, 4, 'USDC', 5n, 'why', MID)).toEqual({
      ...common,
      number: 3,
      t: 4,
      kind: 'fee-correction',
      postings: [
        { account: 'pool', asset: 'USDC', amount: -5n },
        { account: 'fees', asset: 'USDC', amount: 5n },
      ],
    })
    expect(postSweep(book, 5, 'wallet', ['USDC', 'USDT'], 'why')).toEqual({
      ...common,
      number: 4,
      t: 5,
      kind: 'sweep',
      postings: [
        { account: 'wallet', asset: 'USDC', amount: -4n },
        { account: 'pool', asset: 'USDC', amount: 4n },
      ],
    })
    expectWhole(book)
  })

  test('a fill without a fee has no posting of one', () => {
    const book = opened()
    expect(postFill(book, 3, fillOf('a'), 0n, MID, MID).postings.map(({ account }) => account)).toEqual([
      'pool',
      'trading',
      'pool',
      'trading',
    ])
    expectWhole(book)
  })

  test('a fill that the chain took away is posted back, and the fill before it stays', () => {
    const book = opened()
    postFill(book, 2, fillOf('a'), 0n, MID, MID, 'wallet')
    expect(postFillUndone(book, 3, fillOf('a'), MID, HIGHER)).toEqual({
      number: 3,
      t: 3,
      kind: 'fill-undone',
      reason: 'a is no longer on the chain',
      fillId: 'a',
      postings: [
        { account: 'wallet', asset: 'USDC', amount: -10n * USD },
        { account: 'trading', asset: 'USDC', amount: 10n * USD },
        { account: 'wallet', asset: 'NTZS', amount: 24_900n * NTZS },
        { account: 'trading', asset: 'NTZS', amount: -24_900n * NTZS },
      ],
    })
    expect(book.accounts.wallet).toMatchObject({ USDC: 0n, NTZS: 0n })
    expectWhole(book)
  })

  test.each([
    ['from-position', 7n],
    ['none', 0n],
  ] as const)('a fill is moved to the other chain with its fee: the model is %s', (model, fee) => {
    const book = createBook()
    postOpening(book, 1, { USDT: 100n * USD, 'USDT.bnb': 100n * USD }, 'pool', MID)
    postFill(book, 2, BARE, fee, MID, MID)
    const before = pnl(book)?.tzs.total
    const [from, shown] = [
      booked('x'),
      postedElsewhere({ ...booked('x'), elsewhere: booked('x').elsewhere! }),
    ]
    const correction = { booked: from, shown, model, where: 'pool', reason: 'shown there' } as const
    const entry = postChainCorrection(book, 3, correction, HIGHER)
    expect(entry).toMatchObject({
      number: 3,
      t: 3,
      kind: 'chain-correction',
      reason: 'shown there',
      fillId: 'x',
    })
    expect(entry.postings.filter(({ account }) => account === 'fees').map(({ amount }) => amount)).toEqual(
      fee === 0n ? [] : [-7n, 7n],
    )
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
    postFill(book, 1, fillOf('a'), 0n, MID, null)
    expect(book.pnl.mark).toBe(MID)
    postFill(book, 2, fillOf('b'), 0n, HIGHER, null)
    expect(book.pnl.mark).toBe(MID)
    expectWhole(book)
  })

  test('without a fair value the last mark stays', () => {
    const book = opened()
    markToMarket(book, null)
    expect(book.pnl.mark).toBe(MID)
  })

  test('the terms of the PnL are the five that the total is the sum of', () => {
    expect(mapTerms((term) => term.length)).toEqual({
      spreadCapture: 13,
      staleMid: 8,
      inventory: 9,
      costs: 5,
      unreconciled: 12,
    })
  })
})
