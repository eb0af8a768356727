import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offZones } from '../../../../../src/daemon/console/page/book/off-zones.ts'
import { timeRange } from '../../../../../src/daemon/console/page/charts/history.ts'
import { standing } from '../../../../../src/daemon/console/page/frame/standing.tsx'
import { ladderOf, orderBps } from '../../../../../src/daemon/console/page/quote/ladder.ts'
import { exampleOrders } from '../../../../e2e/console/example-console.ts'
import { quoteStatusOf } from '../../../../../src/daemon/console/page/quote/quote-panel.tsx'
import { rulerScale, sidesOf } from '../../../../../src/daemon/console/page/quote/ruler.tsx'
import { tickTexts } from '../../../../../src/base/charts/axes.ts'
import { exampleView } from '../../telemetry/example-view.ts'

describe('the ruler', () => {
  test('keeps the order of any bps, mirrors the sides, and leaves nothing off its ends', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 2_000 }),
        fc.double({ min: -2_000, max: 2_000, noNaN: true }),
        fc.double({ min: -2_000, max: 2_000, noNaN: true }),
        (width, a, b) => {
          const { placeOf, left, right, mid } = rulerScale(width, 500)
          expect(placeOf(a)).toBeGreaterThanOrEqual(left - 1e-9)
          expect(placeOf(a)).toBeLessThanOrEqual(right + 1e-9)
          expect(placeOf(a) + placeOf(-a)).toBeCloseTo(2 * mid, 6)
          if (a < b) expect(placeOf(a)).toBeLessThanOrEqual(placeOf(b))
        },
      ),
    )
  })

  test('a side that is off keeps its bps for the drawing, and what is wanted instead is reported', () => {
    const { quote } = exampleView()
    const target = { bidBps: 50, askBps: null }
    expect(sidesOf({ ...quote, bidBps: 40, askBps: 75, quoteBid: true, quoteAsk: false, target })).toEqual([
      { side: 'bid', bps: 40, isOff: false, wanted: 50 },
      { side: 'ask', bps: 75, isOff: true, wanted: null },
    ])
    expect(sidesOf({ ...quote, askBps: 75, quoteAsk: true, target })[1]).toMatchObject({ wanted: 'off' })
  })
})

describe('where a side is off along the scales', () => {
  const view = exampleView({
    mid: '2500',
    balances: { NTZS: '2500000', USDC: '600', USDT: '400' },
    inventory: { usdShare: 0.5, target: 0.5, imbalance: 0 },
    bounds: { ...exampleView().bounds, inventory: {} },
  })

  test("the strategy's offBeyond counts from the target, each side by the room it has", () => {
    const skewed = { ...view, strategy: { use: 's', params: { offBeyond: 0.8 }, suspended: null } }
    expect(offZones({ ...skewed, inventory: { ...view.inventory, target: 0.25 } })).toMatchObject([
      { side: 'ask', from: expect.closeTo(0.85), to: 1 },
      { side: 'bid', from: 0, to: expect.closeTo(0.05) },
    ])
    expect(offZones(view)).toEqual([])
  })

  test('limits in tokens stand at the share that they mean at this mid', () => {
    const inventory = { NTZS: { min: '500000', max: '4000000' }, USDC: { min: '100', max: null } }
    expect(offZones({ ...view, bounds: { ...view.bounds, inventory } })).toMatchObject([
      { side: 'ask', from: expect.closeTo(0.9), to: 1 },
      { side: 'bid', from: 0, to: expect.closeTo(0.2) },
      { side: 'bid', from: 0, to: expect.closeTo(0.25) },
    ])
    expect(offZones({ ...view, mid: null, bounds: { ...view.bounds, inventory } })).toEqual([])
  })
})

