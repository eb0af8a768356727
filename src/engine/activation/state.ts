import type { Ms } from '../../base/time.ts'

export type ActivationState = {
  /** What the venue last said in this process; null before it said anything, or when nobody knows. */
  isActive: boolean | null
  /** Where the ledger holds the position: moved when a change of isActive is learned. */
  held: 'pool' | 'wallet' | null
  /** An operator's explicit wish; null = as the configuration and risk have it. */
  wanted: boolean | null
  /** An operator wants an active position activated once more, which sweeps the wallet; absent = nobody does. */
  again?: boolean
  /** After a call without a clear yes: when the account is read again, the how-manieth time; null or absent = not. */
  look?: { readonly at: Ms; readonly count: number } | null
  /** Since when it is wanted in the market and is not, and whether people were told; null or absent = all is well. */
  missing?: { readonly since: Ms; readonly isTold: boolean } | null
  /** Why the last call did not bring what it asked for; null or absent = it did. */
  problem?: string | null
  /** This process has seen it active: what happens to it from then on happened under its eyes. */
  seenActive?: boolean
  inFlight: number | null
  failures: number
  notBefore: Ms
  /** When the last call was answered: an account asked for before that may show the state before it. */
  answeredAt: Ms
}

/** Nothing is known of whether the position is in the market, and nothing is wanted. */
export function createActivation(): ActivationState {
  return {
    isActive: null,
    held: null,
    wanted: null,
    inFlight: null,
    failures: 0,
    notBefore: 0,
    answeredAt: 0,
  }
}
