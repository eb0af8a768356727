import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type uPlot from 'uplot'
import type { HistoryAnswer } from '../../../../../src/daemon/console/answers.ts'
import { chartLines, type ChartSpec } from '../../../../../src/daemon/console/page/charts/chart-lines.ts'
import { type LivePoint, withLivePoints } from '../../../../../src/daemon/console/page/charts/live-points.ts'
import { historyStart, RANGES, timeRange } from '../../../../../src/daemon/console/page/charts/history.ts'
import { exampleView } from '../../telemetry/example-view.ts'
import { drawMarks } from '../../../../../src/daemon/console/page/charts/draw-marks.ts'
import { plotOptions, type PlotEvents } from '../../../../../src/daemon/console/page/charts/plot-options.ts'

const MINUTE = 60_000
const VIEW = exampleView()

function history(change: Partial<HistoryAnswer> = {}): HistoryAnswer {
  const none = [null, null, null]
  return {
    from: 0,
    to: 3 * MINUTE,
    stepMs: MINUTE,
    t: [0, MINUTE, 2 * MINUTE],
    mid: [2_500, 2_600, null],
    fairValue: none,
    bidBps: [40, null, 40],
    askBps: [60, 60, null],
    bestBidBps: none,
    bestAskBps: none,
    ntzs: none,
    usd: none,
    usdShare: [0.5, null, 0.25],
    pnl: {
      spreadCapture: [10, 20, 30],
      staleMid: [-1, null, -3],
      inventory: [2, 4, 6],
      costs: [0, 0, -0.5],
      unreconciled: [0, 0, 0],
      totalUsd: none,
    },
    fills: { bid: [1, 0, 2], ask: [0, 4, 0] },
    marks: [],
    ...change,
  }
}

function chart(
  title: string,
  change: Partial<HistoryAnswer> = {},
  currency: 'USD' | 'TZS' = 'TZS',
): ChartSpec {
  const found = chartLines(history(change), currency).find((spec) => spec.title === title)
  if (found === undefined) throw new Error(`there is no chart ${title}`)
  return found
}

function values(spec: ChartSpec, label: string) {
  return spec.lines.find((line) => line.label === label)?.values
}

describe('the charts of a position', () => {
  test('a bid sells dollars above the mid, an ask buys them below it, and what is not known has no price', () => {
    const prices = chart('Prices and fills')
    expect(values(prices, 'Bid, sells dollars')).toEqual([2_510, null, null])
    expect(values(prices, 'Ask, buys dollars')).toEqual([2_485, expect.closeTo(2_584.4), null])
    expect(values(prices, 'Mid')).toEqual([2_500, 2_600, null])
  })

  test('fills stand on the quote of their side, and on the mid where that side had none', () => {
    const { marks } = chart('Prices and fills', { askBps: [null, null, null] })
    expect(marks.map(({ label, values: at }) => [label, at])).toEqual([
      ['Bid fills', [2_510, 2_600, null]],
      ['Ask fills', [2_500, 2_600, null]],
    ])
    expect(marks.map(({ counts }) => counts)).toEqual([
      [1, 0, 2],
      [0, 4, 0],
    ])
  })

  test('the share of dollars is in per cent', () => {
    expect(values(chart('Inventory'), 'Dollars')).toEqual([50, null, 25])
  })

  test('the total of the PnL is the sum of its parts, and not known where a part is not', () => {
    expect(values(chart('PnL since the start'), 'Total')).toEqual([11, null, 32.5])
  })
})

