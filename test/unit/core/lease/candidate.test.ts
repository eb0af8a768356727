import { describe, expect, test } from 'vitest'
import { actsFrom, mayAct, observeLease, sawCount, waitAgain } from '../../../../src/core/lease/holder.ts'

const TERMS = { waitMs: 4_500 }

describe('A candidate', () => {
  test('waits the whole time since the counter last grew', () => {
    const observed = observeLease('a', 0)
    expect(sawCount(observed, 7, 1_000)).toBe(true)
    expect(mayAct(TERMS, observed, 5_499)).toBe(false)
    expect(mayAct(TERMS, observed, 5_500)).toBe(true)
    expect(actsFrom(TERMS, observed)).toBe(5_500)
  })

  test('takes no counter for news that is the same, smaller or no number', () => {
    const observed = observeLease('a', 0)
    sawCount(observed, 7, 1_000)
    for (const count of [7, 6, Number.NaN]) expect(sawCount(observed, count, 2_000)).toBe(false)
    expect(observed.changedAt).toBe(1_000)
  })

  test('that did not run waits anew', () => {
    const observed = observeLease('a', 0)
    sawCount(observed, 1, 100)
    waitAgain(observed, 30_000)
    expect(mayAct(TERMS, observed, 34_499)).toBe(false)
  })
})
