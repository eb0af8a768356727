import type { EngineState } from './engine-state.ts'
import { areFeedsHeard } from './handle-reference.ts'

/** How long a fresh process waits for the venue's first answers before it acts on not having them. */
export const PATIENCE_MS = 5_000

/**
 * Whether a decision can be taken: no quote may stand that nobody decided, and none is decided from
 * half a picture. A halted position, or one whose venue stays silent, is decided upon without it.
 */
export function knowsEnough(state: EngineState): boolean {
  if (state.latch.halted !== null || state.authFailure !== null || state.exiting) return true
  const { account, rate, balances, fills } = state.heard
  const answered = account && rate && balances && fills && state.completeness.opened
  // The venue's first word is compared with the feeds before anything is quoted from it.
  if (answered && areFeedsHeard(state)) return true
  return state.now - state.processStartedAt >= PATIENCE_MS
}
