import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBook, markToMarket, position, settledPnl } from '../../../src/core/ledger/book/book.ts'
import { postOpening } from '../../../src/core/ledger/book/post-transfer.ts'
import { identityResidual, pnl } from '../../../src/core/ledger/book/pnl.ts'
import { ASSETS, zeroAmounts } from '../../../src/base/money/asset.ts'
import { amount, rate, step } from './any-posting.ts'

function sumsToZero(amounts: Iterable<{ readonly asset: (typeof ASSETS)[number]; readonly amount: bigint }>) {
  const sums = zeroAmounts()
  for (const one of amounts) sums[one.asset] += one.amount
  return ASSETS.every((a) => sums[a] === 0n)
}

test('whatever is posted in whatever order, entries and accounts sum to zero and both identities hold', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const book = createBook()
      const fromEntries = createBook().accounts
      let numbered = 0
      let deepest = 0n
      steps.forEach((run, t) => {
        const entry = run(book, t)
        const now = pnl(book)
        if (now !== null) {
          expect(identityResidual(book)).toEqual({ tzs: 0n, usd: 0n })
          expect(now.tzs.total).toBe(settledPnl(book).totalTzs)
          expect(now.drawdownTzs).toBeGreaterThanOrEqual(0n)
          if (now.drawdownTzs > deepest) deepest = now.drawdownTzs
          expect(now.maxDrawdownTzs).toBeGreaterThanOrEqual(deepest)
        }
        if (entry === null) return
        numbered += 1
        expect(entry.number).toBe(numbered)
        expect(sumsToZero(entry.postings)).toBe(true)
        for (const one of entry.postings) fromEntries[one.account][one.asset] += one.amount
      })
      expect(book.accounts).toEqual(fromEntries)
      const accounts = Object.values(book.accounts)
      const everything = accounts.flatMap((held) => ASSETS.map((a) => ({ asset: a, amount: held[a] })))
      expect(sumsToZero(everything)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('an opening and its closing at any marks: only what was traded changes the position', () => {
  fc.assert(
    fc.property(
      fc.array(rate, { minLength: 1, maxLength: 30 }),
      amount,
      amount,
      (marks, shillings, dollars) => {
        const book = createBook()
        postOpening(book, 0, { NTZS: shillings, 'USDT.bnb': dollars }, 'pool', marks[0] ?? null)
        for (const mark of marks) markToMarket(book, mark)
        const [first = 1n, last = 1n] = [marks[0], marks.at(-1)]
        expect(position(book)).toMatchObject({ NTZS: shillings, 'USDT.bnb': dollars })
        expect(pnl(book)?.tzs).toMatchObject({
          total: dollars * (last - first),
          spreadCapture: 0n,
          staleMid: 0n,
        })
        expect(pnl(book)?.usd.total).toBe(shillings * (10n ** 54n / last - 10n ** 54n / first))
      },
    ),
    { numRuns: 200 },
  )
})
