import type { TreasuryView } from '../../../view/treasury-view.ts'
import { query } from '../live/ask-api.ts'
import { usePolled } from '../live/use-polled.ts'

/** The daemon's answer about the treasury of a position. */
export type ShownTreasury = TreasuryView & {
  readonly position: string
  readonly approvers: readonly string[]
}

type TreasuryState = {
  /** The last answer; null = none yet. */
  readonly view: ShownTreasury | null
  /** Why the reading is missing or outdated; null = it is fresh. */
  readonly problem: string | null
  readonly isMissing: boolean
}

const EVERY_MS = 3_000

/** Polls the treasury of a position every few seconds; `refresh` polls immediately. */
export function useTreasury(position: string): TreasuryState & { readonly refresh: () => void } {
  const { value, failure, refresh } = usePolled<ShownTreasury>(`treasury${query({ position })}`, EVERY_MS)
  return { view: value, problem: failure?.message ?? null, isMissing: failure?.status === 404, refresh }
}
