import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../../src/base/time.ts'
import { dailyFigure, histogramFigure } from '../../../../../src/research/report/figures/daily.ts'
import { drawdownFigure, fallsOf } from '../../../../../src/research/report/figures/drawdown.ts'
import { fillsBySpreadFigure } from '../../../../../src/research/report/figures/fills-by-spread.ts'
import { dollarAttributionFigure } from '../../../../../src/research/report/figures/pnl.ts'
import { rollingEdgeFigure } from '../../../../../src/research/report/figures/rolling-edge.ts'
import { hoursFigure, splitFigure } from '../../../../../src/research/report/figures/split.ts'
import type { Intensity } from '../../../../../src/core/models/calibration.ts'

const START = Date.UTC(2026, 10, 2)
const list = (...values: readonly number[]) => Float64Array.from(values)
const hours = (...at: readonly number[]) => Float64Array.from(at, (hour) => START + hour * HOUR_MS)
const plain = (words: string) => words.replaceAll('\u00a0', ' ')

describe('falls below the highest equity', () => {
  const drawdown = { t: hours(0, 1, 2, 3, 4, 9, 10), usd: list(0, 5, 2, 0, 3, 8, 1) }

  test('reach from the peak to the recovery, and the last one to the end', () => {
    expect(fallsOf(drawdown)).toEqual([
      {
        from: START,
        deepestAt: START + HOUR_MS,
        usd: 5,
        recoveredAt: START + 3 * HOUR_MS,
        lengthMs: 3 * HOUR_MS,
      },
      {
        from: START + 3 * HOUR_MS,
        deepestAt: START + 9 * HOUR_MS,
        usd: 8,
        recoveredAt: null,
        lengthMs: 7 * HOUR_MS,
      },
    ])
  })

  test('are listed deepest first, at most five, with what has not recovered named so', () => {
    const { words, table } = drawdownFigure({ drawdown })
    expect(plain(words)).toMatch(/7h 0m from 2 Nov 2026, 03:00/)
    expect(table?.rows.map((row) => [row[2], row[4]])).toEqual([
      ['not yet', '8.00'],
      ['2\u00a0Nov\u00a02026,\u00a003:00', '5.00'],
    ])
    const many = {
      t: hours(...Array(21).keys()),
      usd: Float64Array.from(Array(21).keys(), (i) => (i % 2) * i),
    }
    expect(drawdownFigure({ drawdown: many }).table?.rows.map((row) => row[4])).toEqual(
      [19, 17, 15, 13, 11].map((usd) => `${usd}.00`),
    )
  })
})

