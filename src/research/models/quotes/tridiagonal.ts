/** A symmetric matrix with `diagonal`, and -exp(`logCoupling`) on both off-diagonals: a walk between neighbours. */
export type NeighbourMatrix = { readonly diagonal: Float64Array; readonly logCoupling: number }

const BISECTIONS = 200
const SMALLEST_PIVOT = 1e-9

/**
 * Returns the eigenvalue with `index` smaller ones, 0 = the smallest, to the last digits of a float64. Source:
 * Sturm's theorem, as the signs of the pivots (Barth, Martin, Wilkinson 1967).
 */
export function eigenvalue({ diagonal, logCoupling }: NeighbourMatrix, index: number): number {
  const coupling = Math.exp(logCoupling)
  let low = Math.min(...diagonal) - 2 * coupling
  let high = Math.max(...diagonal) + 2 * coupling
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) break
    if (eigenvaluesBelow(diagonal, coupling, middle) > index) high = middle
    else low = middle
  }
  return low
}

function eigenvaluesBelow(diagonal: Float64Array, coupling: number, value: number): number {
  const square = coupling * coupling
  let count = 0
  let pivot = Infinity
  for (const entry of diagonal) {
    pivot = entry - value - square / pivot
    // A pivot of 0 counts as one to its left; its reciprocal is then large and negative.
    if (pivot === 0) pivot = -Number.MIN_VALUE / Number.EPSILON
    if (pivot < 0) count++
  }
  return count
}

/**
 * Returns the logarithms of the eigenvector of the smallest eigenvalue, whose entries are all positive; the largest
 * is 0. Computes ratios of neighbours from both ends towards the smallest diagonal entry, so even the smallest entry
 * keeps its digits.
 */
export function groundStateLogs({ diagonal, logCoupling }: NeighbourMatrix, smallest: number): Float64Array {
  const coupling = Math.exp(logCoupling)
  const count = diagonal.length
  const middle = diagonal.indexOf(Math.min(...diagonal))
  const logs = new Float64Array(count)
  walkInwards(count - 1, middle, -1)
  walkInwards(0, middle, 1)
  const top = Math.max(...logs)
  return logs.map((log) => log - top)

  /** Fills the logs of one side, relative to the middle. */
  function walkInwards(end: number, to: number, direction: 1 | -1): void {
    const falls: number[] = []
    let ratio = 0
    for (let i = end; i !== to; i += direction) {
      // The ratio of an entry to its inner neighbour is about 1 or less, but rounding of the eigenvalue must not make it infinite.
      const least = Math.max(coupling * SMALLEST_PIVOT, Number.MIN_VALUE)
      const pivot = Math.max((diagonal[i] ?? 0) - smallest - coupling * ratio, least)
      ratio = coupling / pivot
      falls.push(logCoupling - Math.log(pivot))
    }
    let log = 0
    for (let i = to - direction; falls.length > 0; i -= direction) {
      log += falls.pop() ?? 0
      logs[i] = log
    }
  }
}

/**
 * Returns the logarithms of exp(-matrix * time) applied to a positive vector, up to one constant for all entries;
 * null = outside the range of a float64. Shifts the matrix until no entry is negative, because sums of positive terms
 * keep the digits of every entry. Scaling and squaring with a Taylor series; the powers are rescaled, so `time` may
 * have any value. Source: Moler, Van Loan 2003, method 3.
 */
export function decayLogs(
  { diagonal, logCoupling }: NeighbourMatrix,
  time: number,
  start: Float64Array,
): Float64Array | null {
  const coupling = Math.exp(logCoupling)
  const count = diagonal.length
  const shift = Math.max(...diagonal)
  const norm = (shift - Math.min(...diagonal) + 2 * coupling) * time
  if (!Number.isFinite(norm)) return null
  const squarings = norm <= 0.5 ? 0 : Math.ceil(Math.log2(norm)) + 1
  const slice = time / 2 ** squarings
  let power = taylor(diagonal, coupling * slice, shift, slice)
  for (let i = 0; i < squarings; i++) power = square(power, count)
  const logs = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    let sum = 0
    for (let column = 0; column < count; column++)
      sum += (power[row * count + column] ?? 0) * (start[column] ?? 0)
    if (!(sum > 1e-290)) return null
    logs[row] = Math.log(sum)
  }
  return logs
}

const TAYLOR_TERMS = 20

function taylor(diagonal: Float64Array, beside: number, shift: number, slice: number): Float64Array {
  const count = diagonal.length
  const sum = new Float64Array(count * count)
  let term = new Float64Array(count * count)
  for (let i = 0; i < count; i++) sum[i * count + i] = term[i * count + i] = 1
  for (let n = 1; n <= TAYLOR_TERMS; n++) {
    const next = new Float64Array(count * count)
    for (let row = 0; row < count; row++)
      for (let column = 0; column < count; column++) {
        const at = row * count + column
        const own = (term[at] ?? 0) * (shift - (diagonal[column] ?? 0)) * slice
        const left = column > 0 ? (term[at - 1] ?? 0) : 0
        const right = column < count - 1 ? (term[at + 1] ?? 0) : 0
        next[at] = (own + beside * (left + right)) / n
        sum[at] = (sum[at] ?? 0) + (next[at] ?? 0)
      }
    term = next
  }
  return sum
}

/** Returns the square of a matrix without negative entries, divided by its largest entry. */
function square(matrix: Float64Array, count: number): Float64Array {
  const product = new Float64Array(count * count)
  let largest = 0
  for (let row = 0; row < count; row++)
    for (let inner = 0; inner < count; inner++) {
      const factor = matrix[row * count + inner] ?? 0
      if (factor === 0) continue
      for (let column = 0; column < count; column++) {
        const at = row * count + column
        product[at] = (product[at] ?? 0) + factor * (matrix[inner * count + column] ?? 0)
      }
    }
  for (const entry of product) largest = Math.max(largest, entry)
  for (let i = 0; i < product.length; i++) product[i] = (product[i] ?? 0) / largest
  return product
}
