/** The values at the given rows, in their order. */
export function pickRows(values: Float64Array, rows: Uint32Array): Float64Array {
  return Float64Array.from(rows, (row) => values[row] ?? NaN)
}
