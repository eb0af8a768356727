import { seededRandom } from '../../base/random.ts'
import type { Standing, Taker } from '../fill-model.ts'
import { routedShare } from './routed-share.ts'

/**
 * Whether the venue's router would pick us for this taker. Where turns are taken that is an even chance,
 * drawn from the taker's name so that every strategy meets the same luck.
 */
export function isRoutedToUs(taker: Taker, standing: Standing, seed: number): boolean {
  const share = routedShare(standing)
  return share === 0.5 ? seededRandom(seed, `turn ${taker.id}`)() < 0.5 : share === 1
}
