import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../src/base/time.ts'
import { calibrateTape } from '../../../../src/research/calibration/calibrate.ts'
import type { Calibration } from '../../../../src/core/models/calibration.ts'
import { intensityOf } from '../../../../src/research/backtest/fill-models/drawn-takers.ts'
import { intensityAt } from '../../../../src/research/report/figures/fills-by-spread.ts'
import { seededRandom } from '../../../../src/base/random.ts'
import { drawIntensity, INTENSITY_PRIOR } from '../../../../src/research/models/intensity-posterior.ts'
import { RATE_ONE } from '../../../../src/base/money/rate.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { drawRows, fillRow, GOLDEN_MARKET, MONDAY, tapeOf, type DrawnMarket } from './drawn-tape.ts'

const SETTINGS = { toleranceBps: 5, seed: 1 }
const calibrated = (rows: readonly TapeRow[]) => calibrateTape(tapeOf(rows), SETTINGS)
const drawn = (market: Partial<DrawnMarket> = {}) => drawRows({ ...GOLDEN_MARKET, ...market })

type RowOf<T extends TapeRow['type']> = Extract<TapeRow, { readonly type: T }>
const withQuotes = (rows: readonly TapeRow[], changes: Partial<RowOf<'quote'>>) =>
  rows.map((row) => (row.type === 'quote' ? { ...row, ...changes } : row))

/** Two days of takers, with two silent days between them. */
function silentBetween(): readonly TapeRow[] {
  return drawn({ days: 2 }).map((row) => (row.t < MONDAY + DAY_MS ? row : { ...row, t: row.t + 2 * DAY_MS }))
}

/** Thirty days; the takers of every other day stay at home. */
function burstsOfFills(): readonly TapeRow[] {
  return drawn({ days: 30 }).filter(
    (row) => row.type !== 'fill' || Math.floor((row.t - MONDAY) / DAY_MS) % 2 === 0,
  )
}

/** No one takes more than 70 bps, everyone up to there. */
function stepAt70(): readonly TapeRow[] {
  const rows = drawn({ days: 60, k: 1e-9, a: 10 })
  const spreads = new Map<number, number>()
  for (const row of rows) if (row.type === 'quote') spreads.set(Math.floor(row.t / HOUR_MS), row.askBps)
  const kept = rows.filter(
    (row) =>
      row.type !== 'fill' || (row.to === 'NTZS' && (spreads.get(Math.floor(row.t / HOUR_MS)) ?? 0) <= 70),
  )
  return withQuotes(kept, { quoteBid: false })
}

/** One fill at spreads a few bps apart. */
function oneFill(): readonly TapeRow[] {
  const rows = drawn({ days: 1, ditherBps: 3 })
  const [fill] = rows.filter(({ type }) => type === 'fill')
  return rows.filter((row) => row.type !== 'fill' || row === fill)
}

/** Takers bring dollars only. */
function onlyAsk(rows: readonly TapeRow[]): readonly TapeRow[] {
  return rows.filter((row) => row.type !== 'fill' || row.to === 'NTZS')
}

/** By day a spread of 90 bps and four times as many takers as by night, at 40. */
function byHour(): readonly TapeRow[] {
  const of = (from: number, a: number, halfSpreadBps: number) =>
    drawn({ a, halfSpreadBps, ditherBps: 0 }).filter(
      ({ t }) => Math.floor((t - MONDAY) / (DAY_MS / 2)) % 2 === from,
    )
  return [...of(0, 20, 40), ...of(1, 80, 90)].toSorted((one, other) => one.t - other.t)
}

/** On the fifteenth day A falls from 80 to 25 and the spread from 90 to 45 bps. */
function otherTakers(): readonly TapeRow[] {
  const before = drawn({ a: 80, halfSpreadBps: 90, ditherBps: 15, days: 14 })
  const after = drawn({ a: 25, halfSpreadBps: 45, ditherBps: 15, days: 14, seed: 2 })
  return [...before, ...after.map((row) => ({ ...row, t: row.t + 14 * DAY_MS }))]
}

function hardlyMoving(): readonly TapeRow[] {
  const midAt = (t: number) => (25_000n + BigInt(Math.floor(t / DAY_MS) % 2)) * (RATE_ONE / 10n)
  return drawn().map((row) => (row.type === 'rate' ? { ...row, mid: midAt(row.t) } : row))
}

const TAPES = {
  'no row': () => [],
  'no quotes': () => drawn().filter(({ type }) => type !== 'quote'),
  'no fills': () => drawn().filter(({ type }) => type !== 'fill'),
  'fewer than thirty fills': () => drawn({ days: 1, seed: 4, a: 20 }),
  'a maker who never moves': () => drawn({ ditherBps: 0 }),
  'a maker who hardly moves': () => drawn({ ditherBps: 6 }),
  'forty days of a maker who moves': () => drawn(),
  'one fill': oneFill,
  'as many takers at wider spreads': () => drawn({ k: -0.02, a: 4 }),
  'two published rates': () => drawn({ days: 1 }),
  'nine published rates': () => drawn({ days: 8 }),
  'a mid that hardly moves': hardlyMoving,
  'a side without takers': () => onlyAsk(drawn()),
  'a side without takers, at one spread': () => onlyAsk(drawn({ ditherBps: 0 })),
  'silent days': silentBetween,
  'quotes of one pair': () => withQuotes(drawn({ days: 2 }), { quotePairs: ['USDC/NTZS'] }),
  'both sides off': () => withQuotes(drawn({ days: 2 }), { quoteBid: false, quoteAsk: false }),
  'takers every other day': burstsOfFills,
  'a step at 70 bps': stepAt70,
  'a spread that follows the hour': byHour,
  'other takers on the fifteenth day': otherTakers,
} satisfies Record<string, () => readonly TapeRow[]>

