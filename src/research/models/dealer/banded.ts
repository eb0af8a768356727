/** A square matrix with entries only within `reach` of the diagonal: 2 reach + 1 entries per row. */
export type BandedMatrix = {
  readonly count: number
  readonly reach: number
  readonly entries: Float64Array
}

export function bandedMatrix(count: number, reach: number): BandedMatrix {
  return { count, reach, entries: new Float64Array(count * (2 * reach + 1)) }
}

/** Adds to the entry at a row and a column, which must lie within the band. */
export function addEntry({ reach, entries }: BandedMatrix, row: number, column: number, value: number): void {
  const at = row * (2 * reach + 1) + column - row + reach
  entries[at] = (entries[at] ?? 0) + value
}

/**
 * Solves for several right-hand sides in place and overwrites the matrix; returns false if it is singular in float64.
 * Elimination without pivoting, which is stable for a diagonally dominant matrix.
 */
export function solveBanded(
  { count, reach, entries }: BandedMatrix,
  sides: readonly Float64Array[],
): boolean {
  const width = 2 * reach + 1
  for (let pivotRow = 0; pivotRow < count; pivotRow++) {
    const from = pivotRow * width + reach
    const pivot = entries[from] ?? 0
    if (!(pivot > 0 && Number.isFinite(pivot))) return false
    const last = Math.min(count - 1, pivotRow + reach)
    for (let row = pivotRow + 1; row <= last; row++) {
      const at = row * width + pivotRow - row + reach
      const factor = (entries[at] ?? 0) / pivot
      if (factor === 0) continue
      for (let step = 1; step <= last - pivotRow; step++)
        entries[at + step] = (entries[at + step] ?? 0) - factor * (entries[from + step] ?? 0)
      for (const side of sides) side[row] = (side[row] ?? 0) - factor * (side[pivotRow] ?? 0)
    }
  }
  for (const side of sides)
    for (let row = count - 1; row >= 0; row--) {
      const from = row * width + reach
      let sum = side[row] ?? 0
      const last = Math.min(count - 1, row + reach)
      for (let column = row + 1; column <= last; column++)
        sum -= (entries[from + column - row] ?? 0) * (side[column] ?? 0)
      side[row] = sum / (entries[from] ?? 1)
    }
  return sides.every((side) => side.every(Number.isFinite))
}
