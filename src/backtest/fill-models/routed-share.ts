import type { Standing } from '../fill-model.ts'

/**
 * Share of the takers of a side whom the venue's router sends to us (venue.md, Routing): all where we are
 * better than the other provider by more than the tolerance, none where he is; within it turns are taken,
 * which is a half, or whoever the tape names where it names who is picked.
 */
export function routedShare({ ownBps, otherBps, toleranceBps, isTheirTurn }: Standing): 0 | 0.5 | 1 {
  if (otherBps === null || isAlone(ownBps, otherBps, toleranceBps)) return 1
  if (ownBps > otherBps + toleranceBps || isTheirTurn) return 0
  return 0.5
}

/** Whether a spread is better than another provider's by more than the tolerance: then there are no turns. */
export function isAlone(bps: number, otherBps: number, toleranceBps: number): boolean {
  return bps < otherBps - toleranceBps
}
