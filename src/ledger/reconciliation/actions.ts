import type { Amounts, Asset } from '../../money/asset.ts'
import type { BookState, LedgerEntry, Location } from '../book/book.ts'
import type { FeeModel, PostedFill } from '../fills/fees.ts'
import type { Ms } from '../../base/time.ts'
import type { Rate } from '../../money/rate.ts'
import { postAdjustment, postFeeCorrection, postOpening, postTransfer } from '../book/post-transfer.ts'
import { postChainCorrection } from '../book/post-fill.ts'

/**
 * - `complete`: balances equalled the ledger to the last unit and every poll since overlapped.
 * - `checking`: not proven yet, or a race between fills and balances that is being looked at again.
 * - `gap`: fills may have been missed, or balances differ and nothing explains it.
 */
export type ReconciliationStatus = 'complete' | 'checking' | 'gap'

/** What completeness wants done; `carryOut` does those that post. */
export type ReconciliationAction =
  | { readonly do: 'open'; readonly amounts: Readonly<Partial<Amounts>>; readonly where: Location }
  | {
      readonly do: 'book'
      readonly kind: 'adjustment' | 'deposit' | 'withdrawal'
      readonly asset: Asset
      /** Always positive; the kind says the direction (an adjustment of this kind is an inflow). */
      readonly amount: bigint
      readonly where: Location
      readonly reason: string
    }
  | {
      readonly do: 'correct-fee'
      readonly asset: Asset
      /** Positive = the fees were higher than posted. */
      readonly amount: bigint
      readonly where: Location
      readonly reason: string
    }
  /** The balances show that a fill whose row names no chain was on the other one. */
  | {
      readonly do: 'correct-chain'
      readonly booked: PostedFill
      readonly shown: PostedFill
      /** Whether the fee was debited when the fill was booked. */
      readonly model: FeeModel
      readonly where: Location
      readonly reason: string
    }
  | { readonly do: 'say-fee-model'; readonly model: FeeModel; readonly why: string }
  | {
      readonly do: 'say-state'
      readonly state: ReconciliationStatus
      readonly why: string
      /** Venue minus ledger. */
      readonly unexplained: Readonly<Partial<Amounts>>
    }
  /** Balances lost what no fill could take: people are told at once. */
  | { readonly do: 'report-foreign-loss'; readonly message: string }
  /** Needed soon: the next poll of this kind need not wait for its interval. */
  | { readonly do: 'ask'; readonly what: 'balances' | 'fills' | 'account'; readonly why: string }

/** Posts what an instruction says; null where it is none that posts. */
export function applyAction(
  book: BookState,
  t: Ms,
  instruction: ReconciliationAction,
  fairValue: Rate | null,
): LedgerEntry | null {
  switch (instruction.do) {
    case 'open':
      return postOpening(book, t, instruction.amounts, instruction.where, fairValue)
    case 'correct-fee': {
      const { asset, amount, where, reason } = instruction
      return postFeeCorrection(book, t, asset, amount, reason, fairValue, where)
    }
    case 'correct-chain':
      return postChainCorrection(book, t, instruction, fairValue)
    case 'book': {
      const { kind, asset, amount, where, reason } = instruction
      return kind === 'adjustment'
        ? postAdjustment(book, t, asset, amount, where, reason, fairValue)
        : postTransfer(book, t, kind, asset, amount, where, reason, fairValue)
    }
    case 'say-fee-model':
    case 'say-state':
    case 'report-foreign-loss':
    case 'ask':
      return null
  }
}