const kept = new Map<string, Promise<Calibration>>()
function calibrationOf(tape: keyof typeof TAPES): Promise<Calibration> {
  const found = kept.get(tape) ?? calibrated(TAPES[tape]())
  kept.set(tape, found)
  return found
}

test('the warnings of a calibration state what is missing, with its figures, and what to do', async () => {
  const pages: string[] = []
  for (const tape of Object.keys(TAPES) as (keyof typeof TAPES)[])
    pages.push([`## ${tape}`, ...(await calibrationOf(tape)).warnings].join('\n'))
  await expect(`${pages.join('\n\n')}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, 'calibration-warnings.txt'),
  )
})

describe('a calibration of a tape that is too thin', () => {
  it('of nothing at all is the prior', async () => {
    const found = await calibrationOf('no row')
    expect(found).toMatchObject({ from: 0, to: 0, fills: 0, prints: 0, sigma: null, bid: null, ask: null })
    expect(found.both).toMatchObject({ method: 'default', fills: 0, exposureDays: 0, overdispersion: 1 })
    expect(found.both.a.value).toBeCloseTo(INTENSITY_PRIOR.fills / INTENSITY_PRIOR.days, 9)
  })

  it('without quotes still measures the mid', async () => {
    const found = await calibrationOf('no quotes')
    expect(found.both.method).toBe('default')
    expect(found.sigma?.value).toBeGreaterThan(10)
    expect(found.sizesUsd).toHaveLength(19)
  })

  it('without fills keeps the prior', async () => {
    const found = await calibrationOf('no fills')
    expect(found.both.method).toBe('default')
    expect(found.both.exposureDays).toBeCloseTo(40, 6)
    // Forty days without a taker at spreads of 25 to 95 bps are no sign of forty takers a day at none.
    const { days, fills } = INTENSITY_PRIOR
    expect(found.both.a.value).toBeLessThan((0.3 * fills) / days)
    expect(found.both.k.value).toBeGreaterThan(INTENSITY_PRIOR.medianK)
    expect([found.sizesUsd, found.markouts]).toEqual([[], []])
  })

  it('with fewer than thirty fills is the posterior of both sides together', async () => {
    const found = await calibrationOf('fewer than thirty fills')
    expect(found.fills).toBeGreaterThan(5)
    expect(found.both.method).toBe('posterior')
    expect([found.bid, found.ask]).toEqual([null, null])
  })

  it('of a maker who never moves is the posterior, however many fills there are', async () => {
    const found = await calibrationOf('a maker who never moves')
    expect(found.fills).toBeGreaterThan(400)
    expect(found.both.method).toBe('posterior')
  })

  it('of a spread that follows the hour does not take the hour for the spread', async () => {
    const { both } = await calibrationOf('a spread that follows the hour')
    expect(both.fills).toBeGreaterThan(300)
    expect(both.method).toBe('posterior')
    expect(both.k.low).toBeLessThan(1 / 60)
    expect(both.k.high).toBeGreaterThan(1 / 60)
  })

  it('of takers who changed is that of the later ones, and names the day', async () => {
    const { since, both } = await calibrationOf('other takers on the fifteenth day')
    expect(Math.abs((since ?? 0) - MONDAY - 14 * DAY_MS)).toBeLessThanOrEqual(2 * DAY_MS)
    expect(both.a.low).toBeLessThan(25)
    expect(both.a.high).toBeGreaterThan(25)
    expect(both.k.low).toBeLessThan(1 / 60)
  })

  it('of a maker who never moves makes a fill model draw at that spread what was measured there', async () => {
    const found = await calibrationOf('a maker who never moves')
    const perDay = found.fills / 40
    for (const law of Object.values(intensityOf(found)))
      expect(law.a * Math.exp(-60 * law.k)).toBeCloseTo(perDay, 9)
    const draws = Array.from({ length: 400 }, (_, seed) =>
      drawIntensity(found.both, seededRandom(seed, 'law')),
    )
    const logs = draws.map(({ a, k }) => Math.log(a) - 60 * k)
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
    expect(Math.exp(mean) / perDay).toBeCloseTo(1, 2)
    // The curve of the report passes through it too, and is known best there.
    expect(intensityAt(found.both, 60).value).toBeCloseTo(perDay, 9)
    const { low, high } = intensityAt(found.both, 60)
    expect(Math.log(high / low)).toBeCloseTo(
      (2 * 1.645 * found.both.overdispersion) / Math.sqrt(found.fills),
      2,
    )
  })

  it('where spreads vary names no estimate the prior only, and reports no rate at one spread', async () => {
    const { both } = await calibrationOf('forty days of a maker who moves')
    expect(both.priorOnly).toEqual([])
    expect(both.quotedRate).toBeUndefined()
  })

  it('of a single fill at spreads a few bps apart marks k as the prior and reports the rate at their mean', async () => {
    const found = await calibrationOf('one fill')
    expect(found.both).toMatchObject({
      method: 'posterior',
      fills: 1,
      priorOnly: expect.arrayContaining(['k']),
    })
    const quotes = oneFill().flatMap((row) => (row.type === 'quote' ? [row.bidBps, row.askBps] : []))
    const meanBps = quotes.reduce((sum, bps) => sum + bps, 0) / quotes.length
    expect(found.both.quotedRate?.bps).toBeCloseTo(meanBps, 9)
    expect(found.both.quotedRate?.perDay.value).toBeCloseTo(1 / 2, 9)
  })

  it('gives a side without takers its own posterior, a rate near zero, and the other one its own fills', async () => {
    for (const tape of ['a side without takers', 'a side without takers, at one spread'] as const) {
      const found = await calibrationOf(tape)
      const { bid, ask, both } = found
      expect(bid).toMatchObject({ method: 'default', fills: 0, quotedRate: { perDay: { value: 0, low: 0 } } })
      expect(bid?.exposureDays).toBeCloseTo(20, 6)
      expect(ask?.fills).toBe(both.fills)
      const perDay = ({ a, k }: { readonly a: number; readonly k: number }) => a * Math.exp(-60 * k)
      const law = intensityOf(found)
      expect(perDay(law.bid)).toBeCloseTo(1 / 20, 2)
      expect(perDay(law.ask) / (40 * Math.exp(-1))).toBeCloseTo(1, 0)
      // Its draws are those of a rate of which only an upper bound is known.
      const draws = Array.from({ length: 400 }, (_, seed) => drawIntensity(bid!, seededRandom(seed, 'law')))
      const rates = draws.map(perDay).toSorted((a, b) => a - b)
      expect(rates[380]! / rates[20]!).toBeGreaterThan(20)
      expect(rates[380]).toBeLessThan(0.3)
    }
  })

  it('of a maker who hardly moves states to how much k is known and how many fills more would do', async () => {
    const { warnings, fills } = await calibrationOf('a maker who hardly moves')
    const figures = /k is known only to (\d+) %.* of (\d\.\d) bps.* takes ([\d,]+) fills/.exec(
      warnings.join('\n'),
    )
    const [percent, sd, needed] = [1, 2, 3].map((i) => Number(figures?.[i]?.replace(',', '')))
    expect(percent).toBeGreaterThan(20)
    expect(sd).toBeCloseTo(Math.sqrt((6 * 7) / 3), 0)
    expect(needed).toBeGreaterThan(fills)
  })

  it('where takers were no fewer at wider spreads rests k on its prior alone', async () => {
    const found = await calibrationOf('as many takers at wider spreads')
    expect(found.fills).toBeGreaterThan(200)
    expect(found.both.method).toBe('posterior')
    expect(found.both.k.low).toBeGreaterThan(0)
  })

  it('has neither volatility nor markouts from two published rates', async () => {
    expect(await calibrationOf('two published rates')).toMatchObject({ prints: 2, sigma: null, markouts: [] })
  })

  it('of bursts widens its intervals by the scatter of the days', async () => {
    const [even, uneven] = [
      await calibrated(drawn({ days: 30 })),
      await calibrationOf('takers every other day'),
    ]
    expect(even.both.overdispersion).toBeLessThan(1.5)
    expect(uneven.both.overdispersion).toBeGreaterThan(2.5)
    const relative = ({ both: { k } }: Calibration) => (k.high - k.low) / k.value
    expect(relative(uneven)).toBeGreaterThan(2.5 * relative(even))
  })
})

describe('the sizes of fills', () => {
  it('are quantiles in dollars, whichever side they were on', async () => {
    const rows: TapeRow[] = Array.from({ length: 101 }, (_, i) =>
      fillRow({
        t: MONDAY + i,
        side: i % 2 === 0 ? 'ask' : 'bid',
        bps: 0,
        usd: 100 + i,
        mid: 2500n * RATE_ONE,
      }),
    )
    const { sizesUsd } = await calibrated(rows)
    expect(sizesUsd).toHaveLength(19)
    sizesUsd.forEach((size, i) => {
      expect(size).toBeCloseTo(100 + 5 * (i + 1), 6)
    })
  })

  it('are of a fair sample where there are more than can be kept', async () => {
    const rows: TapeRow[] = Array.from({ length: 30_000 }, (_, i) =>
      fillRow({ t: MONDAY + i, side: 'ask', bps: 0, usd: 1 + i }),
    )
    const { sizesUsd } = await calibrated(rows)
    sizesUsd.forEach((size, i) => {
      expect(Math.abs(size - 1500 * (i + 1))).toBeLessThan(750)
    })
  })
})
