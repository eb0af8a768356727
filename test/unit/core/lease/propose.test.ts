import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fitsMeasured,
  proposeTerms,
  timeToSafeMs,
  DEFAULT_TERMS,
  LEAST_TOLERANCE,
  termsProblems,
} from '../../../../src/core/lease/terms.ts'
import { clockTolerance } from '../../../support/clock-tolerance.ts'

describe('The proposed terms of a lease', () => {
  test('are the defaults where the venue answers within half a second and the guard within a quarter', () => {
    expect(proposeTerms({ venueMs: 500, grantMs: 250 })).toEqual(DEFAULT_TERMS)
    expect(proposeTerms({ venueMs: 3, grantMs: null })).toEqual(DEFAULT_TERMS)
  })

  test('grow with the slower of the answers', () => {
    expect(proposeTerms({ venueMs: 800, grantMs: null })).toEqual({
      renewMs: 1_000,
      roundTripMs: 500,
      writeTimeoutMs: 1_600,
      deadlineMs: 3_800,
      waitMs: 5_700,
    })
    expect(proposeTerms({ venueMs: 10, grantMs: 700 })).toMatchObject({ renewMs: 1_400, roundTripMs: 1_400 })
  })

  test('are safe, leave what was measured its room, and lengthen no shorter than needed, whatever was measured', () => {
    // Beyond half a minute the configuration takes no time-out that would fit.
    const times = fc.double({ min: 0, max: 30_000, noNaN: true })
    fc.assert(
      fc.property(times, fc.option(times), (venueMs, grantMs) => {
        const terms = proposeTerms({ venueMs, grantMs })
        expect(termsProblems(terms)).toEqual([])
        expect(clockTolerance(terms)).toBeGreaterThanOrEqual(LEAST_TOLERANCE)
        expect(fitsMeasured(terms, { venueMs, grantMs })).toBe(true)
        expect(Object.values(terms).every(Number.isSafeInteger)).toBe(true)
        // One step of the deadline less would leave less than a fifth of spare time.
        const used = terms.renewMs + terms.roundTripMs + terms.writeTimeoutMs
        expect(terms.deadlineMs - 100).toBeLessThan(1.2 * used)
      }),
    )
  })

  test('do not fit where an answer takes more than half of its time', () => {
    expect(fitsMeasured(DEFAULT_TERMS, { venueMs: 501, grantMs: null })).toBe(false)
    expect(fitsMeasured(DEFAULT_TERMS, { venueMs: 100, grantMs: 251 })).toBe(false)
  })
})

test('the time to safe at the defaults is under 10 s where the venue answers within a second', () => {
  expect(timeToSafeMs(DEFAULT_TERMS, 1_000)).toBe(8_100)
  expect(timeToSafeMs(DEFAULT_TERMS, 50)).toBe(5_250)
})
