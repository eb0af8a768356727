import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestRatios, fallenRatios, ratiosOf } from '../../../../bench/harness/ratio-gate.ts'

const recorded = { backtest: { still: 0.12, walk: 0.06 } }

describe('the gate of the ratios to the plain loop', () => {
  test('a fall by a third fails, and the sentence names the bench, the ratio, both figures and the fall', () => {
    expect(fallenRatios('backtest', { still: 0.08, walk: 0.06 }, recorded)).toEqual([
      'backtest: the ratio still to the plain loop is 0.08, and 0.12 is recorded: it fell by 33 %, and a third is too much',
    ])
  })

  test('a fall by a quarter, no change and a rise pass', () => {
    for (const factor of [0.75, 1, 3])
      expect(fallenRatios('backtest', { still: 0.12 * factor, walk: 0.06 * factor }, recorded)).toEqual([])
  })

  test('any fall beyond a third fails and any smaller one passes', () => {
    const ratio = fc.double({ min: 1e-6, max: 1e3, noNaN: true })
    fc.assert(
      fc.property(ratio, fc.double({ min: 0, max: 2, noNaN: true }), (was, factor) => {
        fc.pre(Math.abs(factor - 2 / 3) > 1e-9)
        const fallen = fallenRatios('x', { a: was * factor }, { x: { a: was } })
        expect(fallen).toHaveLength(factor < 2 / 3 ? 1 : 0)
      }),
    )
  })

  test('a recorded ratio that was not measured, or is no number, fails', () => {
    expect(fallenRatios('backtest', { still: 0.12 }, recorded)).toEqual([
      'backtest: the ratio walk to the plain loop is recorded as 0.06 and was not measured',
    ])
    expect(fallenRatios('backtest', { still: 0.12, walk: NaN }, recorded)).toHaveLength(1)
  })

  test('a measured ratio that no one recorded fails and names the command that records it', () => {
    expect(fallenRatios('tape', { read: 1 }, recorded)).toEqual([
      'tape: the ratio read to the plain loop is not recorded; `npm run bench -- --short --record tape` records it',
    ])
  })

  test('of several runs the best of each ratio is judged', () => {
    expect(bestRatios({ still: 1, walk: 4 }, { still: 2, walk: 3 })).toEqual({ still: 2, walk: 4 })
    expect(bestRatios({ still: 1 }, {})).toEqual({ still: 1 })
  })

  test('a bench without ratios is not judged', () => {
    expect(ratiosOf({ rows: 3 })).toBeNull()
    expect(ratiosOf({ ratios: { walk: 2 } })).toEqual({ walk: 2 })
  })
})
