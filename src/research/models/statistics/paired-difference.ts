import { studentTail } from '../student-tail.ts'

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
  /** Null if all differences are equal. */
  readonly t: number | null
  readonly p: number
  /** Standard deviation with pairing, and of the difference of two independent means. */
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