describe('the days', () => {
  const days = {
    t: Float64Array.from({ length: 6 }, (_, i) => START + i * DAY_MS),
    pnlUsd: list(10, -4, 3, 3, 3, 3),
    lessHoldingUsd: list(8, -8, 0, 1, 1, 1),
    fills: list(1, 2, 3, 4, 5, 6),
  }

  test('state their mean, their losses, and what trading brought beside holding', () => {
    expect(plain(dailyFigure({ days }).words)).toMatch(
      /^PnL \+3\.00 .* 6 days, 1 .* -4\.00 \(3 Nov.*\+10\.00 \(2 Nov.* \+0\.50 USD/,
    )
  })

  test('stand in a table with both figures, the last 400 of many', () => {
    expect(dailyFigure({ days }).table?.rows[1]).toEqual(['3 Nov 2026', '-4.00', '-8.00', '2'])
    const ones = new Float64Array(500).fill(1)
    const t = ones.map((_, i) => START + i * DAY_MS)
    const { table } = dailyFigure({ days: { t, pnlUsd: ones, lessHoldingUsd: ones, fills: ones } })
    expect([table?.rows.length, table?.title]).toEqual([400, 'The last 400 of 500 days as a table'])
  })

  test('fall into ranges that hold each day once, for both figures', () => {
    const { chart } = histogramFigure({ days })
    if (chart?.kind !== 'plane') throw new Error('no histogram')
    const sums = chart.lines.map(({ values }) => values.reduce((sum, count) => sum + count, 0))
    expect(sums).toEqual([6, 6])
    expect([chart.x[0]! <= -8, chart.x.at(-1)! > 10]).toEqual([true, true])
    expect(chart.lines.map(({ values }) => [values[0], values.at(-1)])).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  test('that are all equal, or fewer than five, break nothing', () => {
    const same = { ...days, pnlUsd: list(2, 2, 2, 2, 2, 2), lessHoldingUsd: list(2, 2, 2, 2, 2, 2) }
    const { chart } = histogramFigure({ days: same })
    expect(chart?.kind === 'plane' ? Math.max(...(chart.lines[0]?.values ?? [])) : null).toBe(6)
    const few = {
      t: days.t.subarray(0, 4),
      pnlUsd: list(1, 2, 3, 4),
      lessHoldingUsd: list(1, 2, 3, 4),
      fills: list(1, 1, 1, 1),
    }
    expect(histogramFigure({ days: few })).toMatchObject({
      chart: null,
      words: 'Too few days for a distribution: 4 of 5.',
    })
  })
})

describe('the rolling edge', () => {
  const fillsOf = (edges: readonly number[], usd = 100) => ({
    t: Float64Array.from(edges, (_, i) => START + i * HOUR_MS),
    price: new Float64Array(edges.length).fill(2500),
    usd: new Float64Array(edges.length).fill(usd),
    edgeBps: Float64Array.from(edges),
    bid: new Uint8Array(edges.length),
    synthetic: new Uint8Array(edges.length),
    leftOut: 0,
  })

  test('is of the last fills alone, beside that of all so far', () => {
    const { chart } = rollingEdgeFigure({ fills: fillsOf([...Array(20).fill(60), ...Array(20).fill(-20)]) })
    if (chart?.kind !== 'time') throw new Error('no line')
    const [rolling, soFar] = chart.lines.map(({ values }) => values)
    expect([rolling?.[0], rolling?.at(-1)]).toEqual([60, -20])
    expect(soFar?.at(-1)).toBeCloseTo(20, 9)
    expect(chart.t[0]).toBe(START + 19 * HOUR_MS)
  })

  test('weighs fills by their dollars and passes over those without', () => {
    const fills = fillsOf(Array(21).fill(0))
    fills.edgeBps[0] = NaN
    fills.edgeBps[20] = 100
    fills.usd[20] = 1_900
    const { words } = rollingEdgeFigure({ fills })
    expect(words).toMatch(/\+50\.0 .*\+50\.0/)
  })

  test('of few fills is not drawn', () => {
    expect(rollingEdgeFigure({ fills: fillsOf([1, 2]) })).toMatchObject({
      chart: null,
      words: 'Too few fills for a rolling edge: 2 of 20.',
    })
  })
})

describe('fills against half-spread', () => {
  const law: Intensity = {
    a: { value: 40, low: 30, high: 53 },
    k: { value: 1 / 60, low: 0.012, high: 0.0213 },
    fills: 300,
    exposureDays: 20,
    method: 'likelihood',
    overdispersion: 1,
  }
  const spreads = { bps: list(40, 60, 80), days: list(1, 2, 1), fills: list(20, 30, 0) }

  test('are rates a day with their Poisson interval, beside A exp(-k d) and its band', () => {
    const { chart, table } = fillsBySpreadFigure({ spreads, law })
    if (chart?.kind !== 'plane') throw new Error('no curve')
    expect(chart.points?.all.map(({ x, y }) => [x, y])).toEqual([
      [40, 20],
      [60, 15],
      [80, 0],
    ])
    // No fill in a day: up to ln 20 of them are in the interval.
    expect(chart.points?.all[2]).toMatchObject({ interval: [0, expect.closeTo(Math.log(20), 9)] })
    const { band, lines, x } = chart
    x.forEach((bps, i) => {
      expect(lines[0]?.values[i]).toBeCloseTo(40 * Math.exp(-bps / 60), 9)
      expect(band!.low[i]! < lines[0]!.values[i]! && lines[0]!.values[i]! < band!.high[i]!).toBe(true)
    })
    expect(table?.rows[0]?.slice(0, 4)).toEqual(['40', '1.00', '20', '20.0'])
  })

  test('of one spread only: the words state that the fall is not observed', () => {
    const one = { bps: list(60), days: list(7), fills: list(70) }
    expect(fillsBySpreadFigure({ spreads: one, law }).words).toMatch(/One half-spread .*60 bps/)
  })

  test('of many spreads are taken together, so that no fill is lost and no range is empty', () => {
    const bps = Float64Array.from({ length: 400 }, (_, i) => 10 + i)
    const { chart } = fillsBySpreadFigure({
      law,
      spreads: { bps, days: bps.map(() => 0.1), fills: bps.map(() => 2) },
    })
    const points = chart?.kind === 'plane' ? (chart.points?.all ?? []) : []
    expect(points.length).toBeLessThanOrEqual(13)
    for (const { y } of points) expect(y).toBeCloseTo(20, 9)
  })

  test('without a calibration are words that tell what to do', () => {
    const { chart, words } = fillsBySpreadFigure({ spreads, law: null })
    expect([chart, words]).toEqual([null, expect.stringContaining('mizani calibrate')])
  })
})

test('the terms in dollars are drawn with their total', () => {
  const t = hours(0, 24)
  const attributionUsd = {
    t,
    edge: list(0, 10),
    inventory: list(0, -4),
    costs: list(0, -1),
    unreconciled: list(0, 0),
  }
  expect(dollarAttributionFigure({ attributionUsd }).words).toMatch(
    /edge 10\.00, inventory -4\.00, costs -1\.00, unreconciled 0\.00, total 5\.00/,
  )
})

describe('the split of the edge', () => {
  test('has a row for each part that was traded, in words and in the chart', () => {
    const splits = [
      { name: 'bid', bps: 84.6, fills: 400 },
      { name: 'ask', bps: -30.84, fills: 500 },
      { name: 'USDT', bps: NaN, fills: 0 },
    ]
    const { words, chart } = splitFigure({ splits })
    expect(words).toBe('bid +84.6; ask -30.8 bps.')
    expect(chart).toMatchObject({ kind: 'rows', points: [{ label: 'bid', note: '400' }, { label: 'ask' }] })
    expect(splitFigure({ splits: splits.slice(2) }).chart).toBeNull()
  })

  test('by hour names the best and the worst, and its last hour reaches to midnight', () => {
    const hours = new Float64Array(24)
    hours[7] = 12.5
    hours[23] = -3
    const { words, chart } = hoursFigure({ hours })
    expect(words).toMatch(/07:00 .*\+12\.50 .*23:00 .*-3\.00/)
    if (chart?.kind !== 'plane') throw new Error('no chart')
    expect([chart.x.at(-1), chart.lines[0]?.values.slice(-2)]).toEqual([24, list(-3, -3)])
    expect(hoursFigure({ hours: new Float64Array(24) }).chart).toBeNull()
  })
})
