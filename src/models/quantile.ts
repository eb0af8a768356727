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
