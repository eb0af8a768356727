import { describe, expect, it } from 'vitest'
import { formatRate, parseRate, rateToNumber } from '../../../../src/base/money/rate.ts'
import { isSpreadBps } from '../../../../src/base/money/bps.ts'

describe('a rate', () => {
  it('is the shortest decimal of the JSON number, exactly', () => {
    expect(parseRate(2_500.1)).toEqual({ ok: true, value: 2_500_100_000_000_000_000_000n })
    expect(parseRate('2500.123456789012345678')).toEqual({ ok: true, value: 2500123456789012345678n })
    expect(formatRate(2_500_100_000_000_000_000_000n)).toBe('2500.1')
  })

  it.each([
    [NaN, 'not-decimal'],
    [Infinity, 'not-decimal'],
    [0, 'implausible'],
    [-0, 'implausible'],
    [-2_500, 'implausible'],
    [0.0004, 'implausible'],
    [1e-7, 'not-decimal'],
    [1e21, 'not-decimal'],
    [1_000_001, 'implausible'],
    ['', 'not-decimal'],
    ['2,500', 'not-decimal'],
    ['2.5e3', 'not-decimal'],
    ['2500.1234567890123456789', 'too-many-digits'],
  ])('is refused, not repaired, when it is %j', (figure, kind) => {
    expect(parseRate(figure)).toMatchObject({ ok: false, error: { kind } })
  })

  it('may be anything from 1 to a million shillings', () => {
    expect(parseRate(1).ok).toBe(true)
    expect(parseRate(1_000_000).ok).toBe(true)
  })

  it('as a float is for quote maths and close to itself', () => {
    expect(rateToNumber(2_500_100_000_000_000_000_000n)).toBe(2_500.1)
  })
})

describe('a spread', () => {
  it('is a whole number of bps from 10 to 500', () => {
    expect([10, 11, 500].every(isSpreadBps)).toBe(true)
    expect([9, 501, 10.5, NaN, -10, Infinity].some(isSpreadBps)).toBe(false)
  })
})
