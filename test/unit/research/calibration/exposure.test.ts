import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../src/base/time.ts'
import { sampleOfCells } from '../../../../src/research/calibration/exposure-ledger.ts'
import { walkBatch } from '../../../../src/research/calibration/walk-batch.ts'
import { type ExposureWatch, watchExposure } from '../../../../src/research/calibration/watch-exposure.ts'
import { RATE_ONE } from '../../../../src/base/money/rate.ts'
import type { Side } from '../../../../src/base/money/side.ts'
import { batchOfRows } from '../../../../src/store/tape/model/batch.ts'
import type {
  BalancesRow,
  CompetitionRow,
  QuoteRow,
  RateRow,
  TapeRow,
} from '../../../../src/store/tape/model/row.ts'
import type { ProbeMeaning } from '../../../../src/store/tape/summary/probes.ts'
import { fillRow, MONDAY } from './drawn-tape.ts'

const at = (hours: number) => MONDAY + hours * HOUR_MS
const MID = 2500n * RATE_ONE

const rate = (hours: number, quotable: boolean | null = true): RateRow => ({
  type: 'rate',
  t: at(hours),
  mid: MID,
  rateUpdatedAt: null,
  quotable,
})
const quote = (hours: number, bidBps: number | null, askBps: number | null, pairs?: string[]): QuoteRow => ({
  type: 'quote',
  t: at(hours),
  bidBps: bidBps ?? 500,
  askBps: askBps ?? 500,
  quoteBid: bidBps !== null,
  quoteAsk: askBps !== null,
  quotePairs: pairs ?? null,
})
/** A probe of 100 dollars on the ask. */
const asked = (hours: number, askBps: number | null, bidBps: number | null = null): CompetitionRow => ({
  type: 'competition',
  t: at(hours),
  from: 'USDC',
  to: 'NTZS',
  amount: 100n * 10n ** 18n,
  bidBps,
  askBps,
})
const bidden = (hours: number, bidBps: number | null): CompetitionRow => ({
  type: 'competition',
  t: at(hours),
  from: 'NTZS',
  to: 'USDC',
  amount: 250_000n * 10n ** 18n,
  bidBps,
  askBps: null,
})
const balances = (
  hours: number,
  amounts: BalancesRow['amounts'],
  source: BalancesRow['source'] = 'pool',
): BalancesRow => ({ type: 'balances', t: at(hours), amounts, source })
const fill = (hours: number, side: Side) => fillRow({ t: at(hours), side, bps: 60, mid: MID })

function watch(
  rows: readonly TapeRow[],
  toleranceBps = 5,
  meaning: ProbeMeaning = 'best other',
): ExposureWatch {
  const watched = watchExposure(toleranceBps, meaning)
  walkBatch(batchOfRows(rows), { ...watched, reference: () => undefined })
  watched.end()
  return watched
}

/** Hours of exposure times weight by spread on a side. */
function hoursOf(watched: ExposureWatch, side: Side): Record<number, number> {
  const { bps, days } = sampleOfCells(watched.ledgers[side].cells())
  return Object.fromEntries([...bps].map((each, i) => [each, Math.round((days[i] ?? 0) * 24e6) / 1e6]))
}

const fillsOf = (watched: ExposureWatch, side: Side) => sampleOfCells(watched.ledgers[side].cells()).fills

