import type { Calibration } from '../../models/calibration.ts'
import { SIDES, type Side } from '../../money/side.ts'
import type { TakerLaw } from './drawn-takers.ts'

/** The intensity of each side as a calibration estimates it; the common one where a side has none of its own. */
export function intensityOf(calibration: Calibration): TakerLaw['intensity'] {
  const intensity = {} as Record<Side, { a: number; k: number }>
  for (const side of SIDES) {
    const { a, k } = calibration[side] ?? calibration.both
    intensity[side] = { a: a.value, k: k.value }
  }
  return intensity
}
