import { seededRandom } from '../../base/random.ts'
import { normalCdf } from '../../models/distributions.ts'
import { studentTail } from '../../models/student-tail.ts'

/** A mean with its standard error. */
export type MeanEstimate = { readonly mean: number; readonly se: number; readonly sd: number }

export function meanOf(values: readonly number[]): MeanEstimate {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, n)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const sd = n > 1 ? Math.sqrt(squares / (n - 1)) : 0
  return { mean, se: n > 0 ? sd / Math.sqrt(n) : 0, sd }
}

/** A difference seed by seed; t has n - 1 degrees of freedom and `p` is two-sided. */
export type PairedDifference = {
  readonly mean: number
  readonly se: number
  /** Null where all differences are equal. */
  readonly t: number | null
  readonly p: number
  /** What pairing leaves of the scatter, and what two independent means would have. */
  readonly sdPaired: number
  readonly sdUnpaired: number
}

export function pairedDifference(ours: readonly number[], theirs: readonly number[]): PairedDifference {
  const { mean, se, sd } = meanOf(ours.map((value, index) => value - (theirs[index] ?? Number.NaN)))
  const sdUnpaired = Math.hypot(meanOf(ours).sd, meanOf(theirs).sd)
  if (se === 0) return { mean, se, t: null, p: mean === 0 ? 1 : 0, sdPaired: sd, sdUnpaired }
  const t = mean / se
  return { mean, se, t, p: studentTail(t, ours.length - 1), sdPaired: sd, sdUnpaired }
}

/** Holm's adjustment of p-values, in the order given. Source: Holm 1979. */
export function holm(p: readonly number[]): number[] {
  const order = p.map((_, index) => index).sort((a, b) => (p[a] ?? 0) - (p[b] ?? 0))
  const adjusted = p.map(() => 1)
  let largest = 0
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, (p.length - rank) * (p[index] ?? 1)))
    adjusted[index] = largest
  })
  return adjusted
}

const EXACT_UP_TO = 12
const FLIPS = 20_000

/**
 * The step-down maximum: adjusted two-sided p-values of several columns of differences over the same seeds. Signs of whole
 * seeds are flipped, all of them up to 12 seeds, beyond that at random. Source: Westfall, Young 1993 (maxT).
 */
export function stepDown(columns: readonly (readonly number[])[], seed: number): number[] {
  const n = columns[0]?.length ?? 0
  const sizes = columns.map((column) => Math.abs(tOf(column, null)))
  const order = columns.map((_, index) => index).sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0))
  const counts = columns.map(() => 0)
  const flips = signFlips(n, seed)
  for (const signs of flips.all) {
    let largest = 0
    for (let rank = order.length - 1; rank >= 0; rank--) {
      const index = order[rank] ?? 0
      largest = Math.max(largest, Math.abs(tOf(columns[index] ?? [], signs)))
      // Equal arithmetic in another order may differ in the last place.
      if (largest >= (sizes[index] ?? 0) * (1 - 1e-12)) counts[index] = (counts[index] ?? 0) + 1
    }
  }
  const adjusted = columns.map(() => 1)
  let before = 0
  for (const index of order) {
    before = Math.max(before, (flips.own + (counts[index] ?? 0)) / (flips.own + flips.all.length))
    adjusted[index] = before
  }
  return adjusted
}

/** t of a column whose differences keep or change their signs; 0 where it has no scatter. */
function tOf(column: readonly number[], signs: Int8Array | null): number {
  let sum = 0
  let squares = 0
  for (let index = 0; index < column.length; index++) {
    const value = column[index] ?? 0
    sum += signs === null ? value : value * (signs[index] ?? 1)
    squares += value * value
  }
  const n = column.length
  const variance = (squares - (sum * sum) / n) / (n - 1)
  if (variance > squares * 1e-14) return sum / Math.sqrt(n * variance)
  return sum === 0 ? 0 : Math.sign(sum) * Infinity
}

/** All flips of a few seeds, which hold the data themselves; else drawn ones, beside which the data count once. */
function signFlips(n: number, seed: number): { readonly all: readonly Int8Array[]; readonly own: 0 | 1 } {
  if (n <= EXACT_UP_TO) {
    const all = Array.from({ length: 2 ** n }, (_, pattern) =>
      Int8Array.from({ length: n }, (_value, index) => ((pattern >> index) & 1 ? -1 : 1)),
    )
    return { all, own: 0 }
  }
  const random = seededRandom(seed, 'sign flips')
  const draw = () => Int8Array.from({ length: n }, () => (random() < 0.5 ? -1 : 1))
  return { all: Array.from({ length: FLIPS }, draw), own: 1 }
}

/** The mean of the largest of `count` standard normals: the integral of 1 - Phi^N above 0 less that of Phi^N below it. */
export function meanMaximum(count: number): number {
  const cells = 9_000
  const step = 9 / cells
  let sum = 0
  for (let cell = 0; cell < cells; cell++) {
    const z = (cell + 0.5) * step
    sum += 1 - normalCdf(z) ** count - normalCdf(-z) ** count
  }
  return sum * step
}
