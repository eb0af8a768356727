import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  expectedShort,
  levelForShort,
  shortBeyond,
} from '../../../../../src/treasury/policy/sizing/normal-loss.ts'

const demand = fc.record({
  mean: fc.double({ min: 0, max: 1e9, noNaN: true }),
  sd: fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
})

test('the level for a shortage has that shortage, for any demand', () => {
  fc.assert(
    fc.property(demand, fc.double({ min: 1e-3, max: 2, noNaN: true }), (during, share) => {
      const short = share * during.sd
      const found = expectedShort(levelForShort(short, during), during)
      expect(Math.abs(found - short)).toBeLessThan(1e-6 * (during.sd + during.mean))
    }),
  )
})

test('a demand that does not vary is short by exactly what is missing', () => {
  const steady = { mean: 100, sd: 0 }
  expect([90, 100, 110].map((level) => expectedShort(level, steady))).toEqual([10, 0, 0])
  expect(levelForShort(10, steady)).toBe(90)
  expect(shortBeyond(90, steady)).toBe(50)
})

test('the second-order loss is the integral of the first', () => {
  const during = { mean: 50, sd: 8 }
  const step = 0.01
  let sum = 0
  for (let level = 45 + step / 2; level < 130; level += step) sum += expectedShort(level, during) * step
  expect(shortBeyond(45, during)).toBeCloseTo(sum, 4)
})