describe('exposure', () => {
  it('begins with the first quote and follows each side from spread to spread', () => {
    const watched = watch([rate(0), quote(1, 60, 70), quote(3, 60, 80), quote(4, null, 80), rate(10)])
    expect(hoursOf(watched, 'bid')).toEqual({ 60: 3 })
    expect(hoursOf(watched, 'ask')).toEqual({ 70: 2, 80: 7 })
  })

  it('is zero while the venue does not quote, and all there where it does not say', () => {
    const watched = watch([rate(0, null), quote(0, 60, 60), rate(2, false), rate(5, true), rate(6, true)])
    expect(hoursOf(watched, 'ask')).toEqual({ 60: 3 })
  })

  it('is half within the tolerance of another provider, none beyond it and whole on the other side of it', () => {
    const watched = watch([
      rate(0),
      quote(0, 60, 60),
      asked(0, 66),
      asked(1, 65),
      asked(2, 58),
      asked(3, 55),
      asked(4, 54),
      asked(5, null),
      rate(6),
    ])
    expect(hoursOf(watched, 'ask')).toEqual({ 60: 1 + 0.5 + 0.5 + 0.5 + 0 + 1 })
    expect(hoursOf(watched, 'bid')).toEqual({ 60: 6 })
  })

  it('is shared only on equal terms where the venue takes no turns', () => {
    const watched = watch([rate(0), quote(0, 60, 60), asked(0, 61), asked(1, 59), rate(2)], 0)
    expect(hoursOf(watched, 'ask')).toEqual({ 60: 1 })
  })

  it('is judged anew when our own spread moves past the other provider', () => {
    const watched = watch([
      rate(0),
      quote(0, 60, 60),
      asked(0, 50),
      quote(2, 60, 40),
      quote(5, 60, 52),
      rate(6),
    ])
    expect(hoursOf(watched, 'ask')).toEqual({ 40: 3, 52: 0.5 })
  })

  it('is whole, and counted as uncertain, while the probe shows ourselves as the best', () => {
    const watched = watch([rate(0), quote(0, 60, 60), asked(0, 60), asked(3, 90), rate(4)])
    expect(hoursOf(watched, 'ask')).toEqual({ 60: 4 })
    expect(watched.account.hiddenMs).toBe(3 * HOUR_MS)
    expect(watched.account.exposedMs).toBe(8 * HOUR_MS)
  })

  it('is shared with a rival whom the tape names at our very number, and whole where it names ourselves', () => {
    const named = (hours: number, own: boolean) => ({ ...asked(hours, 60), own })
    const watched = watch([rate(0), quote(0, 60, 60), named(0, false), named(2, true), rate(5)])
    expect(hoursOf(watched, 'ask')).toEqual({ 60: 0.5 * 2 + 3 })
    expect(watched.account.hiddenMs).toBe(3 * HOUR_MS)
  })

  it('stays shared where we move to the number of a named rival, until a probe names ourselves', () => {
    const rival = { ...asked(0, 66), own: false }
    const watched = watch([
      rate(0),
      quote(0, 60, 50),
      rival,
      quote(1, 60, 66),
      asked(2, 66),
      { ...asked(4, 66), own: true },
      rate(5),
    ])
    expect(hoursOf(watched, 'ask')).toEqual({ 50: 1, 66: 0.5 * 3 + 1 })
  })

  it('is ours where the tape names ourselves at a number that our quote row has not reached yet', () => {
    const watched = watch([
      rate(0),
      quote(0, 60, 60),
      { ...asked(1, 45), own: true },
      quote(2, 60, 45),
      rate(3),
    ])
    expect(hoursOf(watched, 'ask')).toEqual({ 45: 1, 60: 2 })
  })

  it('does not take our own new spread for a rival where the probe saw it before the tape said that it stands', () => {
    const watched = watch([rate(0), quote(0, 60, 60), asked(1, 45), quote(1.1, 60, 45), rate(3)])
    expect(hoursOf(watched, 'ask')).toEqual({ 45: 1.9, 60: 1 })
    expect(watched.account.hiddenMs).toBe(1.9 * HOUR_MS)
  })

  it('does not take the bid of the best asker for the best bid once bids are asked for', () => {
    const before = [rate(0), quote(0, 60, 60), asked(0, null, 40)]
    expect(hoursOf(watch([...before, rate(2)]), 'bid')).toEqual({})
    expect(hoursOf(watch([...before, bidden(1, 80), asked(1, null, 40), rate(2)]), 'bid')).toEqual({ 60: 1 })
  })

  it('is zero while we could not pay the probe, and unaffected by balances that are not known', () => {
    const before = [rate(0), quote(0, 60, 60), asked(0, null), bidden(0, null)]
    const enough = 250_000n * 10n ** 18n
    const short = watch([
      ...before,
      balances(1, { NTZS: enough - 10n ** 18n, USDC: 100n * 10n ** 18n }),
      rate(3),
    ])
    expect(hoursOf(short, 'ask')).toEqual({ 60: 1 })
    expect(hoursOf(short, 'bid')).toEqual({ 60: 3 })
    // Two tokens that hold enough only together cannot pay one taker.
    const split = watch([
      ...before,
      balances(1, { NTZS: enough, USDC: 60n * 10n ** 18n, USDT: 60n * 10n ** 18n }),
      rate(3),
    ])
    expect(hoursOf(split, 'ask')).toEqual({ 60: 3 })
    expect(hoursOf(split, 'bid')).toEqual({ 60: 1 })
    expect(hoursOf(watch([...before, balances(1, {}), rate(3)]), 'bid')).toEqual({ 60: 3 })
  })

  it('is zero with nothing to pay with, also without a probe, and zero while the tokens are in the wallet', () => {
    const before = [rate(0), quote(0, 60, 60)]
    expect(hoursOf(watch([...before, balances(1, { NTZS: 0n }), rate(3)]), 'ask')).toEqual({ 60: 1 })
    const wallet = watch([...before, balances(1, { NTZS: 10n ** 30n, USDC: 10n ** 12n }, 'wallet'), rate(3)])
    expect([hoursOf(wallet, 'ask'), hoursOf(wallet, 'bid')]).toEqual([{ 60: 1 }, { 60: 1 }])
  })

  it('is zero for a quote on no pair, and noted for a quote on some', () => {
    const watched = watch([
      rate(0),
      quote(0, 60, 60, []),
      quote(2, 60, 60, ['USDC/NTZS']),
      quote(3, 60, 60),
      rate(5),
    ])
    expect(hoursOf(watched, 'ask')).toEqual({ 60: 3 })
    expect(watched.account.limitedMs).toBe(2 * HOUR_MS)
  })

  it('stops where a silence longer than a day begins, and continues after it', () => {
    const watched = watch([rate(0), quote(0, 60, 60), rate(2), rate(2 + 24.1), rate(30), rate(54)])
    expect(hoursOf(watched, 'ask')[60]).toBeCloseTo(2 + 3.9 + 24, 6)
    expect(watched.account.silentMs).toBeCloseTo(24.1 * HOUR_MS, 0)
  })

  it('is booked in the hour in which it was, fills too', () => {
    const { ledgers } = watch([rate(0), quote(22.5, 60, 80), fill(22.75, 'ask'), fill(24, 'ask'), rate(24.5)])
    const hour = MONDAY / HOUR_MS + 22
    expect(ledgers.ask.cells().toSorted((a, b) => a.hour - b.hour)).toEqual([
      { hour, side: 'ask', bps: 80, skewBps: 10, days: 1 / 48, fills: 1 },
      { hour: hour + 1, side: 'ask', bps: 80, skewBps: 10, days: 1 / 24, fills: 0 },
      { hour: hour + 2, side: 'ask', bps: 80, skewBps: 10, days: 1 / 48, fills: 1 },
    ])
  })
})

