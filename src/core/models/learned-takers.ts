import type { Calibration } from './calibration.ts'

/** The takers of a calibration that a quote may rest on, or why none exist. */
export type LearnedTakers =
  | { readonly known: true; readonly a: number; readonly k: number }
  | { readonly known: false; readonly why: string }

/** Fewer say nothing that a quote may rest on. */
export const FEWEST_FILLS = 30

/** Of the 90 % interval of k. That of the prior alone spans a factor of ten, and it changes the spread as much. */
const WIDEST_RATIO = 5

/**
 * A (takers a day and side at no spread) and k (per bps), where the fills say so: 30 of them, at spreads that differed enough
 * for k. A maker who never moves learns nothing about k, and its posterior is then the prior, which no fill has tested.
 * Source: quant.md section 3.
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
