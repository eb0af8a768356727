import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { thinFills } from '../../../../src/research/report/figures/thin-fills.ts'

const fill = fc.record({
  t: fc.nat(1_000_000),
  price: fc.oneof(
    { weight: 9, arbitrary: fc.double({ min: 2_500, max: 2_600, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity) },
  ),
  usd: fc.double({ min: 1, max: 10_000, noNaN: true }),
  bid: fc.nat(1),
  synthetic: fc.nat(1),
})

function fillsOf(list: readonly { t: number; price: number; usd: number; bid: number; synthetic: number }[]) {
  const sorted = list.toSorted((a, b) => a.t - b.t)
  return {
    t: Float64Array.from(sorted, ({ t }) => t),
    price: Float64Array.from(sorted, ({ price }) => price),
    usd: Float64Array.from(sorted, ({ usd }) => usd),
    edgeBps: new Float64Array(sorted.length),
    bid: Uint8Array.from(sorted, ({ bid }) => bid),
    synthetic: Uint8Array.from(sorted, ({ synthetic }) => synthetic),
    leftOut: 0,
  }
}

describe('fills thinned to what can be seen', () => {
  test('are all of them, but for those without a price, while there are few', () => {
    fc.assert(
      fc.property(fc.array(fill, { maxLength: 50 }), (list) => {
        const fills = fillsOf(list)
        const drawable = [...fills.t.keys()].filter((i) => Number.isFinite(fills.price[i]))
        expect([...thinFills(fills, 50)]).toEqual(drawable)
      }),
    )
  })

  test('are ascending, within the bound, and the largest of each kind is among them', () => {
    fc.assert(
      fc.property(fc.array(fill, { minLength: 100, maxLength: 400 }), (list) => {
        const fills = fillsOf(list)
        const kept = [...thinFills(fills, 40)]
        expect(kept.length).toBeLessThanOrEqual(40)
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b))
        for (const [bid, synthetic] of [
          [0, 0],
          [0, 1],
          [1, 0],
          [1, 1],
        ]) {
          const largest = (among: Iterable<number>) =>
            [...among]
              .filter(
                (i) =>
                  fills.bid[i] === bid && fills.synthetic[i] === synthetic && Number.isFinite(fills.price[i]),
              )
              .reduce((most, i) => Math.max(most, fills.usd[i] ?? 0), 0)
          expect(largest(kept)).toBe(largest(fills.t.keys()))
        }
      }),
    )
  })

  test('at one price and one moment end, whatever the bound', () => {
    const same = Array.from({ length: 1_000 }, (_, i) => ({ t: 5, price: 1, usd: i, bid: 1, synthetic: 0 }))
    expect([...thinFills(fillsOf(same), 2)]).toEqual([999])
  })
})
