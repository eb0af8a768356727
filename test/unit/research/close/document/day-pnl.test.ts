import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAccounts, textsOf } from '../../../../../src/research/close/document/accounts.ts'
import { dayPnl } from '../../../../../src/research/close/document/day-pnl.ts'
import type { CloseEntry } from '../../../../../src/research/close/document/document.ts'
import { createBook, type LedgerEntry } from '../../../../../src/core/ledger/book/book.ts'
import { pnl } from '../../../../../src/core/ledger/book/pnl.ts'
import { postFill, postFillUndone } from '../../../../../src/core/ledger/book/post-fill.ts'
import {
  postAdjustment,
  postFeeCorrection,
  postOpening,
  postSweep,
  postTransfer,
} from '../../../../../src/core/ledger/book/post-transfer.ts'
import { type Asset, ASSETS, formatAmount, STABLE_ASSETS } from '../../../../../src/base/money/asset.ts'
import { formatDecimalText } from '../../../../../src/base/money/decimal-text.ts'
import { formatRate } from '../../../../../src/base/money/rate.ts'
import { fill } from '../../../store/store-fixture.ts'

const WHOLE = 10n ** 18n
const mids = fc.bigInt({ min: 2_000n * WHOLE, max: 3_000n * WHOLE })
const amounts = fc.bigInt({ min: 1n, max: 10n ** 24n })
const steps = fc.record({
  kind: fc.constantFrom('fill', 'undone', 'deposit', 'withdrawal', 'adjustment', 'fee', 'sweep', 'opening'),
  mid: mids,
  fillMid: fc.option(mids),
  stable: fc.constantFrom(...STABLE_ASSETS),
  asset: fc.constantFrom(...ASSETS),
  isBuy: fc.boolean(),
  amountIn: amounts,
  amountOut: amounts,
  fee: fc.bigInt({ min: 0n, max: 10n ** 20n }),
})
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never

function post(book: ReturnType<typeof createBook>, step: Step): LedgerEntry {
  const { kind, mid, fillMid, stable, asset, isBuy, amountIn, amountOut, fee } = step
  const [inAsset, outAsset]: readonly [Asset, Asset] = isBuy ? [stable, 'NTZS'] : ['NTZS', stable]
  const one = fill('f', { inAsset, amountIn, outAsset, amountOut })
  if (kind === 'fill') return postFill(book, 1, one, { paidFee: fee, venueMid: fillMid, fairValue: mid })
  if (kind === 'undone') return postFillUndone(book, 1, one, { venueMid: fillMid, fairValue: mid })
  if (kind === 'adjustment') return postAdjustment(book, 1, asset, -amountIn, 'pool', 'why', mid)
  if (kind === 'fee') return postFeeCorrection(book, 1, asset, fee, 'why', mid)
  if (kind === 'sweep') return postSweep(book, 1, 'pool', ASSETS, 'why')
  if (kind === 'opening') return postOpening(book, 1, { [asset]: amountIn }, 'wallet', mid)
  return postTransfer(book, 1, kind, asset, amountIn, 'pool', 'why', mid)
}

function entryOf({ number, kind, postings }: LedgerEntry, { mid, fillMid, kind: of }: Step): CloseEntry {
  return {
    number,
    seq: number,
    at: '2026-11-22T00:00:00.000Z',
    kind,
    reason: '',
    fillId: null,
    // A sweep does not look at the mid.
    mid: of === 'sweep' ? null : formatRate(mid),
    fillMid: fillMid === null ? null : formatRate(fillMid),
    postings: postings.map(({ account, asset, amount }) => ({
      account,
      asset,
      amount: formatAmount(amount),
    })),
  }
}

describe('the PnL of a day', () => {
  test('equals what the ledger accrues over the same entries, in every digit and in both currencies', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 30 }), mids, (day, closing) => {
        const book = createBook()
        const entries = day.map((step) => entryOf(post(book, step), step))
        postSweep(book, 1, 'pool', [], 'marks the end')
        postOpening(book, 1, {}, 'pool', closing)
        const made = dayPnl({
          accounts: textsOf(createAccounts()),
          entries,
          mids: { opening: null, closing: formatRate(closing) },
        })
        const ledger = pnl(book)
        if (made === null || ledger === null) throw new Error('there are mids')
        const { tzs, usd } = ledger
        expect(made.tzs).toMatchObject({
          openings: formatDecimalText(tzs.opening, 36),
          transfers: formatDecimalText(tzs.flows, 36),
          spreadCapture: formatDecimalText(tzs.spreadCapture, 36),
          staleMid: formatDecimalText(tzs.staleMid, 36),
          inventory: formatDecimalText(tzs.inventory, 36),
          costs: formatDecimalText(tzs.costs, 36),
          unreconciled: formatDecimalText(tzs.unreconciled, 36),
          total: formatDecimalText(tzs.total, 36),
          closing: formatDecimalText(tzs.value, 36),
          residual: '0',
        })
        expect(made.usd).toMatchObject({
          edge: formatDecimalText(usd.edge, 54),
          inventory: formatDecimalText(usd.inventory, 54),
          total: formatDecimalText(usd.total, 54),
          closing: formatDecimalText(usd.value, 54),
          residual: '0',
        })
      }),
    )
  })

  test('is null without a mid: what cannot be valued is not zero', () => {
    const accounts = textsOf(createAccounts())
    expect(dayPnl({ accounts, entries: [], mids: { opening: null, closing: null } })).toBeNull()
  })
})