describe('in a browser', () => {
  beforeEach(() => {
    // Colours have their names here; a screen of twice the pixels shows what forgets to count them.
    vi.stubGlobal('document', { documentElement: {} })
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => ` ${name.slice(2)} ` }))
    vi.stubGlobal('devicePixelRatio', 2)
  })
  afterEach(() => vi.unstubAllGlobals())

  const SIZE = { width: 600, height: 200 }

  function options(title: string, hidden: readonly string[] = [], events: Partial<PlotEvents> = {}) {
    const silent: PlotEvents = { onZoom: () => {}, onCursor: () => {}, draw: () => {} }
    return plotOptions(chart(title), new Set(hidden), SIZE, { ...silent, ...events })
  }

  describe('a plot', () => {
    test('hides the lines that are hidden, and colours the others by the style sheet as it is now', () => {
      const [, ...series] = options('PnL since the start', ['Costs']).series
      expect(series.filter(({ show }) => show === false).map(({ label }) => label)).toEqual(['Costs'])
      const colours = series.map(({ stroke }) => (stroke as () => string)())
      expect(colours).toEqual(['accent', 'plum', 'ochre', 'slate', 'bad', 'ink'])
    })

    test('tints the ground between bid and ask, and only there', () => {
      const bands = (options('Prices and fills').bands ?? []) as unknown as {
        series: number[]
        fill: () => string
      }[]
      expect(bands.map(({ series, fill }) => [series, fill()])).toEqual([[[1, 2], 'accent14']])
      expect(options('Inventory').bands).toEqual([])
    })

    test.each([
      ['PnL since the start', 5, 10, [-0.8, 10.8]],
      ['PnL since the start', -4, -2, [-4.32, 0.32]],
      ['Inventory', 50, 60, [49.2, 60.8]],
      ['Inventory', 50, 50, [49.95, 50.05]],
      ['Inventory', 0, 0, [-1, 1]],
      ['Inventory', null, null, [0, 1]],
    ] as const)(
      'of %s from %s to %s has air above and below, and shows its level',
      (title, low, high, shown) => {
        const range = options(title).scales?.['y']?.range as unknown as (
          u: null,
          low: number | null,
          high: number | null,
        ) => [number, number]
        const [from, to] = range(null, low, high)
        expect([from, to]).toEqual([expect.closeTo(shown[0]), expect.closeTo(shown[1])])
      },
    )

    test('has its labels in UTC and no more digits than tell the ticks apart', () => {
      const { axes = [], tzDate } = options('Inventory')
      type Labels = (u: null, ticks: readonly number[], axis: number, space: number, step: number) => string[]
      const [x, y] = axes.map(({ values: labels }) => labels as unknown as Labels)
      const noon = Date.UTC(2_026, 10, 21, 12)
      expect(x?.(null, [noon, noon + MINUTE], 0, 0, MINUTE)).toEqual(['12:00\n21 Nov', '12:01'])
      expect(y?.(null, [0, 2.5, 5], 1, 0, 2.5)).toEqual(['0', '2.5', '5.0'])
      expect(tzDate?.(noon).getHours()).toBe(12)
    })

    test('zooms to what was dragged over, once, and not for a click', () => {
      const zooms: number[][] = []
      const cleared: unknown[] = []
      const { hooks } = options('Inventory', [], { onZoom: (...range) => zooms.push(range) })
      const select = (left: number, width: number) => {
        const u = {
          select: { left, width },
          posToVal: (place: number) => place * MINUTE,
          setSelect: (to: unknown) => cleared.push(to),
        }
        hooks?.setSelect?.[0]?.(u as unknown as uPlot)
      }
      select(10, 7)
      expect([zooms, cleared]).toEqual([[], []])
      select(10, 40)
      expect(zooms).toEqual([[10 * MINUTE, 50 * MINUTE]])
      expect(cleared).toEqual([{ left: 0, width: 0, top: 0, height: 0 }])
    })

    test('names the place under the cursor, and when there is no place', () => {
      const places: (number | null)[] = []
      const { hooks } = options('Inventory', [], { onCursor: (index) => places.push(index) })
      for (const idx of [3, null]) hooks?.setCursor?.[0]?.({ cursor: { idx } } as unknown as uPlot)
      expect(places).toEqual([3, null])
    })
  })

  describe('what is no line', () => {
    /** Ten pixels a minute; a price is its own place. */
    function drawn(
      change: Partial<HistoryAnswer>,
      hidden: readonly string[] = [],
      title = 'Prices and fills',
    ) {
      const calls: string[] = []
      const note =
        (name: string) =>
        (...parts: readonly unknown[]) =>
          void calls.push([name, ...parts].join(' '))
      const ctx = {
        ...Object.fromEntries(
          ['save', 'beginPath', 'rect', 'clip', 'moveTo', 'lineTo', 'stroke', 'setLineDash', 'fillText'].map(
            (name) => [name, note(name)],
          ),
        ),
        closePath: note('closePath'),
        fill: () => calls.push(`fill ${ctx.fillStyle}`),
        restore: note('restore'),
        measureText: (text: string) => ({ width: text.length * 10 }),
        fillStyle: '',
        strokeStyle: '',
      }
      const u = {
        ctx,
        bbox: { left: 0, top: 0, width: 100, height: 50 },
        valToPos: (value: number, scale: string) => (scale === 'x' ? (value / MINUTE) * 10 : value),
      }
      drawMarks(u as unknown as uPlot, chart(title, change), history(change), new Set(hidden))
      return calls
    }

    test('a triangle stands for the fills of a step, larger for more, its tip on the side it came from', () => {
      const up = drawn({ fills: { bid: [0, 0, 0], ask: [0, 4, 0] } })
      const [x, y] = [10, 2_600 * (1 - 0.006)]
      const size = (3.5 + 2) * 2
      expect(up.filter((call) => /^(moveTo|lineTo)/.test(call))).toEqual([
        `moveTo ${x} ${y - size}`,
        `lineTo ${x + size} ${y + size}`,
        `lineTo ${x - size} ${y + size}`,
      ])
      expect(up).toContain('fill accent')
      const down = drawn({ fills: { bid: [1, 0, 0], ask: [0, 0, 0] } })
      expect(down).toContain(`moveTo 0 ${2_510 + 3.5 * 2}`)
    })

    test('no triangle stands where nothing was filled, where no price is known, or where it is hidden', () => {
      const triangles = (calls: readonly string[]) => calls.filter((call) => call.startsWith('fill ')).length
      expect(triangles(drawn({}))).toBe(2)
      expect(triangles(drawn({}, ['Ask fills']))).toBe(1)
      expect(triangles(drawn({ fills: { bid: [0, 0, 9], ask: [0, 0, 0] } }))).toBe(0)
    })

    test('a halt is a whole line, others are dashed, and a word without room is left out', () => {
      const marks = [
        { t: 0, kind: 'halt', text: 'x' },
        { t: MINUTE, kind: 'resume', text: 'x' },
        { t: 9 * MINUTE, kind: 'reload', text: 'x' },
      ] as const
      const calls = drawn({ marks, fills: { bid: [], ask: [] } })
      expect(calls.filter((call) => call.startsWith('fillText'))).toEqual(['fillText halt 6.5 4'])
      expect(calls.filter((call) => call.startsWith('setLineDash'))).toEqual([
        'setLineDash ',
        'setLineDash ',
        'setLineDash 6,6',
        'setLineDash ',
        'setLineDash 6,6',
        'setLineDash ',
      ])
      expect(calls.filter((call) => call.startsWith('moveTo'))).toEqual([
        'moveTo 0.5 0',
        'moveTo 10.5 0',
        'moveTo 90.5 0',
      ])
    })

    test('a word that the end of the chart would cut stands left of its line', () => {
      const marks = [{ t: 9 * MINUTE, kind: 'reload', text: 'x' }] as const
      expect(drawn({ marks }).filter((call) => call.startsWith('fillText'))).toEqual([
        'fillText reload 24.5 4',
      ])
    })

    test('the PnL shows where nothing was earned', () => {
      expect(drawn({}, [], 'PnL since the start')).toContain('lineTo 100 0.5')
      expect(drawn({}, [], 'Inventory').filter((call) => call.startsWith('lineTo'))).toEqual([])
    })

    test('nothing is drawn outside of the chart, and the brush is given back as it was', () => {
      const calls = drawn({})
      expect(calls.slice(0, 4)).toEqual(['save', 'beginPath', 'rect 0 0 100 50', 'clip'])
      expect(calls.at(-1)).toBe('restore')
    })
  })
})

