/** The first four moments of a sample. */
type Moments = {
  readonly count: number
  readonly mean: number
  /** With count - 1 in the denominator; 0 for fewer than two values. */
  readonly sd: number
  /** Third standardised moment of the sample; 0 if all values are equal. */
  readonly skewness: number
  /** Fourth standardised moment, 3 = normal; 3 if all values are equal. */
  readonly kurtosis: number
}

/** Mean, standard deviation, skewness and full kurtosis; an empty sample has mean 0. */
export function moments(values: ArrayLike<number>): Moments {
  const count = values.length
  let sum = 0
  for (let i = 0; i < count; i++) sum += values[i] ?? 0
  const mean = count === 0 ? 0 : sum / count
  let second = 0
  let third = 0
  let fourth = 0
  for (let i = 0; i < count; i++) {
    const away = (values[i] ?? 0) - mean
    const square = away * away
    second += square
    third += square * away
    fourth += square * square
  }
  // The remainder of equal values after rounding the mean is not dispersion.
  const scatters = count > 1 && Math.sqrt(second / count) > 1e-14 * Math.abs(mean)
  if (!scatters) return { count, mean, sd: 0, skewness: 0, kurtosis: 3 }
  const variance = second / count
  return {
    count,
    mean,
    sd: Math.sqrt(second / (count - 1)),
    skewness: third / count / variance ** 1.5,
    kurtosis: fourth / count / variance ** 2,
  }
}

/**
 * The value below which the share `probability` of the sample lies, interpolated between neighbours.
 * `sorted` ascends and is not empty. Source: Hyndman, Fan 1996, definition 7.
 */
export function quantile(sorted: ArrayLike<number>, probability: number): number {
  const position = Math.min(1, Math.max(0, probability)) * (sorted.length - 1)
  const below = Math.floor(position)
  const at = sorted[below] ?? 0
  const next = sorted[below + 1] ?? at
  return at + (position - below) * (next - at)
}

/** Returns `quantile` of values in any order, which it rearranges. Cheaper than a sort. */
export function quantileOfUnsorted(values: Float64Array, probability: number): number {
  const position = Math.min(1, Math.max(0, probability)) * (values.length - 1)
  const below = Math.floor(position)
  const at = selectRank(values, below)
  if (below + 1 === values.length) return at
  let next = Infinity
  for (let i = below + 1; i < values.length; i++) if (values[i]! < next) next = values[i]!
  return at + (position - below) * (next - at)
}

/** Returns the value with this rank, moves smaller ones before it and larger ones behind it. Source: Hoare 1961, algorithm 65. */
function selectRank(values: Float64Array, rank: number): number {
  let [left, right] = [0, values.length - 1]
  while (left < right) {
    const pivot = values[rank]!
    let [i, j] = [left, right]
    while (i <= j) {
      while (values[i]! < pivot) i++
      while (values[j]! > pivot) j--
      if (i > j) break
      const swapped = values[i]!
      values[i++] = values[j]!
      values[j--] = swapped
    }
    if (j < rank) left = i
    if (i > rank) right = j
  }
  return values[rank]!
}

/**
 * Returns the half-life of a deviation in steps, by first-order autoregression of an evenly spaced series (one value a day
 * gives days): ln 2 / -ln phi with phi by least squares. 0 = gone within one step. Null = no mean reversion, fewer than three
 * values, or constant values. With few values least squares underestimates phi by about (1 + 3 phi) / n (Kendall 1954), so
 * short series seem to revert faster than they do.
 */
export function halfLife(values: ArrayLike<number>): number | null {
  const pairs = values.length - 1
  if (pairs < 2) return null
  let before = 0
  let after = 0
  for (let i = 0; i < pairs; i++) {
    before += values[i] ?? 0
    after += values[i + 1] ?? 0
  }
  before /= pairs
  after /= pairs
  let together = 0
  let alone = 0
  for (let i = 0; i < pairs; i++) {
    const away = (values[i] ?? 0) - before
    together += away * ((values[i + 1] ?? 0) - after)
    alone += away * away
  }
  if (!(alone > 0)) return null
  const phi = together / alone
  if (phi >= 1) return null
  return phi <= 0 ? 0 : Math.LN2 / -Math.log(phi)
}
