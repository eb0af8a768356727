import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../../../src/base/time.ts'
import { RATE_ONE } from '../../../../src/base/money/rate.ts'
import type { TakerTags } from '../../../../src/base/money/side.ts'
import { seededRandom } from '../../../../src/base/random.ts'
import type { Calibration, TakerSegment } from '../../../../src/core/models/calibration.ts'
import { calibrateBatch } from '../../../../src/research/calibration/calibrate.ts'
import { segmentCells } from '../../../../src/research/report/pages/segment-rows.ts'
import { batchOfRows } from '../../../../src/store/tape/model/batch.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { estimateSome, estimateTakers } from '../../../../src/research/calibration/estimate-intensity.ts'
import { drawRows, fillRow, GOLDEN_MARKET, MONDAY } from './drawn-tape.ts'

const SETTINGS = { toleranceBps: 5, seed: 1 }

/** A market of thirty days whose fills name these takers. */
function marketOf(takerOf: (random: () => number) => TakerTags | undefined): Calibration {
  const random = seededRandom(3, 'tags')
  const rows = drawRows({ ...GOLDEN_MARKET, days: 30 }).map((row): TapeRow => {
    const taker = row.type === 'fill' ? takerOf(random) : undefined
    return row.type === 'fill' && taker !== undefined ? { ...row, taker } : row
  })
  return calibrateBatch(batchOfRows(rows), SETTINGS)
}

const by = ({ segments = [] }: Calibration, kind: TakerSegment['by']) =>
  segments.filter((segment) => segment.by === kind)

describe('segments of takers', () => {
  test('know no more of k than all takers do where the spread followed the hour', () => {
    const cellsOf = (side: 'bid' | 'ask') =>
      Array.from({ length: 20 * 24 }, (_, n) => {
        const isDay = n % 24 >= 6 && n % 24 < 18
        const bps = isDay ? 40 : 100
        const fills = isDay ? n % 2 : Number(n % 4 === 0)
        return { hour: MONDAY / HOUR_MS + n, side, bps, skewBps: 0, days: 1 / 24, fills }
      })
    const cells = { bid: cellsOf('bid'), ask: cellsOf('ask') }
    const choices = { followsFairValue: false, fillsEndExposure: false }
    const { both } = estimateTakers({ cells, ...choices })
    const { k } = estimateSome([...cells.bid, ...cells.ask], choices).intensity
    expect(both.intensity.method).toBe('posterior')
    expect(k).toEqual(both.intensity.k)
  })

  const source = (name: string | null): TakerTags => ({ wallet: null, source: name, partner: null })
  const mixed = marketOf((random) =>
    random() < 0.7 ? source('waas') : random() < 0.9 ? source('app') : undefined,
  )

  test('have rates that add up to the rate of all, each with the exact interval of its fills', () => {
    const segments = by(mixed, 'source')
    expect(segments.map(({ name }) => name)).toEqual(['waas', 'app', null])
    expect(segments.reduce((sum, { fills }) => sum + fills, 0)).toBe(mixed.fills)
    const perDay = segments.map(({ rate }) => rate?.perDay.value ?? NaN)
    const all = mixed.fills / mixed.both.exposureDays
    expect(perDay.reduce((sum, each) => sum + each, 0)).toBeCloseTo(all, 9)
    for (const { rate } of segments) expect(rate?.perDay.low).toBeLessThan(rate?.perDay.value ?? 0)
  })

  test('have k within its interval, the wider the fewer the fills', () => {
    const [waas, , unknown] = by(mixed, 'source')
    const width = (segment: TakerSegment | undefined) =>
      Math.log((segment?.k.high ?? 0) / (segment?.k.low ?? 1))
    expect(waas?.k.low).toBeLessThan(GOLDEN_MARKET.k)
    expect(waas?.k.high).toBeGreaterThan(GOLDEN_MARKET.k)
    expect(waas?.k.isMeasured).toBe(true)
    expect(width(unknown)).toBeGreaterThan(width(waas))
  })

  test('beyond the eight with the most dollars are one', () => {
    const wallets = by(
      marketOf((random) => ({ ...source('app'), wallet: `0x${Math.floor(20 * random())}` })),
      'wallet',
    )
    expect(wallets.map(({ names }) => names)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 12])
    expect(wallets.at(-1)?.name).toBeNull()
  })

  test('are absent if no fill names its taker', () => {
    expect(marketOf(() => undefined).segments).toBeUndefined()
  })

  test('by size are asked for, have 30 fills, and each its own k', () => {
    const random = seededRandom(4, 'patience')
    const own = { bid: 60, ask: 60 }
    // Fewer of the small takers accept a wide spread: their 1/k is 30 bps.
    const rows = drawRows({ ...GOLDEN_MARKET, days: 120 }).filter((row) => {
      if (row.type === 'quote') Object.assign(own, { bid: row.bidBps, ask: row.askBps })
      if (row.type !== 'fill') return true
      const isAsk = row.from === 'USDC'
      const usd = Number(isAsk ? row.amountIn : row.amountOut) / 1e18
      return usd >= 100 || random() < Math.exp(-own[isAsk ? 'ask' : 'bid'] / 60)
    })
    const [large, small, ...none] = by(
      calibrateBatch(batchOfRows(rows), { ...SETTINGS, bySize: true }),
      'size',
    )
    expect(none).toEqual([])
    expect([large?.name, small?.name]).toEqual(['100 to 1,000 USD', 'below 100 USD'])
    expect(1 / (large?.k.value ?? NaN)).toBeCloseTo(60, -1)
    expect(small?.k.low).toBeGreaterThan(GOLDEN_MARKET.k)
    expect(small?.k.high).toBeGreaterThan(1 / 30)
    const few = drawRows({ ...GOLDEN_MARKET, days: 2 })
    const sizes = by(calibrateBatch(batchOfRows(few), { ...SETTINGS, bySize: true }), 'size')
    expect(sizes.map(({ name }) => name)).toEqual(['100 to 1,000 USD'])
  })
})

