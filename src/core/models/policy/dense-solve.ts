/**
 * Solves A x = b by elimination with partial pivoting. `matrix` is A by rows; it and `right` are overwritten, and `right`
 * is returned. A singular A yields figures that are not finite. Source: Golub, Van Loan, Matrix Computations, 3.4.
 */
export function solveDense(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length
  for (let column = 0; column < n; column++) {
    swapRows(matrix, right, column, pivotOf(matrix, n, column))
    const head = matrix[column * n + column]!
    // A row of a pool's equations has few entries, and elimination adds few.
    const entries: number[] = []
    for (let j = column; j < n; j++) if (matrix[column * n + j] !== 0) entries.push(j)
    for (let row = column + 1; row < n; row++) {
      const share = matrix[row * n + column]! / head
      if (share === 0) continue
      for (const j of entries) matrix[row * n + j] = matrix[row * n + j]! - share * matrix[column * n + j]!
      right[row] = right[row]! - share * right[column]!
    }
  }
  for (let row = n - 1; row >= 0; row--) {
    let rest = right[row]!
    for (let j = row + 1; j < n; j++) rest -= matrix[row * n + j]! * right[j]!
    right[row] = rest / matrix[row * n + row]!
  }
  return right
}

/** Returns the row on or below the diagonal with the largest entry of a column. */
function pivotOf(matrix: Float64Array, n: number, column: number): number {
  let pivot = column
  for (let row = column + 1; row < n; row++)
    if (Math.abs(matrix[row * n + column]!) > Math.abs(matrix[pivot * n + column]!)) pivot = row
  return pivot
}

/** Swaps what elimination still reads of two rows. */
function swapRows(matrix: Float64Array, right: Float64Array, one: number, other: number): void {
  if (one === other) return
  const n = right.length
  for (let j = one; j < n; j++) {
    const value = matrix[one * n + j]!
    matrix[one * n + j] = matrix[other * n + j]!
    matrix[other * n + j] = value
  }
  const value = right[one]!
  right[one] = right[other]!
  right[other] = value
}
