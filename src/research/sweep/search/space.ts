import { type Axis, rangeOf } from '../grid.ts'
import type { VariantChanges, JsonValue } from '../variant.ts'
import type { Gene, Genome } from './nsga2.ts'

/** Significant digits of a number from a range, so that saved configurations are readable. */
const DIGITS = 4

/** Returns the genes of a space: a range is a number in [0, 1], a list is a choice. */
export function genesOf(axes: readonly Axis[]): readonly Gene[] {
  return axes.map(({ values }) =>
    rangeOf(values) === null ? { kind: 'choice', choices: values.length } : { kind: 'range' },
  )
}

/** Returns the configuration changes of a genome. */
export function changesOf(axes: readonly Axis[], genome: Genome): VariantChanges {
  return Object.fromEntries(axes.map((axis, i) => [axis.path, valueAt(axis, genome[i]!)]))
}

function valueAt({ values }: Axis, gene: number): JsonValue {
  const range = rangeOf(values)
  if (range === null) return values[gene]!
  const { low, high, whole } = range
  if (whole) return Math.min(high, low + Math.floor(gene * (high - low + 1)))
  return Math.min(high, Math.max(low, Number((low + gene * (high - low)).toPrecision(DIGITS))))
}

/** Returns the genome of the unchanged configuration; null if it is outside the space. */
export function genomeOf(axes: readonly Axis[], present: (path: string) => unknown): Genome | null {
  const genome = axes.map((axis) => geneAt(axis, present(axis.path)))
  return genome.every((gene) => gene !== null) ? genome : null
}

function geneAt({ values }: Axis, value: unknown): number | null {
  const range = rangeOf(values)
  if (range === null) {
    const place = values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value))
    return place < 0 ? null : place
  }
  const { low, high, whole } = range
  if (typeof value !== 'number' || value < low || value > high) return null
  return whole ? (value - low + 0.5) / (high - low + 1) : (value - low) / (high - low)
}
