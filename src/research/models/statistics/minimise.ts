/** The point where a function is smallest, and the inverse of its second derivatives there. */
type Minimum = {
  readonly at: readonly number[]
  readonly value: number
  /** Row by row; null = the function does not curve upwards in every direction. */
  readonly inverseCurvature: readonly (readonly number[])[] | null
}

const MOST_STEPS = 400
const SMALL = 1e-4
/** The step of the second differences, in the units of the parameters: wide enough for a function with rounding. */
const DIFFERENCE = 0.05

/**
 * Returns the minimum of a function of a few parameters of order 1, without derivatives: the simplex of Nelder and
 * Mead, then second differences. Treats values that are not finite as infinitely large. Source: Nelder, Mead 1965.
 */
export function minimise(loss: (point: readonly number[]) => number, start: readonly number[]): Minimum {
  const of = (point: readonly number[]) => {
    const value = loss(point)
    return Number.isFinite(value) ? value : Infinity
  }
  const vertex = (point: readonly number[]) => ({ point, value: of(point) })
  const simplex = [start, ...start.map((_, i) => start.map((x, j) => (i === j ? x + 0.5 : x)))].map(vertex)
  for (let step = 0; step < MOST_STEPS; step++) {
    simplex.sort((a, b) => a.value - b.value)
    const [best, worst, second] = [simplex[0]!, simplex.at(-1)!, simplex.at(-2)!]
    if (worst.value - best.value < SMALL) break
    const others = simplex.slice(0, -1)
    const centre = start.map((_, i) => others.reduce((sum, { point }) => sum + point[i]!, 0) / others.length)
    const along = (share: number) => vertex(centre.map((x, i) => x + share * (worst.point[i]! - x)))
    const reflected = along(-1)
    if (reflected.value < best.value) {
      const expanded = along(-2)
      simplex[simplex.length - 1] = expanded.value < reflected.value ? expanded : reflected
    } else if (reflected.value < second.value) simplex[simplex.length - 1] = reflected
    else {
      const inside = reflected.value < worst.value ? along(-0.5) : along(0.5)
      if (inside.value < Math.min(reflected.value, worst.value)) simplex[simplex.length - 1] = inside
      else
        for (let i = 1; i < simplex.length; i++)
          simplex[i] = vertex(simplex[i]!.point.map((x, j) => (x + best.point[j]!) / 2))
    }
  }
  const best = simplex.reduce((one, other) => (other.value < one.value ? other : one))
  return { at: best.point, value: best.value, inverseCurvature: inverse(curvature(of, best)) }
}

function curvature(
  of: (point: readonly number[]) => number,
  { point, value }: { readonly point: readonly number[]; readonly value: number },
): readonly (readonly number[])[] {
  const moved = (i: number, di: number, j: number, dj: number) =>
    of(point.map((x, at) => x + (at === i ? di : 0) + (at === j ? dj : 0)))
  const h = DIFFERENCE
  const own = point.map((_, i) => [moved(i, h, -1, 0), moved(i, -h, -1, 0)] as const)
  return point.map((_, i) =>
    point.map((__, j) => {
      if (i === j) return (own[i]![0] + own[i]![1] - 2 * value) / (h * h)
      const diagonal = moved(i, h, j, h) + moved(i, -h, j, -h)
      return (diagonal - own[i]![0] - own[i]![1] - own[j]![0] - own[j]![1] + 2 * value) / (2 * h * h)
    }),
  )
}

/** Inverts by elimination without pivots; null if the matrix is not positive definite. */
function inverse(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] | null {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))])
  for (let pivot = 0; pivot < size; pivot++) {
    const diagonal = rows[pivot]![pivot]!
    if (!(diagonal > 0) || !Number.isFinite(diagonal)) return null
    rows[pivot] = rows[pivot]!.map((entry) => entry / diagonal)
    for (let other = 0; other < size; other++) {
      if (other === pivot) continue
      const factor = rows[other]![pivot]!
      rows[other] = rows[other]!.map((entry, column) => entry - factor * rows[pivot]![column]!)
    }
  }
  return rows.map((row) => row.slice(size))
}
