import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Figure, TimeChart } from '../../../../src/research/report/figures/figure.ts'
import { packCharts } from '../../../../src/research/report/pack-charts.ts'
import { type PageChart, unpackPage } from '../../../../src/research/report/page/unpack.ts'

/** As the tests look at it: every chart has what a chart over time may have. */
const unpack = async (base64: string) => {
  const { window, charts } = await unpackPage(base64)
  return { window, charts: charts as readonly PageChart<TimeChart>[] }
}

const value = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: -1e9, max: 1e9, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity) },
)
const rows = fc.array(fc.tuple(fc.nat(10_000_000), value, value), { minLength: 1, maxLength: 200 })

function figureOf(chart: Figure['chart']): Figure {
  return {
    id: 'a',
    title: '',
    unit: 'USD',
    digits: 2,
    words: '',
    height: 'low',
    chart,
  }
}

function timeChart(t: Float64Array, values: Float64Array, markers: TimeChart['markers'] = null): TimeChart {
  return {
    kind: 'time',
    t,
    lines: [{ name: 'a', colour: 'blue', values }],
    band: { name: 'band', low: values, high: values },
    markers,
  }
}

function expectClose(column: ArrayLike<number | null> | undefined, expected: Float64Array): void {
  const actual = Array.from(column ?? [])
  const known = [...expected].filter(Number.isFinite)
  const range = known.length === 0 ? 0 : Math.max(...known) - Math.min(...known)
  const doublesOwn = known.reduce((most, each) => Math.max(most, Math.abs(each)), 0) * 1e-15 + 1e-37
  expect(actual.length).toBe(expected.length)
  for (const [i, wanted] of expected.entries()) {
    const got = actual[i]
    if (Number.isFinite(wanted))
      expect(Math.abs((got ?? NaN) - wanted)).toBeLessThanOrEqual(range * 6e-8 + doublesOwn)
    else expect(got).toBeNull()
  }
}

describe('what the page unpacks', () => {
  test('is what was packed: times to the millisecond, values to 6e-8 of their range, holes as holes', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        let now = 1_790_000_000_000
        const t = Float64Array.from(list, ([gap]) => (now += gap))
        const values = Float64Array.from(list, ([, each]) => each)
        const markers = {
          t,
          price: Float64Array.from(list, ([, , each]) => each),
          usd: values,
          flags: Uint8Array.from(list, ([gap]) => gap % 4),
        }
        const unpacked = await unpack(packCharts([figureOf(timeChart(t, values, markers))]))
        const [chart] = unpacked.charts
        expect([...(chart?.t ?? [])]).toEqual([...t])
        expectClose(chart?.lines[0]?.values, values)
        expectClose(chart?.band?.high, values)
        expectClose(chart?.markers?.price, markers.price)
        expect(chart?.markers?.flags).toEqual(markers.flags)
        expect(unpacked.window).toEqual([t[0], t.at(-1)])
      }),
      { numRuns: 50 },
    )
  })

  test('keeps a year without a point, to a few milliseconds', async () => {
    const t = Float64Array.of(0, 5, 365 * 86_400_000, 365 * 86_400_000 + 60_000)
    const { charts } = await unpack(packCharts([figureOf(timeChart(t, t))]))
    const read = charts[0]?.t ?? []
    for (const [i, wanted] of t.entries()) expect(Math.abs((read[i] ?? NaN) - wanted)).toBeLessThan(8)
  })

  test('keeps small changes of a large figure apart', async () => {
    const values = Float64Array.of(1_000_000_000.01, 1_000_000_000.02, 1_000_000_000.03)
    const { charts } = await unpack(packCharts([figureOf(timeChart(Float64Array.of(1, 2, 3), values))]))
    expectClose(charts[0]?.lines[0]?.values, values)
  })

  test('has the points of markouts with their intervals', async () => {
    const points = [{ label: '1 h </script>', value: 1, interval: [0, 2] as const, note: '3' }]
    const { charts } = await unpackPage(packCharts([figureOf({ kind: 'points', noteOf: 'fills', points })]))
    expect(charts[0]).toMatchObject({ noteOf: 'fills', points })
  })

  test('has no chart for a figure without one, and still a window', async () => {
    expect(await unpack(packCharts([figureOf(null)]))).toEqual({ window: [0, 0], charts: [] })
  })
})
