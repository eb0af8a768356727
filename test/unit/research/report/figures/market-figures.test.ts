import { describe, expect, test } from 'vitest'
import { drawdownFigure } from '../../../../../src/research/report/figures/drawdown.ts'
import { attributionFigure, equityFigure } from '../../../../../src/research/report/figures/pnl.ts'
import {
  competitionFigure,
  quotesFigure,
  uptimeFigure,
} from '../../../../../src/research/report/figures/quotes.ts'
import { inventoryFigure, markoutFigure } from '../../../../../src/research/report/figures/inventory.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 10, 2)
const list = (...values: readonly number[]) => Float64Array.from(values)
const t = list(START, START + HOUR, START + 3 * HOUR)
const plain = (words: string) => words.replaceAll('\u00a0', ' ')

describe('what the figures say in words', () => {
  test('equity: its window, its change, its extremes and its band', () => {
    const equity = {
      t,
      usd: list(100, 90, 110),
      low: list(100, 80, 95),
      high: list(100, 95, 120),
      holding: list(100, 101, 99),
      half: list(100, 100, 98),
    }
    expect(plain(equityFigure({ equity }).words)).toBe(
      '2 Nov 2026, 00:00 UTC to 2 Nov 2026, 03:00 UTC. From 100.00 to 110.00 USD, a change of 10.00 (10.00 %). ' +
        'Lowest 90.00, highest 110.00. The 90 % band ends at 95.00 to 120.00. ' +
        'Holding the opening ends at 99.00, half in each currency at 98.00.',
    )
  })

  test('equity that starts from nothing has no change in percent, and one without a band has none', () => {
    const none = list(NaN, NaN, NaN)
    const figure = equityFigure({
      equity: { t, usd: list(0, 5, 7), low: none, high: none, holding: none, half: none },
    })
    expect(figure.words).toContain('a change of 7.00.')
    expect(figure.words).not.toContain('band')
    expect(figure.chart).toMatchObject({ band: null })
  })

  test.each([
    ['below zero', list(0, -20, -5)],
    ['above zero', list(0, 20, 5)],
  ])('a drawdown given %s is drawn downwards', (_name, usd) => {
    const { words, chart } = drawdownFigure({ drawdown: { t, usd } })
    expect(plain(words)).toBe(
      'Deepest 20.00 USD below the peak at 2 Nov 2026, 01:00 UTC; 5.00 at the end. ' +
        'Longest under water 3h 0m from 2 Nov 2026, 00:00 UTC, not yet recovered at the end.',
    )
    expect(chart).toMatchObject({ lines: [{ values: list(-0, -20, -5) }], highest: 0 })
  })

  test('equity that never fell has no drawdown to draw', () => {
    const { words, chart } = drawdownFigure({ drawdown: { t, usd: list(0, 0, 0) } })
    expect([words, chart]).toEqual(['None: the equity was never below its highest point so far.', null])
  })

  test('attribution: what each term came to; the total is drawn as the sum of the others', () => {
    const terms = [
      { name: 'spread capture', tzs: list(0, 10, 30) },
      { name: 'inventory', tzs: list(0, -5, -10.6) },
      { name: 'total', tzs: list(0, 5, 19.4) },
    ]
    const { words, chart } = attributionFigure({ attribution: { t, terms } })
    expect(words).toBe('At the end, in TZS: spread capture 30, inventory -11, total 19.')
    expect(chart).toMatchObject({ lines: [{ colour: 'blue' }, { colour: 'red' }, { colour: 'ink' }] })
  })

  test('attribution of which every term stayed zero has nothing to draw', () => {
    const terms = [{ name: 'costs', tzs: list(0, 0, 0) }]
    expect(attributionFigure({ attribution: { t, terms } }).chart).toBeNull()
  })

  test('more terms than colours are notified apart by their dashes', () => {
    const terms = Array.from({ length: 20 }, (_, i) => ({ name: `term ${i}`, tzs: list(0, 1, i) }))
    const { chart } = attributionFigure({ attribution: { t, terms } })
    const looks = chart?.kind === 'time' ? chart.lines.map(({ colour, stroke }) => `${colour} ${stroke}`) : []
    expect(new Set(looks).size).toBe(20)
  })

  test('inventory: its mean over time, not over points', () => {
    const inventory = { t, usdShare: list(0.2, 0.8, 0.5), target: 0.4 }
    expect(inventoryFigure({ inventory }).words).toBe(
      'Over time 60.0 % on average, between 20.0 and 80.0 %, 50.0 % at the end; target 40.0 %.',
    )
  })

  test('fills: dollars by side and the synthetic share', () => {
    const same = list(2_500, 2_500, 2_500)
    const { words, chart } = quotesFigure({
      quotes: { t, mid: same, fair: same, bid: same, ask: same },
      fills: {
        t,
        price: same,
        usd: list(100, 200, 100),
        edgeBps: list(60, 60, 60),
        bid: Uint8Array.of(1, 0, 1),
        synthetic: Uint8Array.of(1, 0, 0),
        leftOut: 0,
      },
    })
    expect(words).toBe(
      'Mid from 2,500.00 to 2,500.00 TZS per USD, between 2,500.00 and 2,500.00. ' +
        '3 fills, 400 USD: 50.0 % of the dollars at the bid, 50.0 % at the ask, 25.0 % synthetic.',
    )
    expect(chart).toMatchObject({ markers: { flags: Uint8Array.of(3, 0, 1) } })
  })

  test('markouts: each horizon with its interval and its fills', () => {
    const markouts = [
      { horizon: '1 h', bps: 3.25, ci90: [1, 5.5] as const, fills: 1 },
      { horizon: '4 h', bps: -1, ci90: null, fills: 1_200 },
      { horizon: '1 d', bps: NaN, ci90: null, fills: 0 },
    ]
    expect(markoutFigure({ markouts }).words).toBe(
      'What a dollar traded had earned by then, in bps: 1 h 3.3 (1.0 to 5.5), 1 fill; 4 h -1.0, no interval, 1,200 fills.',
    )
  })

  test('competition: how long our half-spread was the tighter one, where both are known', () => {
    const [ownBid, otherBid] = [list(50, 60, 60), list(60, 50, NaN)]
    const competition = { t, ownBid, otherBid, ownAsk: ownBid, otherAsk: list(NaN, NaN, NaN) }
    expect(competitionFigure({ competition }, 'bid').words).toBe(
      'Own 56.7 bps on average. Best other 53.3 bps on average. Tighter than the best other 33 % of the time.',
    )
    expect(competitionFigure({ competition }, 'ask').words).toBe(
      'Own 56.7 bps on average. No other provider was seen.',
    )
  })

  test('uptime: the mean and the worst day of each side', () => {
    const days = list(START, START + 24 * HOUR)
    const uptime = { t: days, bid: list(1, 0.5), ask: list(NaN, 1) }
    expect(plain(uptimeFigure({ uptime }).words)).toBe(
      'Bid 75.0 % on average over 2 days, worst 50.0 % (3 Nov 2026). Ask 100.0 % on average over one day, worst 100.0 % (3 Nov 2026).',
    )
  })
})
