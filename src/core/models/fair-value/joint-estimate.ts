/**
 * A joint estimate of several figures: means and covariance, row by row. Plain data, updated in place, because every reading
 * updates it and snapshots contain it.
 */
export type JointEstimate = { readonly mean: number[]; readonly covariance: number[] }

/** A weighted sum of figures: their places and their weights. */
type WeightedSum = readonly (readonly [place: number, weight: number])[]

/** A variance below this share of its inputs is rounding error. */
const ROUNDING = 1e-12

/** Returns an estimate of figures that are all known to be 0. */
export function knownZeros(size: number): JointEstimate {
  return { mean: Array<number>(size).fill(0), covariance: Array<number>(size * size).fill(0) }
}

export function copyOf({ mean, covariance }: JointEstimate): JointEstimate {
  return { mean: mean.slice(), covariance: covariance.slice() }
}

/** Replaces the figure at `place` by a weighted sum of all current figures. */
export function replaceBySum({ mean, covariance }: JointEstimate, place: number, sum: WeightedSum): void {
  const size = mean.length
  let value = 0
  for (let term = 0; term < sum.length; term++) value += sum[term]![1] * mean[sum[term]![0]]!
  mean[place] = value
  for (let column = 0; column < size; column++) {
    let entry = 0
    for (let term = 0; term < sum.length; term++)
      entry += sum[term]![1] * covariance[sum[term]![0] * size + column]!
    covariance[place * size + column] = entry
  }
  // The row used the old columns; the same sum now gives its own entry among the columns.
  for (let row = 0; row < size; row++) {
    let entry = 0
    for (let term = 0; term < sum.length; term++)
      entry += sum[term]![1] * covariance[row * size + sum[term]![0]]!
    covariance[row * size + place] = entry
  }
}

/** Replaces the figure at `place` by `share` of it. */
export function shrink({ mean, covariance }: JointEstimate, place: number, share: number): void {
  const size = mean.length
  mean[place]! *= share
  for (let other = 0; other < size; other++) {
    covariance[place * size + other]! *= share
    covariance[other * size + place]! *= share
  }
}

/** Adds independent noise with this covariance, row by row, to the figures at `places`. */
export function addNoise(
  { mean, covariance }: JointEstimate,
  places: readonly number[],
  noise: readonly number[],
): void {
  const [size, count] = [mean.length, places.length]
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      covariance[places[row]! * size + places[column]!]! += noise[row * count + column]!
}

/**
 * Conditions on a reading `value` of a weighted sum with error variance `variance`. Returns the surprise and its variance, or
 * null if the sum was already certain: a certain estimate does not move. Source: Kalman 1960.
 */
export function observe(
  estimate: JointEstimate,
  sum: WeightedSum,
  value: number,
  variance: number,
): { readonly surprise: number; readonly variance: number } | null {
  const { mean, covariance } = estimate
  const size = mean.length
  const shared = new Float64Array(size)
  for (let row = 0; row < size; row++)
    for (let term = 0; term < sum.length; term++)
      shared[row]! += sum[term]![1] * covariance[row * size + sum[term]![0]]!
  let [expected, doubt, scale] = [0, variance, 0]
  for (let term = 0; term < sum.length; term++) {
    const [place, weight] = sum[term]!
    expected += weight * mean[place]!
    doubt += weight * shared[place]!
    scale += weight * weight * covariance[place * size + place]!
  }
  if (!(doubt > ROUNDING * scale)) return null
  const surprise = value - expected
  for (let row = 0; row < size; row++) {
    const gain = shared[row]! / doubt
    mean[row]! += gain * surprise
    for (let column = 0; column < size; column++)
      covariance[row * size + column]! -= (shared[row]! * shared[column]!) / doubt
  }
  settle(estimate, shared, doubt)
  return { surprise, variance: doubt }
}

/** Sets a variance that the reading reduced to rounding error to 0, and its covariances as well. */
function settle({ mean, covariance }: JointEstimate, shared: Float64Array, doubt: number): void {
  const size = mean.length
  for (let place = 0; place < size; place++) {
    const left = covariance[place * size + place]!
    if (left > (ROUNDING * (shared[place]! * shared[place]!)) / doubt) continue
    for (let other = 0; other < size; other++) {
      covariance[place * size + other] = 0
      covariance[other * size + place] = 0
    }
  }
}

/** Adds a figure that is independent of the others. Returns its place. */
export function addFigure({ mean, covariance }: JointEstimate, variance: number): number {
  const size = mean.length
  for (let row = size - 1; row >= 0; row--) covariance.splice((row + 1) * size, 0, 0)
  mean.push(0)
  for (let column = 0; column <= size; column++) covariance.push(column === size ? variance : 0)
  return size
}

/** Removes a figure; the estimates of the others remain. */
export function dropFigure({ mean, covariance }: JointEstimate, place: number): void {
  const size = mean.length
  mean.splice(place, 1)
  covariance.splice(place * size, size)
  for (let row = size - 2; row >= 0; row--) covariance.splice(row * size + place, 1)
}
