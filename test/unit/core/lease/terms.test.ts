import { describe, expect, test } from 'vitest'
import { DEFAULT_TERMS, leastWaitMs, termsProblems } from '../../../../src/core/lease/terms.ts'
import { clockTolerance } from '../../../support/clock-tolerance.ts'

describe('The terms of a lease', () => {
  test('by default leave room for one slow renewal and for clocks that differ by 20 %', () => {
    expect(termsProblems(DEFAULT_TERMS)).toEqual([])
    expect(clockTolerance(DEFAULT_TERMS)).toBeCloseTo(0.2, 12)
  })

  test('are refused with a wait that clocks of 20 % would undercut, naming the least one', () => {
    expect(termsProblems({ ...DEFAULT_TERMS, waitMs: 4_499 })).toEqual([
      { term: 'waitMs', message: expect.stringContaining('4500') },
    ])
    expect(leastWaitMs(3_000)).toBe(4_500)
  })

  test('are refused with a deadline that one slow renewal would pass', () => {
    const problems = termsProblems({ ...DEFAULT_TERMS, deadlineMs: 2_500, waitMs: 4_500 })
    expect(problems).toEqual([
      { term: 'deadlineMs', message: expect.stringContaining('no room for one slow renewal') },
    ])
    const least = { ...DEFAULT_TERMS, deadlineMs: 2_750, waitMs: 4_500 }
    expect(termsProblems(least)).toEqual([])
    expect(termsProblems({ ...least, deadlineMs: 2_749 })).toEqual([
      { term: 'deadlineMs', message: expect.stringContaining('at least 2750') },
    ])
  })
})
