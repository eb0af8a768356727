import type { Calibration } from './calibration.ts'

/** The calibrated takers that a quote may be based on, or why there are not any. */
export type LearnedTakers =
  | { readonly known: true; readonly a: number; readonly k: number }
  | { readonly known: false; readonly why: string }

/** With fewer fills the estimates are too weak to base a quote on. */
export const FEWEST_FILLS = 30

/**
 * Limit for the width of k's 90 % interval. The prior's own interval spans a factor of ten, and the spread would vary as much.
 */
const WIDEST_RATIO = 5

/**
 * Returns A (takers per day and side at zero spread) and k (per bps) if the fills determine them: 30 fills at spreads that
 * differ enough for k. A maker who never moves learns nothing about k, and its posterior is then the prior, untested by any
 * fill. Source: quant.md section 3.
 */
export function learnedTakers(calibration: Calibration | null): LearnedTakers {
  if (calibration === null) return { known: false, why: 'no calibration' }
  const { fills, a, k, method } = calibration.both
  if (fills < FEWEST_FILLS) return { known: false, why: `a calibration of ${fills} fills only` }
  if (!(a.value > 0 && k.value > 0)) return { known: false, why: 'a calibration without a positive A and k' }
  if (method === 'default') return { known: false, why: 'a calibration whose A and k are defaults' }
  if (!(k.low > 0 && k.high <= WIDEST_RATIO * k.low))
    return { known: false, why: 'a calibration whose fills do not show k: the spreads did not differ enough' }
  return { known: true, a: a.value, k: k.value }
}
