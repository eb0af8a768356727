import { describe, expect, it } from 'vitest'
import {
  type Complex,
  exponential,
  invertLaplace,
  over,
  plus,
  root,
  scaled,
  times,
} from '../../../../../src/research/models/flow/laplace.ts'

const ONE: Complex = { re: 1, im: 0 }

describe('complex arithmetic', () => {
  it('has roots with a real part that is not negative, whose squares are the number', () => {
    for (const x of [
      { re: 3, im: 4 },
      { re: -3, im: 4 },
      { re: -3, im: -4 },
      { re: -2, im: 0 },
      { re: 0, im: 0 },
    ]) {
      const found = root(x)
      expect(found.re).toBeGreaterThanOrEqual(0)
      expect(times(found, found).re).toBeCloseTo(x.re, 12)
      expect(times(found, found).im).toBeCloseTo(x.im, 12)
    }
  })

  it('divides as it multiplies, and exp turns by the imaginary part', () => {
    const [x, y] = [
      { re: 3, im: -2 },
      { re: 0.5, im: 4 },
    ]
    const back = times(over(x, y), y)
    expect([back.re, back.im]).toEqual([expect.closeTo(3, 12), expect.closeTo(-2, 12)])
    expect(exponential({ re: 0, im: Math.PI }).re).toBeCloseTo(-1, 12)
  })
})

describe('the inverse of a Laplace transform', () => {
  it('is found to nine digits: 1, t, exp(-3t) and the first passage of a Brownian motion', () => {
    for (const t of [0.01, 1, 30]) {
      expect(invertLaplace((q) => over(ONE, q), t)).toBeCloseTo(1, 9)
      expect(invertLaplace((q) => over(ONE, times(q, q)), t) / t).toBeCloseTo(1, 9)
      expect(invertLaplace((q) => over(ONE, plus(q, { re: 3, im: 0 })), t)).toBeCloseTo(Math.exp(-3 * t), 9)
    }
    // exp(-2 sqrt q) is the density exp(-1/t) / sqrt(pi t^3).
    expect(invertLaplace((q) => exponential(scaled(root(q), -2)), 1)).toBeCloseTo(
      Math.exp(-1) / Math.sqrt(Math.PI),
      9,
    )
  })
})
