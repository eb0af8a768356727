import { describe, expect, test } from 'vitest'
import { studentQuantile } from '../../../../src/core/models/distributions.ts'
import { studentTail } from '../../../../src/research/models/student-tail.ts'

describe('the two-sided p-value of Student', () => {
  test('is what the quantile inverts', () => {
    for (const degrees of [1, 2, 5, 19, 49, 500])
      for (const p of [0.5, 0.1, 0.05, 0.001])
        expect(studentTail(studentQuantile(1 - p / 2, degrees), degrees)).toBeCloseTo(p, 6)
  })

  test('has the closed form of one degree of freedom, is 1 at 0 and 0 at infinity', () => {
    for (const t of [0.1, 1, 3, 40]) {
      expect(studentTail(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 10)
      expect(studentTail(-t, 1)).toBe(studentTail(t, 1))
    }
    expect(studentTail(0, 30)).toBe(1)
    expect(studentTail(Infinity, 30)).toBe(0)
    expect(studentTail(60, 49)).toBeLessThan(1e-40)
  })
})
