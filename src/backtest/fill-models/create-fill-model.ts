import { seededRandom } from '../../base/random.ts'
import { SIDES, type Side } from '../../money/side.ts'
import type { Calibration } from '../../models/calibration.ts'
import { drawIntensity } from '../../models/draw-intensity.ts'
import type { FillModel, FillModelName } from '../fill-model.ts'
import type { TakerLaw } from './drawn-takers.ts'
import { intensityOf } from './intensity-of.ts'
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

function lawOf(calibration: Calibration, { seed, draws }: FillModelChoice): TakerLaw {
  const { sizesUsd } = calibration
  if (!draws) return { intensity: intensityOf(calibration), sizesUsd }
  const intensity = {} as Record<Side, { a: number; k: number }>
  // One stream for both sides: where they share an estimate they err together.
  for (const side of SIDES)
    intensity[side] = drawIntensity(calibration[side] ?? calibration.both, seededRandom(seed, 'intensity'))
  return { intensity, sizesUsd }
}