test('a range begins at the first datum if that is later, and shows at least a minute', () => {
  const [hour] = RANGES
  const now = 1_000 * MINUTE
  expect(historyStart(hour, now, now - 20 * MINUTE)).toBe(now - 20 * MINUTE)
  expect(historyStart(hour, now, 0)).toBe(now - 60 * MINUTE)
  expect(historyStart(hour, now, now - 1_000)).toBe(now - MINUTE)
  expect(historyStart({ kind: 'fixed', from: 5, to: 9 }, now, now)).toBe(5)
})

describe('live points', () => {
  const point = (t: number, mid: string): LivePoint => ({
    t,
    mid,
    fairValue: null,
    quote: { ...VIEW.quote, bidBps: 30, askBps: 70, quoteBid: true, quoteAsk: false },
    competition: { bid: null, ask: null },
    inventory: { ...VIEW.inventory, usdShare: 0.6 },
    pnl: null,
  })

  test('continue the history from where they begin, and take over the fills of the steps they replace', () => {
    const { t, mid, bidBps, askBps, usdShare, pnl, fills } = withLivePoints(history(), [
      point(2 * MINUTE - 9, '2510'),
      point(2 * MINUTE + 1, '2520.5'),
    ])
    expect(t).toEqual([0, MINUTE, 2 * MINUTE - 9, 2 * MINUTE + 1])
    expect(mid).toEqual([2_500, 2_600, 2_510, 2_520.5])
    expect(bidBps).toEqual([40, null, 30, 30])
    expect(askBps).toEqual([60, 60, null, null])
    expect(usdShare).toEqual([0.5, null, 0.6, 0.6])
    expect(pnl.totalUsd).toEqual([null, null, null, null])
    expect(fills).toEqual({ bid: [1, 0, 0, 2], ask: [0, 4, 0, 0] })
  })

  test('replace the sample that the history repeats at its end', () => {
    const repeated = history({ to: 2 * MINUTE, mid: [2_500, 2_600, 2_600] })
    expect(withLivePoints(repeated, []).mid).toEqual([2_500, 2_600, 2_600])
    expect(withLivePoints(repeated, [point(MINUTE + 9, '2510')]).mid).toEqual([2_500, 2_600, 2_510])
    expect(withLivePoints(repeated, [point(2 * MINUTE + 9, '2510')]).mid).toEqual([
      2_500, 2_600, 2_600, 2_510,
    ])
  })

  test('leave alone what was sampled, and what was before all of them', () => {
    expect(withLivePoints(history(), [])).toEqual(history())
    expect(withLivePoints(history(), [point(MINUTE, '2')])).toEqual(history())
    expect(withLivePoints(history(), [point(5 * MINUTE, '2510')]).mid).toEqual([2_500, 2_600, null, 2_510])
  })

  test('or samples begin the charts: what is before the first datum is left out', () => {
    const young = history({ mid: [null, null, null], fills: { bid: [0, 0, 0], ask: [0, 0, 1] } })
    const { t, mid, fills } = withLivePoints(young, [point(2 * MINUTE + 5, '2510')])
    expect([t, mid, fills.ask]).toEqual([
      [2 * MINUTE, 2 * MINUTE + 5],
      [null, 2_510],
      [1, 0],
    ])
    expect(withLivePoints(young, []).t).toEqual([2 * MINUTE])
  })
})

test('no range begins before the epoch, which the API refuses, however early the clock is', () => {
  for (const range of RANGES) expect(historyStart(range, 1_000, null)).toBe(0)
  expect(timeRange([0, 60_000], 2, 0)).toEqual({ kind: 'fixed', from: 0, to: 90_000 })
  expect(timeRange([0, 60_000], 1, -2)).toEqual({ kind: 'fixed', from: 0, to: 10_000 })
})
