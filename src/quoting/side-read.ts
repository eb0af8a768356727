import type { Side } from '../money/side.ts'
import { countMismatch, verifySide } from './count-mismatch.ts'
import type { QuotedSpread, QuotingState } from './quoting-state.ts'

/**
 * One side was read back. A spread other than the confirmed one means that somebody else moved it, or that an
 * older PATCH came through late. Also on a side that is off: a read-back shows no side flags, so the idle spread
 * that the venue confirmed is all that can tell whether the side still is.
 */
export function sideRead(state: QuotingState, side: Side, spreadBps: number): void {
  state.awaiting[side] = false
  state.read[side] = spreadBps
  if (state.inFlight !== null) return
  if (state.asked && bpsOf(state.asked.spread, side) !== spreadBps) countMismatch(state)
  if (state.belief !== 'known' || state.confirmed === null) return
  const confirmed = bpsOf(state.confirmed, side)
  if (confirmed === spreadBps) return verifySide(state, side)
  state.belief = 'differs'
  state.why = `the venue quotes ${spreadBps} bps on the ${side}, ${confirmed} were confirmed`
}

/** A side could not be read back: the repair goes on without it. */
export function sideUnreadable(state: QuotingState, side: Side): void {
  state.awaiting[side] = false
}

function bpsOf({ bidBps, askBps }: QuotedSpread, side: Side): number {
  return side === 'bid' ? bidBps : askBps
}
