import type { Ms } from '../base/time.ts'
import type { Asset } from '../money/asset.ts'

/**
 * Where units can be. `pool` and `wallet` are ours; the others are the counter-accounts that make every
 * entry sum to zero per asset: what we opened with, traded against, paid as protocol fee, moved across
 * our own border, and could not explain.
 */
export type Account = 'pool' | 'wallet' | 'opening' | 'trading' | 'fees' | 'external' | 'adjustments'

export type EntryKind =
  | 'opening'
  | 'fill'
  | 'fill-undone'
  | 'fee-correction'
  | 'chain-correction'
  | 'deposit'
  | 'withdrawal'
  | 'sweep'
  | 'adjustment'

export type Posting = { readonly account: Account; readonly asset: Asset; readonly amount: bigint }

/** One booked fact. Entries are numbered from 1 without holes and never change. */
export type LedgerEntry = {
  readonly number: number
  readonly t: Ms
  readonly kind: EntryKind
  readonly reason: string
  readonly fillId: string | null
  readonly postings: readonly Posting[]
}
