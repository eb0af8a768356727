import type { Random } from '../../../base/random.ts'
import { moments } from '../../../core/models/sample-statistics.ts'

/** Value at risk and expected shortfall at 95 and 99 %, each with its standard error; positive = a loss. */
export type TailRisk = Readonly<
  Record<'var95' | 'es95' | 'var99' | 'es99', { readonly value: number; readonly se: number }>
>

const LEVELS = [0.95, 0.99]
const REPLICATES = 200

/**
 * Returns value at risk (the generalised inverse of the distribution function) and expected shortfall (the mean of the worst
 * 5 or 1 %, with the missing fraction from the loss at the value at risk). Each world has equally many losses, which depend
 * on each other, so the standard errors are from a bootstrap of whole worlds. Sources: McNeil, Frey, Embrechts 2015, section
 * 2.3; Acerbi, Tasche 2002 (doi 10.1016/S0378-4266(02)00283-2), definition 2.6.
 */
export function tailRisk(worlds: readonly (readonly number[])[], random: Random): TailRisk {
  const sorted = worlds
    .flatMap((losses, world) => losses.map((loss) => ({ loss, world })))
    .sort((a, b) => b.loss - a.loss)
  const weights = new Uint32Array(worlds.length).fill(1)
  const values = figuresOf(sorted, weights)
  const drawn = Array.from({ length: REPLICATES }, () => {
    weights.fill(0)
    for (const _ of worlds) weights[Math.floor(random() * worlds.length)]! += 1
    return figuresOf(sorted, weights)
  })
  const figure = (at: number) => ({ value: values[at]!, se: moments(drawn.map((one) => one[at]!)).sd })
  return { var95: figure(0), es95: figure(1), var99: figure(2), es99: figure(3) }
}

type Loss = { readonly loss: number; readonly world: number }

/** `sorted` descends; a loss counts as often as its world, and the weights sum to the number of worlds. */
function figuresOf(sorted: readonly Loss[], weights: Uint32Array): readonly number[] {
  return LEVELS.flatMap((level) => {
    const tail = (1 - level) * sorted.length
    let [seen, sum, at] = [0, 0, 0]
    // A tail of whole losses ends at the next one, whatever the rounding of 1 - level.
    for (; at < sorted.length - 1; at++) {
      const { loss, world } = sorted[at]!
      if (seen + weights[world]! > tail + 1e-9) break
      seen += weights[world]!
      sum += weights[world]! * loss
    }
    const { loss } = sorted[at]!
    return [loss, (sum + Math.max(0, tail - seen) * loss) / tail]
  })
}
