import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge, type EngineRun } from '../../../../bench/peers/judge.ts'

/** Three lots bought for 7,456.1234 shillings in all. */
const exact = { fills: 5, lots: 3, cash: -74_561_234n, pnl: 0n, ownBps: new Int16Array(0) }
const run: EngineRun = {
  cpuSeconds: 1,
  wallSeconds: 1,
  peakMiB: 1,
  fills: 5,
  lots: 3,
  cash: '-7456.1234',
}

describe('the judge of an engine', () => {
  test('calls a run exact whose fills, lots and cash are those of the recomputation', () => {
    expect(judge(run, exact, 2_500)).toEqual({ isExact: true, text: '5 fills right, exact' })
    for (const cash of ['-7456.123400000000000000', '-7.4561234e3', '-0.74561234E+4', '-74561234e-4'])
      expect(judge({ ...run, cash }, exact, 2_500).isExact).toBe(true)
  })

  test('finds the last of eighteen decimals, which a double cannot show', () => {
    const off = judge({ ...run, cash: '-7456.123399999999999999' }, exact, 2_500)
    expect(off).toEqual({ isExact: false, text: '5 fills right, money off by 1.0e-18 TZS' })
  })

  test('any double that is not the very amount is off, and by how much is shown', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (error) => {
        const cash = -7_456.1234 + error
        fc.pre(cash !== -7_456.1234)
        expect(judge({ ...run, cash: String(cash) }, exact, 2_500).isExact).toBe(false)
      }),
    )
  })

  test('names wrong fills and wrong lots before money', () => {
    const wrong = judge({ ...run, fills: 4, lots: 2 }, exact, 2_500)
    expect(wrong).toEqual({ isExact: false, text: '4 fills instead of 5, 2 lots instead of 3' })
  })

  test('judges an engine without an account by fills and lots, and never calls it exact', () => {
    expect(judge({ ...run, cash: null }, exact, 2_500)).toEqual({
      isExact: false,
      text: '5 fills right, no account',
    })
  })

  test('judges an engine that has a profit only by cash and lots at the last mid', () => {
    const barsOnly = { ...run, fills: null, cash: null, profit: '742543.8766' }
    expect(judge(barsOnly, exact, 2_500)).toEqual({ isExact: true, text: 'lots right, exact' })
    expect(judge(barsOnly, exact, 2_501).text).toMatch(/^lots right, .* -3\.0e\+2 TZS$/)
  })

  test('refuses what is no amount', () => {
    for (const cash of ['nan', 'inf', '', '1,5'])
      expect(() => judge({ ...run, cash }, exact, 2_500)).toThrow('an amount belongs')
  })
})
