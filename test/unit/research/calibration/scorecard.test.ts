import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../../src/base/time.ts'
import { calibrateTape } from '../../../../src/research/calibration/calibrate.ts'
import { scoreTape, type Scorecard } from '../../../../src/research/calibration/scorecard.ts'
import type { Measure } from '../../../../src/research/calibration/scorecard-measures.ts'
import type { Calibration } from '../../../../src/core/models/calibration.ts'
import { drawRows, GOLDEN_MARKET, MONDAY, tapeOf } from './drawn-tape.ts'
import { later, LATER_MS, learn, score, SETTINGS } from './scored-week.ts'

function find(card: Scorecard, side: 'both' | 'bid' | 'ask', name: Measure['name'], horizon: string | null) {
  const found = card[side].measures.find((one) => one.name === name && one.horizon === horizon)
  expect(found).toBeDefined()
  return found!
}

/** What an exponential intensity expects of a week of one spread, both sides. */
function weekOf({ both }: Calibration, bps: number): number {
  return 14 * both.a.value * Math.exp(-both.k.value * bps)
}

describe('a scorecard', () => {
  test('of a week with the same takers has the counts of the formula in its band, and nothing outside', async () => {
    const calibration = await learn()
    const card = await score(calibration, { ditherBps: 0 })
    const fills = find(card, 'both', 'fills', null)
    expect(fills.expected.value / weekOf(calibration, 60)).toBeCloseTo(1, 1)
    expect(fills.realised).toBe(card.both.fills)
    expect(card.bid.fills + card.ask.fills).toBe(card.both.fills)
    expect(card.outside.filter((name) => name.includes('fills') || name.includes('edge'))).toEqual([])
    expect(card.warnings.join(' ')).not.toContain('a part of')
  })

  test('raises an alarm of too few fills where half of the takers left, on both sides', async () => {
    const card = await score(await learn(), { a: 20 })
    expect(card.outside).toEqual(expect.arrayContaining(['both fills', 'bid fills', 'ask fills']))
    expect(find(card, 'bid', 'fills', null).verdict).toBe('below')
  })

  test('raises an alarm of a lower edge where takers shun wide quotes more than before', async () => {
    const card = await score(await learn({ days: 28 }), { k: 1 / 15, a: 200, days: 28 })
    expect(find(card, 'both', 'edge', null).verdict).toBe('below')
  })

  test('does not take wider quotes for missing takers: expects fewer fills, a higher edge and a higher markout', async () => {
    const calibration = await learn({ days: 28 })
    const card = await score(calibration, { halfSpreadBps: 90 })
    const [fills, edge, markout] = [
      find(card, 'both', 'fills', null),
      find(card, 'both', 'edge', null),
      find(card, 'both', 'markout', 'next print'),
    ]
    expect([fills.verdict, edge.verdict, markout.verdict]).toEqual(['within', 'within', 'within'])
    expect(edge.expected.value).toBeGreaterThan(75)
    expect(markout.expected.value).toBeGreaterThan(70)
  })

  test('calls it an informed loss where the mid takes the edge back at the next rate update, as a positive number', async () => {
    const calibration = await learn({ days: 28 })
    const rows = later(drawRows({ ...GOLDEN_MARKET, days: 14, seed: 2 })).filter((row) => {
      // Takers who know the next update: those who buy dollars come before it rises, the others before it falls.
      if (row.type !== 'fill') return true
      const [now, next] = [midAt(row.t), midAt(row.t + DAY_MS)]
      return row.from === 'NTZS' ? next >= now : next <= now
    })
    function midAt(t: number): bigint {
      const found = all.findLast((row) => row.type === 'rate' && row.t <= t)
      return found?.type === 'rate' ? found.mid : 0n
    }
    const card = await scoreTape(tapeOf(rows), calibration, SETTINGS)
    const loss = find(card, 'both', 'informedLoss', 'next print')
    expect(loss.verdict).toBe('above')
    expect(loss.realised).toBeGreaterThan(5)
    expect(find(card, 'both', 'informedLossUsd', 'next print').realised).toBeCloseTo(
      ((loss.realised ?? 0) * card.both.turnoverUsd) / 1e4,
      6,
    )
    expect(card.outside).toContain('both informedLoss next print')
  })
  const all = later(drawRows({ ...GOLDEN_MARKET, days: 14, seed: 2 }))

  test('has a wider band from a calibration of one day than from one of four weeks', async () => {
    const width = async (days: number) => {
      const { expected } = find(await score(await learn({ days })), 'both', 'fills', null)
      return (expected.high - expected.low) / expected.value
    }
    expect(await width(1)).toBeGreaterThan(1.5 * (await width(28)))
  })

  test('leaves out the time behind a better rival, as the calibration does', async () => {
    const rivals = { rivalReachBps: 30 } as const
    const card = await score(await learn({ ...rivals, days: 28 }), rivals)
    expect(card.both.exposureDays).toBeLessThan(12)
    expect(find(card, 'both', 'fills', null).verdict).toBe('within')
  })

  test('warns where the calibration was made from a part of the time', async () => {
    const card = await scoreTape(tapeOf(drawRows({ ...GOLDEN_MARKET, days: 7 })), await learn(), SETTINGS)
    expect(card.warnings[0]).toContain('part of this period')
  })

  test('of a calibration from before it held its edge has no expectation of informed loss, and says so', async () => {
    const { edge, ...before } = await learn()
    expect(edge).toBeDefined()
    const card = await score(before)
    expect(card.both.measures.map(({ name }) => name)).not.toContain('informedLoss')
    expect(card.warnings.join(' ')).toContain('informed loss has')
    expect(find(card, 'both', 'markout', 'next print').expected.value).toBeCloseTo(
      before.markouts[0]?.bps.value ?? NaN,
      9,
    )
  })

  test('of time without a quote, or of no rows, judges nothing and invents nothing', async () => {
    const calibration = await learn()
    const rates = drawRows({ ...GOLDEN_MARKET, days: 3 }).filter(({ type }) => type === 'rate')
    for (const rows of [rates, []]) {
      const card = await scoreTape(tapeOf(rows), calibration, SETTINGS)
      expect(card).toMatchObject({ judged: 0, outside: [], both: { fills: 0, measures: [] } })
    }
  })

  test('of a calibration without a fill expects the prior, and says so', async () => {
    const empty = await calibrateTape(tapeOf([]), { toleranceBps: 5, seed: 1 })
    const card = await score(empty)
    expect(card.warnings.join(' ')).toContain('is the prior')
    expect(find(card, 'both', 'fills', null).verdict).toBe('within')
  })

  test('is the same of equal inputs, and has no figure that is not a number', async () => {
    const calibration = await learn({ ditherBps: 0 })
    const card = await score(calibration)
    expect(await score(calibration)).toEqual(card)
    const figures = (['both', 'bid', 'ask'] as const).flatMap((side) =>
      card[side].measures.flatMap(({ expected, realised }) => [...Object.values(expected), realised ?? 0]),
    )
    expect(figures.length).toBeGreaterThan(60)
    expect(figures.filter((figure) => !Number.isFinite(figure))).toEqual([])
    expect(card.from).toBe(MONDAY + LATER_MS)
  })
})
