import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../src/base/time.ts'
import { watchMarks, type MarkWatch } from '../../../../src/research/calibration/watch-marks.ts'
import { calibrateBatch } from '../../../../src/research/calibration/calibrate.ts'
import { describeSources } from '../../../../src/research/calibration/warnings.ts'
import { walkBatch } from '../../../../src/research/calibration/walk-batch.ts'
import { RATE_ONE } from '../../../../src/base/money/rate.ts'
import { batchOfRows } from '../../../../src/store/tape/model/batch.ts'
import type { TapeFill, TapeRow } from '../../../../src/store/tape/model/row.ts'
import { fillRow, MONDAY } from './drawn-tape.ts'

const at = (hours: number) => MONDAY + hours * HOUR_MS
const rate = (hours: number, mid: number): TapeRow => ({
  type: 'rate',
  t: at(hours),
  mid: BigInt(mid) * RATE_ONE,
  rateUpdatedAt: null,
  quotable: true,
})
const reference = (hours: number, mid: number, source = 'board'): TapeRow => ({
  type: 'reference',
  t: at(hours),
  source,
  mid: BigInt(mid) * RATE_ONE,
})
const fill = (hours: number, side: 'bid' | 'ask', mid = 2500): TapeFill =>
  fillRow({ t: at(hours), side, bps: 60, mid: BigInt(mid) * RATE_ONE })

function watch(rows: readonly TapeRow[], protocolFeeBps = 0, fairValue: string | null = null): MarkWatch {
  const marks = watchMarks(protocolFeeBps, fairValue)
  let last = 0
  walkBatch(batchOfRows(rows), {
    at: (t) => void (last = t),
    rate: (t, mid) => marks.rate(t, mid),
    reference: (row) => marks.reference(row),
    competition: () => undefined,
    balances: () => undefined,
    quote: () => undefined,
    fill: (row) => marks.fill(row),
  })
  marks.end(last)
  return marks
}

const bpsOf = (marks: MarkWatch) =>
  Object.fromEntries(marks.markouts().map(({ horizon, ratio }) => [horizon, ratio.value]))

describe('markouts by prints', () => {
  it('of dollars bought are the spread when the rate stays, less what the rate falls', () => {
    // 100 USDC at 2500 for 248500 NTZS; next print 2490: 1e4 (100 * 2490 - 248500) / 250000 = 20.
    const marks = watch([rate(0, 2500), fill(1, 'ask'), rate(24, 2490), rate(48, 2500), rate(72, 2501)])
    const { 'next print': next, '+1 print': one, '+2 prints': two } = bpsOf(marks)
    expect(next).toBeCloseTo(20, 9)
    expect(one).toBeCloseTo(60, 9)
    expect(two).toBeCloseTo(64, 9)
    expect(bpsOf(marks)['+5 prints']).toBeUndefined()
  })

  it('of dollars sold gain when the rate falls', () => {
    // A taker brings 250000 NTZS for 100 / 1.006 USDC; at 2490 we are up by 250000 - 2490 * 99.40358.
    const marks = watch([rate(0, 2500), fill(1, 'bid'), rate(24, 2490)])
    const dollars = 99.403578
    expect(bpsOf(marks)['next print']).toBeCloseTo((1e4 * (250_000 - 2490 * dollars)) / (2500 * dollars), 6)
  })

  it('are net of the protocol fee, which is computed where the row does not carry it', () => {
    const rows = (protocolFee: bigint | null): readonly TapeRow[] => [
      rate(0, 2500),
      { ...fill(1, 'ask'), protocolFee },
      rate(24, 2490),
    ]
    const carried = bpsOf(watch(rows(250n * 10n ** 18n)))['next print']
    expect(carried).toBeCloseTo(20 - 10, 9)
    // 10 bps of the gross payout is 248500 / .999 - 248500 = 248.75 NTZS.
    expect(bpsOf(watch(rows(null), 10))['next print']).toBeCloseTo(20 - 9.94995, 4)
  })

  it('count prints, not fills, behind an interval, and repeated rates are no prints', () => {
    const marks = watch([
      rate(0, 2500),
      fill(1, 'ask'),
      rate(2, 2500),
      fill(3, 'ask'),
      fill(4, 'ask'),
      rate(24, 2490),
      rate(48, 2480),
    ])
    expect(marks.prints.map(({ mid }) => mid)).toEqual([2500, 2490, 2480])
    const [next] = marks.markouts()
    expect([next?.fills, next?.ratio.clusters, next?.ratio.interval]).toEqual([3, 1, null])
  })

  it('are not said of fills that no print followed, or that came before any rate', () => {
    expect(watch([rate(0, 2500), fill(1, 'ask')]).markouts()).toEqual([])
    expect(watch([fill(-1, 'ask'), rate(0, 2500), rate(1, 2510)]).markouts()).toEqual([])
  })
})