describe('where probes name anyone who is next', () => {
  const named = (hours: number, own: boolean) => ({ ...asked(hours, 60), own })
  const picked = (rows: readonly TapeRow[]) => watch([rate(0), quote(0, 60, 60), ...rows], 5, 'picked')

  it('our fill moves the round-robin on beside a rival within the tolerance, and what comes before the next probe is left out', () => {
    const watched = picked([
      named(0, false),
      named(1, true),
      fill(3, 'ask'),
      fill(4, 'ask'),
      named(5, true),
      rate(6),
    ])
    expect(hoursOf(watched, 'ask')).toEqual({ 60: 2 + 1 })
    expect(fillsOf(watched, 'ask')).toBe(1)
    expect(watched.account.unexpected['round-robin-lost']).toBe(1)
  })

  it('takers stay ours after a fill where no other provider was seen within the tolerance since', () => {
    const alone = picked([named(0, true), fill(1, 'ask'), fill(2, 'ask'), rate(4)])
    expect([hoursOf(alone, 'ask'), fillsOf(alone, 'ask')]).toEqual([{ 60: 4 }, 2])
    const far = picked([{ ...asked(0, 50), own: false }, named(1, true), fill(2, 'ask'), rate(4)])
    expect([hoursOf(far, 'ask'), fillsOf(far, 'ask')]).toEqual([{ 60: 3 }, 1])
    const gone = picked([named(0, false), asked(1, null), named(1, true), fill(2, 'ask'), rate(4)])
    expect([hoursOf(gone, 'ask'), fillsOf(gone, 'ask')]).toEqual([{ 60: 3 }, 1])
  })
})

describe('a fill', () => {
  it('counts at the spread that stood, the one set in the same millisecond included', () => {
    const watched = watch([
      rate(0),
      quote(0, 60, 60),
      fill(1, 'bid'),
      quote(2, 80, 60),
      fill(2, 'bid'),
      rate(3),
    ])
    expect(sampleOfCells(watched.ledgers.bid.cells()).counts).toEqual(Float64Array.of(1, 1))
    expect(fillsOf(watched, 'ask')).toBe(0)
  })

  it('at a time when no one could reach us is left out and counted by reason', () => {
    const watched = watch([
      rate(0),
      fill(0, 'ask'),
      quote(1, 60, null),
      fill(1.5, 'ask'),
      quote(2, 60, 60),
      asked(2, 30),
      fill(2.5, 'ask'),
      balances(3, { NTZS: 0n }),
      fill(3.5, 'ask'),
      rate(4, false),
      fill(4.5, 'bid'),
    ])
    expect(watched.account.unexpected).toEqual({
      unknown: 1,
      off: 1,
      outbid: 1,
      'no-inventory': 1,
      'not-quotable': 1,
      'round-robin-lost': 0,
    })
    expect([fillsOf(watched, 'bid'), fillsOf(watched, 'ask')]).toEqual([0, 0])
  })

  it('between two dollars is no one of ours', () => {
    const strange = { ...fill(1, 'ask'), to: 'USDT' as const }
    expect(watch([rate(0), quote(0, 60, 60), strange]).account.unsupportedFills).toBe(1)
  })
})
