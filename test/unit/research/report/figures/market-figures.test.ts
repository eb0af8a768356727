import { join } from 'node:path'
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
const none = list(NaN, NaN, NaN)
const same = list(2_500, 2_500, 2_500)

const equity = equityFigure({
  equity: {
    t,
    usd: list(100, 90, 110),
    low: list(100, 80, 95),
    high: list(100, 95, 120),
    holding: list(100, 101, 99),
    half: list(100, 100, 98),
  },
})
const equityFromNothing = equityFigure({
  equity: { t, usd: list(0, 5, 7), low: none, high: none, holding: none, half: none },
})
const fallBelowZero = drawdownFigure({ drawdown: { t, usd: list(0, -20, -5) } })
const fallAboveZero = drawdownFigure({ drawdown: { t, usd: list(0, 20, 5) } })
const neverFell = drawdownFigure({ drawdown: { t, usd: list(0, 0, 0) } })
const attribution = attributionFigure({
  attribution: {
    t,
    terms: [
      { name: 'spread capture', tzs: list(0, 10, 30) },
      { name: 'inventory', tzs: list(0, -5, -10.6) },
      { name: 'total', tzs: list(0, 5, 19.4) },
    ],
  },
})
/** Its mean is over time, not over points. */
const inventory = inventoryFigure({ inventory: { t, usdShare: list(0.2, 0.8, 0.5), target: 0.4 } })
const quotes = quotesFigure({
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
const markouts = markoutFigure({
  markouts: [
    { horizon: '1 h', bps: 3.25, ci90: [1, 5.5], fills: 1 },
    { horizon: '4 h', bps: -1, ci90: null, fills: 1_200 },
    { horizon: '1 d', bps: NaN, ci90: null, fills: 0 },
  ],
})
const ownBid = list(50, 60, 60)
const competition = { t, ownBid, otherBid: list(60, 50, NaN), ownAsk: ownBid, otherAsk: none }
const uptime = uptimeFigure({
  uptime: { t: list(START, START + 24 * HOUR), bid: list(1, 0.5), ask: list(NaN, 1) },
})

describe('the figures of the market', () => {
  test('state their extremes, means, intervals and times in words', async () => {
    const figures = {
      equity,
      'equity from nothing': equityFromNothing,
      'a fall given below zero': fallBelowZero,
      'equity that never fell': neverFell,
      attribution,
      inventory,
      quotes,
      markouts,
      'competition at the bid': competitionFigure({ competition }, 'bid'),
      'competition at the ask': competitionFigure({ competition }, 'ask'),
      uptime,
    }
    const text = Object.entries(figures).map(([name, { words }]) => `## ${name}\n${words}\n`)
    await expect(text.join('\n').replaceAll('\u00a0', ' ')).toMatchFileSnapshot(
      join(import.meta.dirname, 'market-figures.txt'),
    )
  })

  test('draw no band without data, and draw falls downwards in any order of input', () => {
    expect(equityFromNothing.chart).toMatchObject({ band: null })
    expect(fallAboveZero.words).toBe(fallBelowZero.words)
    for (const { chart } of [fallBelowZero, fallAboveZero])
      expect(chart).toMatchObject({ lines: [{ values: list(-0, -20, -5) }], highest: 0 })
    expect(neverFell.chart).toBeNull()
  })

  test('draw the total of an attribution as the sum of the others, and nothing where every term stayed zero', () => {
    expect(attribution.chart).toMatchObject({
      lines: [{ colour: 'blue' }, { colour: 'red' }, { colour: 'ink' }],
    })
    const terms = [{ name: 'costs', tzs: list(0, 0, 0) }]
    expect(attributionFigure({ attribution: { t, terms } }).chart).toBeNull()
  })

  test('tell more terms than colours apart by their dashes', () => {
    const terms = Array.from({ length: 20 }, (_, i) => ({ name: `term ${i}`, tzs: list(0, 1, i) }))
    const { chart } = attributionFigure({ attribution: { t, terms } })
    const looks = chart?.kind === 'time' ? chart.lines.map(({ colour, stroke }) => `${colour} ${stroke}`) : []
    expect(new Set(looks).size).toBe(20)
  })

  test('mark the side of each fill, and whether it is synthetic', () => {
    expect(quotes.chart).toMatchObject({ markers: { flags: Uint8Array.of(3, 0, 1) } })
  })
})