describe('the first word', () => {
  const live = { name: 'a', view: null, receivedAt: null, silent: null, notices: [], gaps: 0 }
  const wordOf = (changes: Parameters<typeof exampleView>[0]) =>
    standing({ ...live, view: exampleView(changes) })

  test('is the gravest that applies', () => {
    expect(standing(live)).toMatchObject({ word: 'WAITING', tone: 'unknown' })
    expect(standing({ ...live, view: exampleView(), silent: 'busy' })).toMatchObject({
      word: 'SILENT',
      tone: 'bad',
    })
    expect(wordOf({ tradingState: 'HALTED', paused: true, reasons: ['halted: why'] })).toEqual({
      word: 'HALTED',
      tone: 'bad',
      reason: 'Halted: why',
    })
    const banner = 'HALTED - STILL QUOTED 67/53'
    const quoted = { ...exampleView().live, banner, text: '67/53 bps is still live' }
    expect(wordOf({ tradingState: 'HALTED', live: quoted, reasons: ['halted: why'] })).toEqual({
      word: banner,
      tone: 'bad',
      reason: '67/53 bps is still live. Halted: why',
    })
    expect(wordOf({ tradingState: 'REDUCING', paused: true })).toMatchObject({ word: 'PAUSED', tone: 'warn' })
    expect(wordOf({ tradingState: 'REDUCING', reasons: ['x'] })).toMatchObject({
      word: 'REDUCING',
      tone: 'warn',
    })
    const text = 'the position is inactive until `mizani activate`'
    expect(wordOf({ live: { ...quoted, banner: null, isActive: false, text } })).toEqual({
      word: 'INACTIVE',
      tone: 'warn',
      reason: `Not in the market: ${text}.`,
    })
    expect(wordOf({})).toEqual({ word: 'ACTIVE', tone: 'good', reason: 'Quoting the bid only.' })
  })

  test('says of a quote with both sides off that they are off', () => {
    const { quote } = exampleView()
    expect(wordOf({ quote: { ...quote, quoteBid: false, quoteAsk: false } }).reason).toBe(
      'Both sides are off.',
    )
    expect(wordOf({ quote: { ...quote, quoteBid: null, quoteAsk: null } }).reason).toContain('No quote')
  })

  test('of a dry run says that nothing is sent', () => {
    const { quote } = exampleView()
    const dry = { mode: 'dry-run', quote: { ...quote, status: 'not-sent' } } as const
    expect(wordOf(dry)).toMatchObject({
      word: 'DRY RUN',
      reason: 'A dry run would quote the bid only; nothing is sent.',
    })
    expect(wordOf({ ...dry, isActive: false }).word).toBe('DRY RUN')
    expect(wordOf({ ...dry, paused: true }).reason).not.toContain('stands')
    expect(quoteStatusOf(exampleView(dry))).toMatchObject({ word: 'dry run: not sent' })
    expect(quoteStatusOf(exampleView({ mode: 'live' })).word).toMatch(/^[✓?≠] /)
  })

  test('claims no quote that no one knows to stand', () => {
    const { quote } = exampleView()
    for (const status of ['unknown', 'mismatch'] as const) {
      const active = wordOf({ quote: { ...quote, status } })
      expect(active).toMatchObject({ word: 'ACTIVE', tone: 'warn' })
      expect(active.reason).not.toContain('Quoting')
      const paused = wordOf({ tradingState: 'REDUCING', paused: true, quote: { ...quote, status } })
      expect(paused.reason).not.toContain('safe quote is live')
    }
    expect(wordOf({ paused: true, isActive: false }).reason).not.toContain('safe quote is live')
    expect(wordOf({ paused: true, isActive: true }).reason).toContain('safe quote is live')
  })
})

test('zooming keeps the middle, moving keeps the length, and nothing becomes shorter than ten seconds', () => {
  expect(timeRange([0, 100_000], 0.5, 0)).toEqual({ kind: 'fixed', from: 25_000, to: 75_000 })
  expect(timeRange([0, 100_000], 1, 0.5)).toEqual({ kind: 'fixed', from: 50_000, to: 150_000 })
  expect(timeRange([50_000, 50_001], 1, 0)).toMatchObject({ from: 45_001, to: 55_001 })
})

test.each([
  [2_600.5, 0.5, '2,600.5'],
  [150_000, 50_000, '150k'],
  [1_250_000, 250_000, '1.25M'],
  [-12_000, 4_000, '−12k'],
  [0, 0.1, '0'],
])('a tick at %s with steps of %s reads %s', (value, step, text) => {
  expect(tickTexts([value], step)).toEqual([text])
})
describe('the labels of an axis', () => {
  test.each([
    [[0, 2_000_000, 4_000_000], 2_000_000, ['0', '2M', '4M']],
    [[100_000, 100_500, 101_000], 500, ['100.0k', '100.5k', '101.0k']],
    [[1_000_000, 1_000_001], 1, ['1,000,000', '1,000,001']],
    [[2_560, 2_562.5], 2.5, ['2,560.0', '2,562.5']],
    [[-0.05, 0, 0.05], 0.05, ['−0.05', '0', '0.05']],
  ])('of %j are as short as tells them apart', (ticks, step, labels) => {
    expect(tickTexts(ticks, step)).toEqual(labels)
  })

  test('of different ticks differ', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000, max: 1_000 }),
        fc.constantFrom(1e-4, 1e-3, 0.025, 0.5, 1, 2.5, 20, 500, 25_000, 1e6),
        (from, step) => {
          const ticks = [0, 1, 2, 3].map((i) => (from + i) * step)
          expect(new Set(tickTexts(ticks, step)).size).toBe(4)
        },
      ),
    )
  })
})

describe('the ladder of open orders', () => {
  const orderOf = (side: 'bid' | 'ask', priceTzs: string, remainingUsd = '100', expiresAt = 0) => ({
    ...exampleOrders().orders[0]!,
    side,
    priceTzs,
    remainingUsd,
    expiresAt,
  })

  test('has the best price for a taker first on both sides, and of equal prices what expires first', () => {
    const orders = [
      orderOf('ask', '2590'),
      orderOf('bid', '2612.5'),
      orderOf('ask', '2596.25', '50.5'),
      orderOf('bid', '2606', '10', 9),
      orderOf('bid', '2606', '20', 3),
    ]
    const [bids, asks] = ladderOf({ orders })
    expect(bids?.orders.map(({ priceTzs, expiresAt }) => [priceTzs, expiresAt])).toEqual([
      ['2606', 3],
      ['2606', 9],
      ['2612.5', 0],
    ])
    expect(asks?.orders.map(({ priceTzs }) => priceTzs)).toEqual(['2596.25', '2590'])
    expect(asks?.remainingUsd).toBe(150.5)
  })

  test('places a bid above the mid and an ask below it at positive bps, and nothing without a mid', () => {
    expect(orderBps({ side: 'bid', priceTzs: '2626' }, '2600')).toBeCloseTo(100)
    expect(orderBps({ side: 'ask', priceTzs: '2574' }, '2600')).toBeCloseTo(100)
    expect(orderBps({ side: 'ask', priceTzs: '2574' }, null)).toBe(null)
  })
})
