import type { Amounts, Asset, BookAmount } from '../../../base/money/asset.ts'
import type { BookState, LedgerEntry, Location } from '../book/book.ts'
import type { FeeModel } from '../fills/fees.ts'
import type { Ms } from '../../../base/time.ts'
import type { Rate } from '../../../base/money/rate.ts'
import {
  postAdjustment,
  postFeeCorrection,
  postOpening,
  postSweep,
  postTransfer,
  postVenueRounding,
} from '../book/post-transfer.ts'
import { type ChainCorrection, postChainCorrection } from '../book/post-fill.ts'

/**
 * - `reconciled`: balances equalled the ledger to the last unit and every poll since overlapped.
 * - `pending`: not reconciled yet, or a race between fills and balances that the next polls decide.
 * - `break`: fills may have been missed, or balances differ and nothing explains it.
 */
export type ReconciliationStatus = 'reconciled' | 'pending' | 'break'

/** The result of a reconciliation: `applyAction` posts the entries, the engine does the rest. */
export type ReconciliationAction =
  | { readonly do: 'open'; readonly amounts: Readonly<Partial<Amounts>>; readonly where: Location }
  | {
      readonly do: 'book'
      readonly kind: 'adjustment' | 'deposit' | 'withdrawal' | 'rounding' | 'void'
      readonly asset: Asset
      /**
       * Positive except for `void`; the kind implies the direction (an adjustment of this kind is an inflow, rounding an
       * outflow). `void` reverses fills and carries the sign of the position's gain.
       */
      readonly amount: BookAmount
      readonly where: Location
      readonly reason: string
    }
  /** The balances show that an activation without a clear answer swept these tokens of the wallet into the pool. */
  | { readonly do: 'sweep'; readonly assets: readonly Asset[] }
  | {
      readonly do: 'correctFee'
      readonly asset: Asset
      /** Positive = the fees were higher than posted. */
      readonly amount: BookAmount
      readonly where: Location
      readonly reason: string
    }
  /** The balances show that a fill whose row names no chain was on the other chain. */
  | ({ readonly do: 'correctChain' } & ChainCorrection)
  | { readonly do: 'setFeeModel'; readonly model: FeeModel; readonly why: string }
  | {
      readonly do: 'setStatus'
      readonly state: ReconciliationStatus
      readonly why: string
      /** Venue minus ledger. */
      readonly unreconciled: Readonly<Partial<Amounts>>
    }
  /** The balances fell by more than a fill could cause: operators are notified at once. */
  | { readonly do: 'alertForeignLoss'; readonly message: string }
  /** A figure of the venue cannot be read. */
  | { readonly do: 'alertUnreadable'; readonly message: string }
  /** Fills during a deactivation were not paid out and are reversed. */
  | { readonly do: 'alertVoidFills'; readonly message: string }
  /** Requests a poll of this kind before its interval has passed. */
  | { readonly do: 'poll'; readonly what: 'balances' | 'fills' | 'account'; readonly why: string }

/** Posts the entry of an action; null for an action without one. */
export function applyAction(
  book: BookState,
  t: Ms,
  action: ReconciliationAction,
  fairValue: Rate | null,
): LedgerEntry | null {
  switch (action.do) {
    case 'open':
      return postOpening(book, t, action.amounts, action.where, fairValue)
    case 'sweep':
      return postSweep(
        book,
        t,
        'wallet',
        action.assets,
        'the balances show that an activation swept the wallet',
      )
    case 'correctFee': {
      const { asset, amount, where, reason } = action
      return postFeeCorrection(book, t, asset, amount, reason, fairValue, where)
    }
    case 'correctChain':
      return postChainCorrection(book, t, action, fairValue)
    case 'book': {
      const { kind, asset, amount, where, reason } = action
      if (kind === 'rounding') return postVenueRounding(book, t, asset, amount, where, reason, fairValue)
      return kind === 'adjustment' || kind === 'void'
        ? postAdjustment(book, t, asset, amount, where, reason, fairValue)
        : postTransfer(book, t, kind, asset, amount, where, reason, fairValue)
    }
    case 'setFeeModel':
    case 'setStatus':
    case 'alertForeignLoss':
    case 'alertUnreadable':
    case 'alertVoidFills':
    case 'poll':
      return null
  }
}
