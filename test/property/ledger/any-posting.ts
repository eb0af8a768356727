import * as fc from 'fast-check'
import { type BookState, type LedgerEntry, markToMarket } from '../../../src/core/ledger/book/book.ts'
import {
  postAdjustment,
  postFeeCorrection,
  postOpening,
  postSweep,
  postTransfer,
} from '../../../src/core/ledger/book/post-transfer.ts'
import { postFill } from '../../../src/core/ledger/book/post-fill.ts'
import { ASSETS } from '../../../src/base/money/asset.ts'
import { fillOf } from '../../unit/core/ledger/reconciliation/harness.ts'

const asset = fc.constantFrom(...ASSETS)
export const amount = fc.bigInt({ min: 0n, max: 10n ** 27n })
const signed = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
export const rate = fc.bigInt({ min: 10n ** 18n, max: 10n ** 24n })
const mid = fc.option(rate, { nil: null, freq: 4 })
const where = fc.constantFrom('pool' as const, 'wallet' as const)

/** Something that is posted at `t`, or a mark (null). */
export type Step = (book: BookState, t: number) => LedgerEntry | null

/** Whatever can be posted, sensible or not, at whatever marks. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      inAsset: asset,
      outAsset: asset,
      amountIn: amount,
      amountOut: amount,
      fee: amount,
      venue: mid,
      fair: mid,
    })
    .map(
      ({ fee, venue, fair, ...legs }): Step =>
        (book, t) =>
          postFill(book, t, fillOf(`f${t}`, legs), { paidFee: fee, venueMid: venue, fairValue: fair }),
    ),
  fc.tuple(asset, signed, where, mid).map(
    ([a, x, w, m]): Step =>
      (book, t) =>
        postOpening(book, t, { [a]: x }, w, m),
  ),
  fc.tuple(asset, signed, where, mid).map(
    ([a, x, w, m]): Step =>
      (book, t) =>
        postFeeCorrection(book, t, a, x, 'rounding', m, w),
  ),
  fc.tuple(fc.constantFrom('deposit' as const, 'withdrawal' as const), asset, amount, where, mid).map(
    ([kind, a, x, w, m]): Step =>
      (book, t) =>
        postTransfer(book, t, kind, a, x, w, 'own', m),
  ),
  fc.tuple(asset, signed, where, mid).map(
    ([a, x, w, m]): Step =>
      (book, t) =>
        postAdjustment(book, t, a, x, w, 'dust', m),
  ),
  fc.tuple(where, fc.uniqueArray(asset)).map(
    ([from, assets]): Step =>
      (book, t) =>
        postSweep(book, t, from, assets, 'moved'),
  ),
  rate.map((m): Step => (book) => {
    markToMarket(book, m)
    return null
  }),
)
