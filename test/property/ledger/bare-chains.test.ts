import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type BookState,
  createBook,
  type LedgerEntry,
  markToMarket,
} from '../../../src/core/ledger/book/book.ts'
import { postedFill } from '../../../src/core/ledger/fills/fees.ts'
import { fillElsewhere, postedElsewhere } from '../../../src/core/ledger/fills/other-chain.ts'
import { identityResidual, pnl } from '../../../src/core/ledger/book/pnl.ts'
import { postChainCorrection, postFill } from '../../../src/core/ledger/book/post-fill.ts'
import { ASSETS, zeroAmounts, type Amounts } from '../../../src/base/money/asset.ts'
import { coreConfig } from '../../support/core-config.ts'
import { coreHarness } from '../../support/core-harness.ts'
import { NTZS, USD } from '../../support/taker.ts'
import { fillOf, MID } from '../../unit/core/ledger/reconciliation/harness.ts'

const units = fc.bigInt({ min: 1n, max: 10n ** 27n })
const rate = fc.bigInt({ min: 10n ** 18n, max: 10n ** 22n })
const marks = fc.array(rate, { maxLength: 4 })

function isBalanced(book: BookState, entries: readonly LedgerEntry[]): void {
  const sums = zeroAmounts()
  for (const held of Object.values(book.accounts)) for (const asset of ASSETS) sums[asset] += held[asset]
  for (const entry of entries) {
    const posted = zeroAmounts()
    for (const { asset, amount } of entry.postings) posted[asset] += amount
    expect(posted).toEqual(zeroAmounts())
  }
  expect(sums).toEqual(zeroAmounts())
  expect([{ tzs: 0n, usd: 0n }, null]).toContainEqual(identityResidual(book))
}

test('a chain correction moves the legs and the fee in double entry and leaves both totals of the PnL as they were', () => {
  fc.assert(
    fc.property(
      fc.record({ isAsk: fc.boolean(), dollars: units, shillings: units, fee: units, taken: fc.boolean() }),
      fc.option(rate, { nil: null }),
      marks,
      fc.constantFrom('pool' as const, 'wallet' as const),
      ({ isAsk, dollars, shillings, fee, taken }, mid, moved, where) => {
        const legs = isAsk
          ? ({
              side: 'ask',
              inAsset: 'USDT',
              amountIn: dollars,
              outAsset: 'NTZS',
              amountOut: shillings,
            } as const)
          : ({
              side: 'bid',
              inAsset: 'NTZS',
              amountIn: shillings,
              outAsset: 'USDT',
              amountOut: dollars,
            } as const)
        const fill = fillOf('bare', { ...legs, fee, chainNamed: false })
        const model = taken ? 'from-position' : 'none'
        const book = createBook()
        const entries = [
          postFill(book, 1, fill, { paidFee: taken ? fee : 0n, venueMid: mid, fairValue: null, where }),
        ]
        const kept = structuredClone(book.accounts)
        const there = fillElsewhere(fill).fee ?? 0n
        const bookedAt = mid ?? book.pnl.mark
        const elsewhere = { id: 'bare', fee: there, word: there, mid: bookedAt }
        for (const mark of moved) markToMarket(book, mark)
        const before = pnl(book)
        const booked = { ...postedFill(fill, fee), elsewhere }
        const shown = postedElsewhere(booked)
        const terms = { do: 'correctChain', model, where, reason: 'shown' } as const
        entries.push(postChainCorrection(book, 2, { ...terms, booked, shown }, null))
        isBalanced(book, entries)
        expect(book.accounts[where].USDT).toBe(0n)
        expect(book.accounts[where]['USDT.bnb']).toBe(kept[where].USDT)
        expect(book.accounts[where].NTZS).toBe(kept[where].NTZS)
        const after = pnl(book)
        expect(after?.tzs).toEqual(before?.tzs)
        expect(after?.usd).toEqual(before?.usd)
        expect(after?.maxDrawdownTzs).toBe(before?.maxDrawdownTzs)
        // Where the mid of the booking is known, nothing of the fill's spread stays where it was not.
        if (bookedAt !== null) expect(after?.byStable.USDT.spreadCapture).toBe(0n)
        // And back again: the ledger is what it was.
        const back = { ...terms, booked: shown, shown: booked }
        entries.push(postChainCorrection(book, 3, back, null))
        isBalanced(book, entries)
        expect(book.accounts).toEqual(kept)
        expect(pnl(book)).toEqual(before)
      },
    ),
    { numRuns: 100 },
  )
})

const act = fc.record({
  chain: fc.constantFrom('USDT' as const, 'USDT.bnb' as const),
  dollars: fc.bigInt({ min: 1n, max: 90n }),
  waitMs: fc.integer({ min: 100, max: 30_000 }),
  theft: fc.oneof({ weight: 12, arbitrary: fc.constant(0n) }, fc.bigInt({ min: 1n, max: 40n })),
})

test('whatever chain fills were on and whatever is stolen, nothing is invented: both identities hold, every entry balances, and complete means equal', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 10 }), (acts) => {
      const amounts: Amounts = {
        NTZS: 10n ** 26n,
        USDC: 10n ** 22n,
        USDT: 10n ** 22n,
        'USDT.bnb': 10n ** 22n,
      }
      // On a halt the capital stays where it is compared.
      const one = coreHarness({
        venue: { amounts },
        config: { risk: { ...coreConfig().risk, onHalt: 'safe' } },
      })
      one.run(80_000)
      let stolen = 0n
      for (const [n, { chain, dollars, waitMs, theft }] of acts.entries()) {
        const amountIn = dollars * USD
        const amountOut = (dollars * MID * 9_400n) / 10_000n
        one.venue.amounts[chain] += amountIn
        one.venue.amounts.NTZS -= amountOut + NTZS
        one.venue.fills.push(
          fillOf(`f${n}`, { inAsset: 'USDT', amountIn, amountOut, fee: NTZS, chainNamed: false }),
        )
        one.venue.amounts[chain] -= theft * USD
        stolen += theft
        one.run(waitMs)
        isBalanced(one.state().book, [])
      }
      one.run(60_000)
      const { book, reconciliation } = one.state()
      isBalanced(
        book,
        one.observations.flatMap((seen) => (seen.type === 'entryPosted' ? [seen.entry] : [])),
      )
      const { pool } = book.accounts
      if (reconciliation.state === 'reconciled') expect(pool).toEqual(one.venue.amounts)
      if (stolen > 0n) expect(reconciliation.state).not.toBe('reconciled')
      // What the venue and the ledger hold of both chains together differs by what was stolen, and by nothing else.
      const held = (of: Amounts) => of.USDT + of['USDT.bnb']
      expect(held(pool) - held(one.venue.amounts)).toBe(stolen * USD)
    }),
    { numRuns: 20 },
  )
})
