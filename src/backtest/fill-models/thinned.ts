import { drawExponential, seededRandom } from '../../base/random.ts'
import type { FillModel, Standing, Taker } from '../fill-model.ts'
import { drawnTakers, type TakerLaw } from './drawn-takers.ts'
import { isRoutedToUs } from './is-routed-to-us.ts'
import { isAlone } from './routed-share.ts'

/**
 * A recorded fill at spread d0 says only that its taker's reservation spread R is at least d0. Under
 * exponential intensity R = d0 + E/k with E ~ Exp(1), one E per fill for every strategy: at d > d0 the fill
 * is kept iff R >= d, which is exact thinning; where that leaves us no longer alone, the router's turns
 * are drawn too. At d < d0 it is kept and takers with d <= R < d0 are added,
 * Poisson(lambda(d) - lambda(d0)), flagged as synthetic. Where the recorded quote was off or is not known
 * nobody is added. Source: quant.md section 5.
 */
export function createThinned(law: TakerLaw, seed: number): FillModel {
  return {
    name: 'thinned',
    usesRecorded: true,
    takes: (taker, standing) =>
      taker.synthetic ? isAdded(taker, standing, seed) : isKept(taker, standing, law, seed),
    takers: (from) => drawnTakers(law, seed, from),
  }
}

function isKept(taker: Taker, standing: Standing, law: TakerLaw, seed: number): boolean {
  const { ownBps, otherBps, toleranceBps } = standing
  const { recordedBps, side, id } = taker
  // As good as when it was recorded, or better: whoever came then comes now.
  if (recordedBps === null || ownBps <= recordedBps) return true
  if (otherBps !== null) {
    if (ownBps > otherBps + toleranceBps) return false
    // Who shared the turns then and now has this one; who was alone has every second one now.
    if (isAlone(recordedBps, otherBps, toleranceBps) && !isRoutedToUs(taker, standing, seed)) return false
  }
  const e = drawExponential(seededRandom(seed, `taker ${id}`))
  return recordedBps + e / law.intensity[side].k >= ownBps
}

function isAdded(taker: Taker, standing: Standing, seed: number): boolean {
  const { reservationBps } = taker
  const { ownBps, recordedBps } = standing
  if (reservationBps === null || recordedBps === null) return false
  return reservationBps >= ownBps && reservationBps < recordedBps && isRoutedToUs(taker, standing, seed)
}
