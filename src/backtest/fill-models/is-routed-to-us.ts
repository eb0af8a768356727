import { seededRandom } from '../../base/random.ts'
import type { Standing, Taker } from '../fill-model.ts'

/**
 * Whether the venue's router would pick us for this taker (venue.md, Routing): not when another provider
 * is better by more than the tolerance; by turns within it. Whose turn it is shows on a tape that names who
 * is picked; otherwise it is an even chance for one taker, drawn from its name so that every strategy meets
 * the same luck.
 */
export function isRoutedToUs(taker: Taker, standing: Standing, seed: number): boolean {
  const { ownBps, otherBps, toleranceBps } = standing
  if (otherBps === null || isAlone(ownBps, otherBps, toleranceBps)) return true
  if (ownBps > otherBps + toleranceBps) return false
  if (standing.isTheirTurn) return false
  return seededRandom(seed, `turn ${taker.id}`)() < 0.5
}

/** Whether a spread is better than another provider's by more than the tolerance: then there are no turns. */
export function isAlone(bps: number, otherBps: number, toleranceBps: number): boolean {
  return bps < otherBps - toleranceBps
}
