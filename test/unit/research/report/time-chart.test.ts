import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reduceLines } from '../../../../src/research/report/figures/time-chart.ts'

const times = (gaps: readonly number[]) => {
  let t = 1_000
  return Float64Array.from(gaps, (gap) => (t += gap))
}
const gaps = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 400 })
const value = fc.oneof(
  { weight: 9, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constant(NaN) },
)
const lines = gaps.chain((steps) =>
  fc.record({
    t: fc.constant(times(steps)),
    lines: fc.array(
      fc.array(value, { minLength: steps.length, maxLength: steps.length }).map((v) => Float64Array.from(v)),
      { minLength: 1, maxLength: 4 },
    ),
    maxRows: fc.integer({ min: 20, max: 300 }),
  }),
)

const extremes = (values: Iterable<number>) => {
  const known = [...values].filter((each) => !Number.isNaN(each))
  return known.length === 0 ? null : [Math.min(...known), Math.max(...known)]
}

describe('lines reduced to what can be seen', () => {
  test('keep their first and last row and the peaks of every line, in order, within the bound', () => {
    fc.assert(
      fc.property(lines, ({ t, lines, maxRows }) => {
        const rows = [...reduceLines(t, lines, maxRows)]
        expect(rows.length).toBeLessThanOrEqual(maxRows)
        expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b))
        expect([rows[0], rows.at(-1)]).toEqual([0, t.length - 1])
        for (const line of lines) {
          expect(extremes(rows.map((row) => line[row] ?? NaN))).toEqual(extremes(line))
        }
      }),
    )
  })

  test('leave short lines as they are', () => {
    expect([...reduceLines(times([1, 2, 3]), [Float64Array.of(1, 2, 3)], 3)]).toEqual([0, 1, 2])
    expect([...reduceLines(new Float64Array(0), [new Float64Array(0)], 3)]).toEqual([])
  })

  test('never lose sight of the line for longer than a span', () => {
    const t = Float64Array.from({ length: 10_000 }, (_, i) => i * 60_000)
    const rows = reduceLines(t, [t.map((_, i) => Math.sin(i / 50))], 400)
    const kept = [...rows].map((row) => t[row] ?? 0)
    const longest = kept.slice(1).reduce((most, at, i) => Math.max(most, at - (kept[i] ?? 0)), 0)
    expect(longest).toBeLessThanOrEqual(((t.at(-1) ?? 0) / 100) * 1.01)
  })

  test('keep a hole that is wider than a span', () => {
    const t = Float64Array.from({ length: 10_000 }, (_, i) => i)
    const line = t.map((i) => (i >= 4_000 && i < 6_000 ? NaN : i))
    const rows = [...reduceLines(t, [line], 400)]
    const holes = rows.filter((row) => Number.isNaN(line[row] ?? 0))
    expect(holes.length).toBeGreaterThan(2)
    expect(Math.min(...holes)).toBeLessThan(4_000 + 100)
    expect(Math.max(...holes)).toBeGreaterThan(6_000 - 100)
  })

  test('of one single moment keep its extremes', () => {
    const t = new Float64Array(1_000).fill(7)
    const rows = reduceLines(t, [t.map((_, i) => (i === 500 ? 9 : i === 600 ? -9 : 0))], 100)
    expect([...rows]).toEqual([0, 500, 600, 999])
  })
})