describe('the markout of a segment', () => {
  const at = (hours: number) => MONDAY + hours * HOUR_MS
  const mid = (hours: number) => BigInt(2500 + 5 * hours) * RATE_ONE
  const fill = (hours: number, side: 'bid' | 'ask', source: string): TapeRow => ({
    ...fillRow({ t: at(hours + 0.5), side, bps: 60, mid: mid(hours) }),
    id: `${source} ${hours}`,
    taker: { wallet: null, source, partner: null },
  })
  const rows = Array.from({ length: 12 }, (_, hours): TapeRow[] => [
    { type: 'rate', t: at(hours), mid: mid(hours), rateUpdatedAt: null, quotable: true },
    fill(hours, 'bid', 'informed'),
    fill(hours, 'ask', 'retail'),
  ]).flat()
  const segments = by(calibrateBatch(batchOfRows(rows), { ...SETTINGS, protocolFeeBps: 0 }), 'source')

  test('is below zero for takers who bought dollars before each rise, and above for those who sold them', () => {
    const bps = Object.fromEntries(segments.map(({ name, markout }) => [name, markout?.value ?? NaN]))
    expect(bps['informed']).toBeCloseTo(60 - 20, -1)
    expect(bps['retail']).toBeCloseTo(60 + 20, -1)
  })

  test('of few fills is shown as an interval without a figure, and k as not measured', () => {
    const [segment] = segments
    if (segment === undefined) throw new Error('no segment')
    const cells = segmentCells(segment)
    expect(cells.slice(0, 3)).toEqual(['source', 'retail', '12'])
    expect(cells.at(-1)).toMatch(/^-?[\d.]+ to -?[\d.]+$/)
    expect(cells.at(-2)).toBe('not measured')
  })
})
