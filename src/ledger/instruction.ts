import type { Amounts, Asset } from '../money/asset.ts'
import type { Where } from './book.ts'
import type { FeeModel, PostedFill } from './fee-model.ts'

/**
 * - `complete`: balances equalled the ledger to the last unit and every poll since overlapped.
 * - `checking`: not proven yet, or a race between fills and balances that is being looked at again.
 * - `gap`: fills may have been missed, or balances differ and nothing explains it.
 */
export type CompletenessVerdict = 'complete' | 'checking' | 'gap'

/** What completeness wants done; `carryOut` does those that post. */
export type Instruction =
  | { readonly do: 'open'; readonly amounts: Readonly<Partial<Amounts>>; readonly where: Where }
  | {
      readonly do: 'book'
      readonly kind: 'adjustment' | 'deposit' | 'withdrawal'
      readonly asset: Asset
      /** Always positive; the kind says the direction (an adjustment of this kind is an inflow). */
      readonly amount: bigint
      readonly where: Where
      readonly reason: string
    }
  | {
      readonly do: 'correct-fee'
      readonly asset: Asset
      /** Positive = the fees were higher than posted. */
      readonly amount: bigint
      readonly where: Where
      readonly reason: string
    }
  /** The balances show that a fill whose row names no chain was on the other one. */
  | {
      readonly do: 'correct-chain'
      readonly booked: PostedFill
      readonly shown: PostedFill
      /** Whether the fee was debited when the fill was booked. */
      readonly model: FeeModel
      readonly where: Where
      readonly reason: string
    }
  | { readonly do: 'say-fee-model'; readonly model: FeeModel; readonly why: string }
  | {
      readonly do: 'say-state'
      readonly state: CompletenessVerdict
      readonly why: string
      /** Venue minus ledger. */
      readonly unexplained: Readonly<Partial<Amounts>>
    }
  /** Balances lost what no fill could take: people are told at once. */
  | { readonly do: 'report-foreign-loss'; readonly message: string }
  /** Needed soon: the next poll of this kind need not wait for its interval. */
  | { readonly do: 'ask'; readonly what: 'balances' | 'fills' | 'account'; readonly why: string }
