import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../src/base/time.ts'
import { calibrateTape } from '../../../../src/research/calibration/calibrate.ts'
import type { Calibration } from '../../../../src/core/models/calibration.ts'
import { INTENSITY_PRIOR } from '../../../../src/research/models/intensity-posterior.ts'
import { RATE_ONE } from '../../../../src/base/money/rate.ts'
import type { TapeRow } from '../../../../src/store/tape/model/row.ts'
import { drawRows, fillRow, GOLDEN_MARKET, MONDAY, tapeOf, type DrawnMarket } from './drawn-tape.ts'

const SETTINGS = { toleranceBps: 5, seed: 1 }
const calibrated = (rows: readonly TapeRow[]) => calibrateTape(tapeOf(rows), SETTINGS)
const drawn = (market: Partial<DrawnMarket>) => calibrated(drawRows({ ...GOLDEN_MARKET, ...market }))
const said = ({ warnings }: Calibration) => warnings.join('\n')

describe('a calibration of a tape that is too thin', () => {
  it('of nothing at all is the prior, and says so', async () => {
    const found = await calibrated([])
    expect(found.warnings).toEqual(['Nothing could be read of this tape: A and k are the prior only.'])
    expect(found).toMatchObject({ from: 0, to: 0, fills: 0, prints: 0, sigma: null, bid: null, ask: null })
    expect(found.both).toMatchObject({ method: 'default', fills: 0, exposureDays: 0, overdispersion: 1 })
    expect(found.both.a.value).toBeCloseTo(INTENSITY_PRIOR.fills / INTENSITY_PRIOR.days, 9)
  })

  it('without quotes says what to record, and still measures the mid', async () => {
    const found = await calibrated(drawRows(GOLDEN_MARKET).filter(({ type }) => type !== 'quote'))
    expect(said(found)).toMatch(/No quote rows on this tape: .* Record with `mizani run` or `mizani record`/)
    expect(said(found)).toMatch(/Fills left out of A and k: \d+ before the first quote row\./)
    expect(found.both.method).toBe('default')
    expect(found.sigma?.value).toBeGreaterThan(10)
    expect(found.sizesUsd).toHaveLength(19)
  })

  it('without fills keeps the prior and says so', async () => {
    const found = await calibrated(drawRows(GOLDEN_MARKET).filter(({ type }) => type !== 'fill'))
    expect(found.both.method).toBe('default')
    expect(found.both.exposureDays).toBeCloseTo(40, 6)
    expect(said(found)).toMatch(
      /No fills while takers could reach us: .* the prior and these 40\.0 days of silence/,
    )
    // Forty days without a taker at spreads of 25 to 95 bps are no sign of forty takers a day at none.
    const { days, fills } = INTENSITY_PRIOR
    expect(found.both.a.value).toBeLessThan((0.3 * fills) / days)
    expect(found.both.k.value).toBeGreaterThan(INTENSITY_PRIOR.medianK)
    expect([found.sizesUsd, found.markouts]).toEqual([[], []])
  })

  it('with fewer than thirty fills is the posterior and says how few they are', async () => {
    const found = await drawn({ days: 1, seed: 4, a: 20 })
    expect(found.fills).toBeGreaterThan(5)
    expect(found.both.method).toBe('posterior')
    expect(said(found)).toContain(`Only ${found.fills} fills: below 30 A and k are mostly the prior`)
    expect([found.bid, found.ask]).toEqual([null, null])
    expect(said(found)).toMatch(/there both sides are taken as one/)
  })

  it('of a maker who never moves says that k is not learned, and which dither would teach it', async () => {
    const found = await drawn({ ditherBps: 0 })
    expect(found.fills).toBeGreaterThan(400)
    expect(found.both.method).toBe('posterior')
    expect(said(found)).toMatch(
      /Our spread never moved: .* To know it to 20 % takes [\d,]+ with quote.ditherBps: 35 or/,
    )
  })

  it('where spreads vary names no estimate the prior only, and reports no rate at one spread', async () => {
    const { both } = await drawn({})
    expect(both.priorOnly).toEqual([])
    expect(both.quotedRate).toBeUndefined()
  })

  it('of a single fill at spreads a few bps apart marks k as the prior and reports the rate at their mean', async () => {
    const rows = drawRows({ ...GOLDEN_MARKET, days: 1, ditherBps: 3 })
    const [fill] = rows.filter(({ type }) => type === 'fill')
    const found = await calibrated(rows.filter((row) => row.type !== 'fill' || row === fill))
    expect(found.both).toMatchObject({
      method: 'posterior',
      fills: 1,
      priorOnly: expect.arrayContaining(['k']),
    })
    const quotes = rows.flatMap((row) => (row.type === 'quote' ? [row.bidBps, row.askBps] : []))
    const meanBps = quotes.reduce((sum, bps) => sum + bps, 0) / quotes.length
    expect(found.both.quotedRate?.bps).toBeCloseTo(meanBps, 9)
    expect(found.both.quotedRate?.perDay.value).toBeCloseTo(1 / 2, 9)
    expect(said(found)).toMatch(/The interval of k is as wide as before any fill/)
  })

  it('of a maker who hardly moves says to how much k is known and how many fills more would do', async () => {
    const found = await drawn({ ditherBps: 6 })
    const sentence = /k is known to (\d+) % only: .* of (\d\.\d) bps.* takes ([\d,]+) fills like these/.exec(
      said(found),
    )
    const [percent, sd, needed] = [1, 2, 3].map((i) => Number(sentence?.[i]?.replace(',', '')))
    expect(percent).toBeGreaterThan(20)
    expect(sd).toBeCloseTo(Math.sqrt((6 * 7) / 3), 0)
    expect(needed).toBeGreaterThan(found.fills)
  })

  it('where takers were no fewer at wider spreads warns that k rests on its prior alone', async () => {
    const rows = drawRows({ ...GOLDEN_MARKET, k: -0.02, a: 4 })
    const found = await calibrated(rows)
    expect(found.fills).toBeGreaterThan(200)
    expect(found.both.method).toBe('posterior')
    expect(found.both.k.low).toBeGreaterThan(0)
    expect(said(found)).toMatch(/Takers were no fewer at wider spreads, .* Look for competitors/)
  })

  it('has no volatility from two published rates, and a doubtful one from few', async () => {
    const two = await drawn({ days: 1 })
    expect(two.prints).toBe(2)
    expect(two.sigma).toBeNull()
    expect(said(two)).toMatch(/2 published rates on this tape: a volatility needs three/)
    expect(said(await drawn({ days: 8 }))).toMatch(/The volatility rests on 9 published rates only/)
  })

  it('has no markouts where all fills came before one print', async () => {
    const found = await drawn({ days: 1 })
    expect(found.markouts).toEqual([])
    expect(said(found)).toMatch(/No markouts: fills before at least two published rates/)
  })

  it('without competition rows says what that takes for granted', async () => {
    expect(said(await drawn({}))).toMatch(
      /No competition rows on this tape: it is taken that no one else quoted/,
    )
  })

  it('says how many days were silent, which part was limited to pairs, and that takers could never reach us', async () => {
    const rows = drawRows({ ...GOLDEN_MARKET, days: 2 })
    const later = rows.map((row) => (row.t < MONDAY + DAY_MS ? row : { ...row, t: row.t + 2 * DAY_MS }))
    expect(said(await calibrated(later))).toMatch(/2\.\d days in silences longer than a day are not counted/)
    const limited = rows.map((row) => (row.type === 'quote' ? { ...row, quotePairs: ['USDC/NTZS'] } : row))
    expect(said(await calibrated(limited))).toMatch(/limited to some pairs for 100 % of the time/)
    const off = rows.map((row) => (row.type === 'quote' ? { ...row, quoteBid: false, quoteAsk: false } : row))
    expect(said(await calibrated(off))).toMatch(/At no time could a taker reach our quote/)
  })
})

