import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawVariants } from '../../../../src/research/sweep/grid.ts'

const SPACE = '{"halfSpreadBps":[20,120],"offBeyond":[0.5,0.9],"quote.requoteThresholdBps":[3,5,8]}'

function drawn(space: string, count: number, seed: number) {
  const result = drawVariants(space, count, seed)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

describe('a random sweep', () => {
  test('draws whole numbers between whole ends, other numbers between others, and from lists their values', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        for (const changes of drawn(SPACE, 20, seed)) {
          const [spread, off] = [
            Number(changes['strategy.params.halfSpreadBps']),
            Number(changes['strategy.params.offBeyond']),
          ]
          expect(Number.isInteger(spread) && spread >= 20 && spread <= 120).toBe(true)
          expect(off >= 0.5 && off < 0.9).toBe(true)
          expect([3, 5, 8]).toContain(changes['quote.requoteThresholdBps'])
        }
      }),
      { numRuns: 20 },
    )
  })

  test('draws uniformly, both ends included', () => {
    const counts = new Map<unknown, number>()
    for (let seed = 0; seed < 600; seed++) {
      const [first] = drawn('{"x":[1,6]}', 1, seed)
      const value = first?.['strategy.params.x']
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const chi2 = [...counts.values()].reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0)
    expect(new Set(counts.keys())).toEqual(new Set([1, 2, 3, 4, 5, 6]))
    // The 99.9 % quantile of chi-square with 5 degrees of freedom.
    expect(chi2).toBeLessThan(20.5)
  })

  test('draws the same for the same seed, and more of them begin with the same ones', () => {
    expect(drawn(SPACE, 30, 9).slice(0, 10)).toEqual(drawn(SPACE, 10, 9))
    expect(drawn(SPACE, 10, 9)).not.toEqual(drawn(SPACE, 10, 10))
  })

  test('leaves what a key draws as it is when another key joins', () => {
    const alone = drawn('{"offBeyond":[0.5,0.9]}', 10, 3)
    const joined = drawn('{"halfSpreadBps":[20,120],"offBeyond":[0.5,0.9]}', 10, 3)
    const of = (changes: (typeof alone)[number]) => changes['strategy.params.offBeyond']
    expect(joined.map(of)).toEqual(alone.map(of))
  })

  test('draws no combination twice, and can draw all there are', () => {
    const all = drawn('{"a":[1,4],"b":["x","y","z"]}', 12, 1)
    expect(new Set(all.map((changes) => JSON.stringify(changes))).size).toBe(12)
  })

  test.each([
    ['{"a":[1,4]}', 5, /only 4 different combinations; --grid/],
    ['{"a":[]}', 1, /has no values/],
    ['{"a":7}', 1, /--space: a is not a list/],
  ])('is refused with what is expected: %s', (space, count, message) => {
    expect(drawVariants(space, count, 1)).toEqual({
      ok: false,
      error: expect.stringMatching(message) as string,
    })
  })
})
