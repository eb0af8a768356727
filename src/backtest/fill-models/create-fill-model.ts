import { seededRandom } from '../../base/random.ts'
import { SIDES, type Side } from '../../money/side.ts'
import type { Calibration, Estimate } from '../../models/calibration.ts'
import { drawNormal } from '../../models/draw-normal.ts'
import type { FillModel, FillModelName } from '../fill-model.ts'
import type { TakerLaw } from './drawn-takers.ts'
import { createRecorded } from './recorded.ts'
import { createRouted } from './routed.ts'
import { createSimulated } from './simulated.ts'
import { createThinned } from './thinned.ts'

export type FillModelChoice = {
  readonly name: FillModelName
  readonly seed: number
  /** What `thinned` and `simulated` know of takers; the others need none. */
  readonly calibration: Calibration | null
  /** Draw A and k from their posterior with the seed, for replicates; false = their point estimates. */
  readonly draws: boolean
}

/** Which models rest on a calibration. */
export function needsCalibration(name: FillModelName): boolean {
  return name === 'thinned' || name === 'simulated'
}

/** The fill model of that name. Throws where it needs a calibration and has none: ask `needsCalibration`. */
export function createFillModel(choice: FillModelChoice): FillModel {
  const { name, seed, calibration } = choice
  if (name === 'recorded') return createRecorded()
  if (name === 'routed') return createRouted()
  if (calibration === null) throw new Error(`the fill model ${name} needs a calibration`)
  const law = lawOf(calibration, choice)
  return name === 'thinned' ? createThinned(law, seed) : createSimulated(law, seed)
}

/** 90 % of a normal law lies within so many standard deviations. */
const Z90 = 1.6449

function lawOf(calibration: Calibration, { seed, draws }: FillModelChoice): TakerLaw {
  const random = seededRandom(seed, 'intensity')
  const intensity = {} as Record<Side, { a: number; k: number }>
  // One draw for both sides: they are estimated from one data set and err together.
  const [forA, forK] = [drawNormal(random), drawNormal(random)]
  for (const side of SIDES) {
    const { a, k } = calibration[side] ?? calibration.both
    intensity[side] = draws ? { a: drawn(a, forA), k: drawn(k, forK) } : { a: a.value, k: k.value }
  }
  return { intensity, sizesUsd: calibration.sizesUsd }
}

/** Log-normal with the estimate's value as median and its 90 % interval as width. */
function drawn({ value, low, high }: Estimate, z: number): number {
  if (!(low > 0) || !(high > low)) return value
  return value * Math.exp((z * Math.log(high / low)) / (2 * Z90))
}