describe('a calibration of bursts', () => {
  it('widens its intervals by the scatter of the days and says so', async () => {
    const rows = drawRows({ ...GOLDEN_MARKET, days: 30 })
    // The takers of every other day stay at home.
    const bursts = rows.filter(
      (row) => row.type !== 'fill' || Math.floor((row.t - MONDAY) / DAY_MS) % 2 === 0,
    )
    const [even, uneven] = [await calibrated(rows), await calibrated(bursts)]
    expect(even.both.overdispersion).toBeLessThan(1.5)
    expect(uneven.both.overdispersion).toBeGreaterThan(2.5)
    expect(said(uneven)).toMatch(/Daily counts scatter \d\.\d times as much as by chance alone/)
    const relative = ({ both: { k } }: Calibration) => (k.high - k.low) / k.value
    expect(relative(uneven)).toBeGreaterThan(2.5 * relative(even))
  })

  it('says when a logistic curve would explain the fills better', async () => {
    // No one takes more than 70 bps, everybody up to there.
    const rows = drawRows({ ...GOLDEN_MARKET, days: 60, k: 1e-9, a: 10 })
    const spreads = new Map<number, number>()
    for (const row of rows) if (row.type === 'quote') spreads.set(Math.floor(row.t / HOUR_MS), row.askBps)
    const kept = rows.filter(
      (row) =>
        row.type !== 'fill' || (row.to === 'NTZS' && (spreads.get(Math.floor(row.t / HOUR_MS)) ?? 0) <= 70),
    )
    const asks = kept.map((row) => (row.type === 'quote' ? { ...row, quoteBid: false } : row))
    expect(said(await calibrated(asks))).toMatch(/A logistic curve explains the fills better .* 25 to 95 bps/)
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