describe('the source of the references', () => {
  const rows = [rate(0, 2500), reference(0, 2500), reference(1, 2490, 'bank'), reference(2, 2480, 'api')]
  const warningsOf = (fairValue: string | null) =>
    describeSources(watch(rows, 0, fairValue).sources(), fairValue)

  it('is the first one on the tape, and several of them are a warning that names all', () => {
    expect(warningsOf(null)).toEqual([
      'Several sources have references on this tape: the markouts by time use board, the first of them, and not api, bank; backtest.fairValue names the one to use.',
    ])
    const { warnings } = calibrateBatch(batchOfRows(rows), { toleranceBps: 5, seed: 1 })
    expect(warnings).toContain(warningsOf(null)[0])
  })

  it('is the configured one without a warning, and one that is not on the tape is named', () => {
    expect(warningsOf('bank')).toEqual([])
    expect(warningsOf('bnak')).toEqual([expect.stringContaining('bnak')])
    expect(describeSources(watch([rate(0, 2500), reference(0, 2500)]).sources(), null)).toEqual([])
    expect(describeSources(watch([rate(0, 2500)]).sources(), 'bank')).toEqual([])
  })
})

describe('markouts by time', () => {
  it('value a fill at the reference of that moment, the row of that very moment included', () => {
    const rows = [rate(0, 2500), reference(0, 2500), fill(1, 'ask'), reference(1.5, 2490), reference(2, 2480)]
    const marks = bpsOf(watch([...rows, reference(3, 2510), reference(5.5, 2400)]))
    expect(marks['1 h']).toBeCloseTo((1e4 * (248_000 - 248_500)) / 250_000, 9)
    expect(marks['4 h']).toBeCloseTo((1e4 * (251_000 - 248_500)) / 250_000, 9)
  })

  it('are not said where the feed stood still, began later, or the tape ends before', () => {
    const still = watch([rate(0, 2500), reference(0, 2500), fill(1, 'ask'), rate(9, 2501)])
    const late = watch([rate(0, 2500), fill(1, 'ask'), reference(1.5, 2490), rate(9, 2501)])
    const short = watch([rate(0, 2500), reference(0, 2500), fill(1, 'ask'), reference(1.5, 2490)])
    for (const marks of [still, late, short]) {
      expect(marks.markouts().map(({ horizon }) => horizon)).not.toContain('1 h')
    }
  })

  it('use one source: the first on the tape, or the one that is asked for', () => {
    const rows = [rate(0, 2500), reference(0, 2500), reference(0, 9000, 'other'), fill(1, 'ask')]
    const after = [reference(1.5, 2490), reference(1.6, 9000, 'other'), rate(9, 2500)]
    expect(bpsOf(watch([...rows, ...after]))['1 h']).toBeCloseTo(20, 9)
    const other = bpsOf(watch([...rows, ...after], 0, 'other'))['1 h']
    expect(other).toBeCloseTo((1e4 * (900_000 - 248_500)) / (100 * 9000), 6)
  })

  it('of very many fills are all counted', () => {
    const fills = Array.from({ length: 5000 }, (_, i) => ({ ...fill(1 + i / 500, 'ask'), id: String(i) }))
    const references = Array.from({ length: 140 }, (_, i) => reference(i / 10, 2500))
    const marks = watch([rate(0, 2500), ...references, ...fills])
    expect(marks.markouts().find(({ horizon }) => horizon === '1 h')?.fills).toBe(5000)
  })
})
