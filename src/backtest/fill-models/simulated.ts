import type { FillModel } from '../fill-model.ts'
import { drawnTakers, type TakerLaw } from './drawn-takers.ts'
import { isRoutedToUs } from './is-routed-to-us.ts'

/**
 * Forgets the recorded fills and draws all takers from calibrated intensities, against the recorded mid
 * and competition. What comes out is as good as the calibration, and every fill is synthetic.
 */
export function createSimulated(law: TakerLaw, seed: number): FillModel {
  return {
    name: 'simulated',
    usesRecorded: false,
    takes: (taker, standing) =>
      taker.reservationBps !== null &&
      taker.reservationBps >= standing.ownBps &&
      isRoutedToUs(taker, standing, seed),
    takers: (from) => drawnTakers(law, seed, from),
  }
}
