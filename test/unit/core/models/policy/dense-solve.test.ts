import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solveDense } from '../../../../../src/core/models/policy/dense-solve.ts'

describe('solving dense equations', () => {
  it('needs rows exchanged where the diagonal is 0', () => {
    const solution = solveDense(Float64Array.of(0, 2, 3, 0), Float64Array.of(4, 9))
    expect([...solution]).toEqual([3, 2])
  })

  it('finds what the right side was made of', () => {
    const entries = fc.double({ min: -1, max: 1, noNaN: true })
    const systems = fc.integer({ min: 1, max: 8 }).chain((n) =>
      fc.record({
        matrix: fc.array(entries, { minLength: n * n, maxLength: n * n }),
        wanted: fc.array(entries, { minLength: n, maxLength: n }),
      }),
    )
    fc.assert(
      fc.property(systems, ({ matrix, wanted }) => {
        const n = wanted.length
        // Dominant diagonals: what is solved has one answer that rounding does not move far.
        const a = Float64Array.from(matrix, (value, i) => (i % (n + 1) === 0 ? value + 2 * n : value))
        const right = Float64Array.from({ length: n }, (_, row) =>
          wanted.reduce((sum, value, column) => sum + a[row * n + column]! * value, 0),
        )
        const found = solveDense(a, right)
        for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, 10)
      }),
    )
  })

  it('has no finite answer where none exists', () => {
    const solution = solveDense(Float64Array.of(1, 1, 1, 1), Float64Array.of(1, 2))
    expect(solution.every(Number.isFinite)).toBe(false)
  })
})
