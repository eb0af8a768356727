import { describe, expect, it } from 'vitest'
import { integral } from '../../../../../src/research/models/flow/integral.ts'

describe('an integral', () => {
  it('is exact to twelve digits where the function is smooth', () => {
    expect(integral(Math.exp, 0, 1, 1e-13)).toBeCloseTo(Math.E - 1, 12)
    expect(integral((x) => x ** 7, -1, 3, 1e-9)).toBeCloseTo((3 ** 8 - 1) / 8, 8)
  })

  it('finds a narrow peak inside a wide range and a kink between two nodes', () => {
    const peak = (x: number) => Math.exp(-0.5 * ((x - 0.3) / 0.001) ** 2)
    expect(integral(peak, 0, 1, 1e-12)).toBeCloseTo(0.001 * Math.sqrt(2 * Math.PI), 9)
    expect(integral((x) => Math.max(0, x - Math.SQRT1_2), 0, 1, 1e-10)).toBeCloseTo(
      (1 - Math.SQRT1_2) ** 2 / 2,
      9,
    )
  })

  it('is 0 over no range and comes to an end where it does not exist', () => {
    expect(integral(Math.exp, 1, 1, 1e-9)).toBe(0)
    let calls = 0
    integral((x) => (calls++, 1 / Math.abs(x - 1 / 3)), 0, 1, 1e-12)
    expect(calls).toBeLessThan(200_000)
  })
})
