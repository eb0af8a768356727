import type { Ms } from '../../base/time.ts'

/** What is known of the token's backing: its supply, the venue's reconciliation, and what falls of the supply are usual. */
export type SupplyWatch = {
  /** Base units that the venue reports, and the chain; null = not read yet, or no chain is configured. */
  reported: bigint | null
  onChain: bigint | null
  at: Ms | null
  /** Relative changes between readings, the last of a week: what is usual. */
  changes: number[]
  /** Negative daily reconciliations in a row, and the last difference in base units. */
  negativeInARow: number
  difference: bigint | null
  reconciledAt: Ms | null
  /** Why the backing is in doubt; null = it is not. */
  alarm: string | null
}

export function createSupplyWatch(): SupplyWatch {
  return {
    reported: null,
    onChain: null,
    at: null,
    changes: [],
    negativeInARow: 0,
    difference: null,
    reconciledAt: null,
    alarm: null,
  }
}
