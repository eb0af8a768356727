import { seededRandom } from '../../../base/random.ts'

/** Test result of the paired differences of one column. */
type FlipTest = {
  /** Mean over its standard error; null if the differences have no variance. */
  readonly t: number | null
  /** Two-sided, of this column alone. */
  readonly p: number
  /** Two-sided, adjusted for all columns. */
  readonly stepdown: number
}

const EXACT_UP_TO = 12
const DRAWN_FLIPS = 100_000
/** Sums that differ only by rounding are equal. */
const TIE = 1e-12

/**
 * Tests whether paired differences are more than chance: without a difference, each seed's sign is as likely as its
 * opposite, for all columns together. Uses all 2^n sign flips for up to 12 seeds, otherwise 100,000 seeded ones and
 * the observed one. `stepdown` compares each column with the largest of the columns that are not clearer. All columns
 * have the same seeds, at least one, in the same order. Source: Fisher 1935; Westfall, Young 1993, algorithm 4.1;
 * golden in market.md section 5.
 */
export function flipTests(columns: readonly (readonly number[])[], seed = 1): readonly FlipTest[] {
  const seeds = columns[0]?.length ?? 0
  const prepared = columns.map(prepare)
  const seen = prepared.map(({ scaled }) => clarity(scaled, null))
  // From the clearest to the least clear.
  const order = seen.map((_, index) => index).toSorted((a, b) => (seen[b] ?? 0) - (seen[a] ?? 0))
  const own = new Float64Array(columns.length)
  const stepped = new Float64Array(columns.length)
  let flips = 0
  const count = (signs: Int8Array | null): void => {
    flips++
    let largest = 0
    for (let rank = order.length - 1; rank >= 0; rank--) {
      const column = order[rank] ?? 0
      const flipped = clarity(prepared[column]?.scaled ?? new Float64Array(), signs)
      const least = (seen[column] ?? 0) - TIE
      if (flipped >= least) own[column] = (own[column] ?? 0) + 1
      largest = Math.max(largest, flipped)
      if (largest >= least) stepped[column] = (stepped[column] ?? 0) + 1
    }
  }
  if (seeds <= EXACT_UP_TO) everyFlip(seeds, count)
  else drawnFlips(seeds, seed, count)
  let atLeast = 0
  const adjusted = new Float64Array(columns.length)
  for (const column of order) {
    atLeast = Math.max(atLeast, (stepped[column] ?? 0) / flips)
    adjusted[column] = atLeast
  }
  return prepared.map(({ t }, column) => ({
    t,
    p: (own[column] ?? 0) / flips,
    stepdown: adjusted[column] ?? 1,
  }))
}

/** Returns a column divided by the root of its sum of squares, and its t. */
function prepare(values: readonly number[]): { readonly scaled: Float64Array; readonly t: number | null } {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (largest === 0) return { scaled: new Float64Array(values.length), t: null }
  const shares = Float64Array.from(values, (value) => value / largest)
  const norm = Math.sqrt(shares.reduce((sum, share) => sum + share * share, 0))
  const scaled = shares.map((share) => share / norm)
  const total = scaled.reduce((sum, value) => sum + value, 0)
  const rest = 1 - (total * total) / values.length
  // t^2 = (n - 1) u / (1 - u) with u = S^2 / (n sum of squares).
  const scatters = rest > TIE
  return {
    scaled,
    t: scatters ? (total / Math.sqrt(values.length)) * Math.sqrt((values.length - 1) / rest) : null,
  }
}

/**
 * Returns the absolute sum of a column with these signs over the root of its sum of squares. Grows with
 * t
 * , equally for all columns with the same number of seeds, and is finite even if t is infinite.
 */
function clarity(scaled: Float64Array, signs: Int8Array | null): number {
  let sum = 0
  for (let i = 0; i < scaled.length; i++) sum += (scaled[i] ?? 0) * (signs === null ? 1 : (signs[i] ?? 0))
  return Math.abs(sum)
}

function everyFlip(seeds: number, count: (signs: Int8Array) => void): void {
  const signs = new Int8Array(seeds)
  for (let mask = 0; mask < 2 ** seeds; mask++) {
    for (let i = 0; i < seeds; i++) signs[i] = (mask >> i) & 1 ? -1 : 1
    count(signs)
  }
}

function drawnFlips(seeds: number, seed: number, count: (signs: Int8Array | null) => void): void {
  const random = seededRandom(seed, 'sign-flips')
  const signs = new Int8Array(seeds)
  count(null)
  for (let flip = 0; flip < DRAWN_FLIPS; flip++) {
    for (let i = 0; i < seeds; i++) signs[i] = random() < 0.5 ? -1 : 1
    count(signs)
  }
}
