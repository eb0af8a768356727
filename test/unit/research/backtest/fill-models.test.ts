import { describe, expect, test } from 'vitest'
import type {
  FillModel,
  RouterView,
  Taker,
} from '../../../../src/research/backtest/fill-models/fill-model.ts'
import {
  createFillModel,
  needsCalibration,
} from '../../../../src/research/backtest/fill-models/create-fill-model.ts'
import { SIDES, type Side } from '../../../../src/base/money/side.ts'
import {
  balancesRow,
  bringsUsdc,
  calibrationOf,
  MID,
  quoteRow,
  rateRow,
  rivalRow,
  runTape,
  START,
  USD,
} from '../../../support/backtest-tape.ts'
import { binomialPmf, chiSquareP, poissonPmf } from '../../../support/chi-square.ts'
import { worldStrategy } from '../../../support/world-strategies.ts'

const HOUR_MS = 3_600_000
const DAY = 24 * HOUR_MS
const K = 1 / 60
const A = 40
const SEEDS = Array.from({ length: 250 }, (_, index) => index + 1)

const recorded = (id: string, recordedBps: number | null, side: Side = 'ask'): Taker => ({
  id,
  t: START,
  side,
  stable: 'USDC',
  amountIn: 100n * USD,
  usd: null,
  recordedBps,
  reservationBps: null,
  synthetic: false,
})
const standing = (ownBps: number, change: Partial<RouterView> = {}): RouterView => ({
  ownBps,
  otherBps: null,
  recordedBps: 60,
  toleranceBps: 5,
  routedToCompetitor: false,
  ...change,
})
const model = (name: FillModel['name'], seed = 1, sizesUsd: readonly number[] = []): FillModel =>
  createFillModel({ name, seed, calibration: calibrationOf(A, K, sizesUsd), draws: false })

/** The takers that a model makes within so many days. */
function takersOf(made: FillModel, days: number): Taker[] {
  const stream = made.takers?.(START)
  const out: Taker[] = []
  for (let next = stream?.next(); next?.done === false; next = stream?.next()) {
    if (next.value.t > START + days * DAY) break
    out.push(next.value)
  }
  return out
}

describe('recorded', () => {
  const { takes } = model('recorded')

  test('a fill is won at the recorded spread and at every narrower one, and lost at any wider', () => {
    for (const own of [10, 59, 60]) expect(takes(recorded('f', 60), standing(own))).toBe(true)
    for (const own of [61, 500]) expect(takes(recorded('f', 60), standing(own))).toBe(false)
  })

  test('it makes no takers, and needs no calibration', () => {
    expect(model('recorded').takers).toBeUndefined()
    expect(needsCalibration('recorded')).toBe(false)
    expect(() =>
      createFillModel({ name: 'recorded', seed: 1, calibration: null, draws: false }),
    ).not.toThrow()
    expect(() => createFillModel({ name: 'thinned', seed: 1, calibration: null, draws: false })).toThrow(
      'needs a calibration',
    )
  })
})

describe('thinned, one by one', () => {
  test('at the recorded spread and narrower every recorded fill is kept', () => {
    for (const seed of SEEDS) {
      const { takes } = model('thinned', seed)
      for (const own of [10, 59, 60]) expect(takes(recorded(`f${seed}`, 60), standing(own))).toBe(true)
    }
  })

  test('what is kept at a wider spread is kept at every narrower one', () => {
    const { takes } = model('thinned', 7)
    const kept = (own: number) =>
      new Set(SEEDS.filter((index) => takes(recorded(`f${index}`, 60), standing(own))))
    const sets = [61, 70, 90, 120, 200, 400].map(kept)
    for (const [index, wider] of sets.entries()) {
      const narrower = sets[index - 1]
      if (narrower === undefined) continue
      expect(wider.isSubsetOf(narrower)).toBe(true)
      expect(wider.size).toBeLessThan(narrower.size)
    }
  })

  test('a taker’s luck is its own: asked in any order, by any strategy, with anybody beside us', () => {
    const ids = SEEDS.map((index) => `f${index}`)
    const one = model('thinned', 3)
    const answers = ids.map((id) => one.takes(recorded(id, 60), standing(90)))
    const other = model('thinned', 3)
    const backwards = ids.toReversed().map((id) => {
      // Another strategy has been here before with other spreads.
      other.takes(recorded(id, 60), standing(77))
      other.takes({ ...recorded('somebody', 60), t: START + 5 }, standing(300))
      return other.takes(
        { ...recorded(id, 60), t: START + 9 },
        standing(90, { otherBps: 96, recordedBps: 33 }),
      )
    })
    expect(backwards.toReversed()).toEqual(answers)
    expect(answers.filter(Boolean).length).toBeGreaterThan(100)
    expect(answers.filter((kept) => !kept).length).toBeGreaterThan(70)
  })

  test('where a rival is better by more than the tolerance a wider quote keeps nothing', () => {
    const { takes } = model('thinned')
    const kept = (otherBps: number) =>
      SEEDS.filter((index) => takes(recorded(`f${index}`, 60), standing(80, { otherBps }))).length
    expect(kept(74)).toBe(0)
    expect(kept(86)).toBeGreaterThan(150)
  })

  test('who was alone and now takes turns keeps every second one of those who would still come', () => {
    const { takes } = model('thinned')
    const ids = Array.from({ length: 4_000 }, (_, index) => `f${index}`)
    const kept = (recordedBps: number, otherBps: number | null) =>
      ids.filter((id) => takes(recorded(id, recordedBps), standing(80, { otherBps }))).length
    const alone = kept(60, null)
    expect(kept(60, 86)).toBe(alone)
    expect(Math.abs(kept(60, 78) / alone - 0.5)).toBeLessThan(0.04)
    // It was shared when it was recorded, and it was our turn.
    expect(kept(76, 78)).toBe(kept(76, null))
  })

  test('no one is added at the recorded spread or wider, nor where the recorded quote is not known', () => {
    const thinned = model('thinned', 5)
    const made = takersOf(thinned, 20)
    expect(made.length).toBeGreaterThan(500)
    const added = (own: number, recordedBps: number | null) =>
      made.filter((taker) => thinned.takes(taker, standing(own, { recordedBps }))).length
    expect(added(60, 60)).toBe(0)
    expect(added(90, 60)).toBe(0)
    expect(added(20, null)).toBe(0)
    expect(added(20, 60)).toBeGreaterThan(0)
    expect(made.every(({ synthetic }) => synthetic)).toBe(true)
  })
})

describe('thinned, in law', () => {
  const D0 = 40
  const FILLS = 40

  test('each fill has the same chance over the seeds, and no two share their luck', () => {
    const kept = SEEDS.map((seed) => {
      const { takes } = model('thinned', seed)
      return Array.from({ length: FILLS }, (_, index) => takes(recorded(`f${index}`, D0), standing(80)))
    })
    const p = Math.exp(-K * (80 - D0))
    const perFill = Array.from(
      { length: FILLS },
      (_, index) => kept.filter((run) => run[index] === true).length,
    )
    expect(chiSquareP(perFill, binomialPmf(SEEDS.length, p))).toBeGreaterThan(0.01)
    const pairs = perFill
      .slice(1)
      .map((_, index) => kept.filter((run) => run[index] === run[index + 1]).length)
    const alike = p * p + (1 - p) * (1 - p)
    const z = pairs.map(
      (count) => (count - SEEDS.length * alike) / Math.sqrt(SEEDS.length * alike * (1 - alike)),
    )
    expect(Math.max(...z.map(Math.abs))).toBeLessThan(3.5)
  })
})

describe('routed', () => {
  const takesOf = (others: readonly (number | null)[], own = 60) => {
    const { takes } = model('routed')
    return others.map((otherBps, index) => takes(recorded(`f${index}`, 40), standing(own, { otherBps })))
  }

  test('a rival narrower by more than the tolerance takes all, one wider by more than it takes nothing', () => {
    expect(takesOf([54, 54, 54])).toEqual([false, false, false])
    expect(takesOf([66, 66, 66])).toEqual([true, true, true])
  })

  test('within the tolerance, to its very edge, no matter who was filled least recently is next', () => {
    expect(takesOf([55, 55, 55, 55])).toEqual([true, false, true, false])
    expect(takesOf([65, 60, 57, 62])).toEqual([true, false, true, false])
  })

  test('a fill that went to the narrower one makes the other one next', () => {
    expect(takesOf([90, 60, 60])).toEqual([true, false, true])
    expect(takesOf([30, 60, 60])).toEqual([false, true, false])
  })

  test('where turns were taken when it was recorded, every recorded fill was ours and is so again', () => {
    const all = (recordedBps: number, own: number, otherBps: number) => {
      const { takes } = model('routed')
      return [1, 2, 3].map((n) => takes(recorded(`f${n}`, recordedBps), standing(own, { otherBps })))
    }
    // The quote as it was, a narrower and a wider one that still share, and the edges of the tolerance.
    for (const [recordedBps, own] of [
      [60, 60],
      [60, 56],
      [57, 61],
      [53, 63],
      [63, 53],
    ] as const) {
      expect(all(recordedBps, own, 58)).toEqual([true, true, true])
    }
    expect(all(52, 60, 58)).toEqual([true, false, true])
    expect(all(64, 60, 58)).toEqual([true, false, true])
  })

  test('without a tolerance only the narrowest is filled, and takers mind no price', () => {
    const { takes } = model('routed')
    const at = (own: number, otherBps: number) =>
      takes(recorded('f', 40), standing(own, { otherBps, toleranceBps: 0 }))
    expect([at(60, 61), at(60, 59), at(499, 500)]).toEqual([true, false, true])
  })

  test('where the others are not known, being wider than recorded loses the fill', () => {
    expect(takesOf([null, null], 40)).toEqual([true, true])
    expect(takesOf([null, null], 41)).toEqual([false, false])
  })
})

describe('simulated', () => {
  const DAYS = 200

  test.each([
    ['names who is picked, hour by hour the other one or us', (hour: number) => (hour % 2 === 0 ? 58 : 60)],
    ['names the best of the others', () => 58],
  ])(
    'beside a rival within the tolerance half of the takers come to us: a tape that %s',
    async (_what, shown) => {
      const days = 20
      const rows = [
        rateRow(START, MID),
        balancesRow(START, { NTZS: 10n ** 28n, USDC: 10n ** 25n }),
        quoteRow(START, 60, 60),
        ...Array.from({ length: 24 * days }, (_, hour) => {
          const t = START + 1_000 + hour * HOUR_MS
          return [
            rateRow(t, MID, { rateUpdatedAt: t }),
            ...SIDES.map((side) => rivalRow(t, side, shown(hour))),
          ]
        }).flat(),
        rateRow(START + days * DAY, MID),
      ]
      const strategy = worldStrategy({ use: 'fixed-spread', params: { bidBps: 60, askBps: 60 } })
      const { outcome } = await runTape(rows, { strategy, fills: model('simulated', 3, [10, 10]) })
      const expected = 2 * A * Math.exp(-K * 60) * days * 0.5
      expect(Math.abs(outcome.fills - expected)).toBeLessThan(4 * Math.sqrt(expected))
    },
  )

  test('takers come at a exp(-k d) a day on each side, for every d at once', () => {
    const made = takersOf(model('simulated', 11), DAYS)
    for (const side of SIDES) {
      for (const d of [10, 30, 60, 120]) {
        const accepting = made.filter((taker) => taker.side === side && (taker.reservationBps ?? 0) >= d)
        const perDay = Array.from({ length: DAYS }, () => 0)
        for (const { t } of accepting) {
          const day = Math.floor((t - START) / DAY)
          if (day < DAYS) perDay[day]! += 1
        }
        expect(chiSquareP(perDay, poissonPmf(A * Math.exp(-K * d)))).toBeGreaterThan(0.01)
        expect(chiSquareP(perDay, poissonPmf(1.2 * A * Math.exp(-K * d)))).toBeLessThan(0.001)
      }
    }
  })

  test('they come in time order, and who comes does not depend on what we quote', () => {
    const made = takersOf(model('simulated', 2), 30)
    expect(made.map(({ t }) => t)).toEqual(made.map(({ t }) => t).toSorted((a, b) => a - b))
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length)
    const quoted = model('simulated', 2)
    const stream = quoted.takers?.(START)
    const met: (Taker | undefined)[] = []
    for (let index = 0; index < made.length; index++) {
      const taker = stream?.next().value
      met.push(taker)
      if (taker !== undefined) quoted.takes(taker, standing(10 + ((index * 37) % 400)))
    }
    expect(met).toEqual(made)
  })

  test('a taker trades up to the spread that it accepts, and recorded fills take no part', () => {
    const simulated = model('simulated', 4)
    for (const taker of takersOf(simulated, 5)) {
      const widest = taker.reservationBps ?? 0
      expect(simulated.takes(taker, standing(Math.floor(widest)))).toBe(true)
      expect(simulated.takes(taker, standing(Math.floor(widest) + 1))).toBe(false)
    }
    expect(simulated.usesRecorded).toBe(false)
    expect(simulated.takes(recorded('f', 60), standing(10))).toBe(false)
  })

  test('sizes lie within the quantiles that were learned, half of them under the middle one', () => {
    const sizes = takersOf(model('simulated', 6, [50, 100, 400]), 60).map(({ usd }) => usd ?? 0)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(50)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(400)
    const under = sizes.filter((usd) => usd < 100).length
    expect(Math.abs(under / sizes.length - 0.5)).toBeLessThan(3 * Math.sqrt(0.25 / sizes.length))
    expect(new Set(takersOf(model('simulated', 6), 5).map(({ usd }) => usd))).toEqual(new Set([250]))
  })

  test('within the tolerance of a rival half of them come to us, the same ones every time', () => {
    const simulated = model('simulated', 8)
    const made = takersOf(simulated, 60)
    const ours = (own: number, otherBps: number) =>
      made.filter((taker) => simulated.takes({ ...taker, reservationBps: 500 }, standing(own, { otherBps })))
    expect(ours(60, 66)).toEqual(made)
    expect(ours(60, 54)).toEqual([])
    const shared = ours(60, 60)
    expect(ours(63, 60)).toEqual(shared)
    expect(Math.abs(shared.length / made.length - 0.5)).toBeLessThan(3 * Math.sqrt(0.25 / made.length))
  })

  test('in a run all fills are synthetic, in dollars that were drawn, worth the same in shillings', async () => {
    const rows = [
      rateRow(START, MID),
      balancesRow(START),
      quoteRow(START, 60, 60),
      bringsUsdc(START + 5_000, 'f1', 10),
      rateRow(START + 5 * DAY, MID),
    ]
    const { outcome, told } = await runTape(rows, { fills: model('simulated', 9, [100, 100]) })
    expect(outcome.fills).toBeGreaterThan(50)
    expect(outcome.syntheticFills).toBe(outcome.fills)
    for (const { side, dollars18, shillings } of told.fills) {
      expect(side === 'ask' ? dollars18 : (shillings * 10n ** 18n) / MID).toBe(
        side === 'ask' ? 100n * 10n ** 18n : 100n * 10n ** 18n,
      )
    }
  })

  test('no taker is drawn while the venue reports that it does not quote', async () => {
    const closed = [
      rateRow(START, MID, { quotable: false }),
      balancesRow(START),
      rateRow(START + 5 * DAY, MID, { quotable: false }),
    ]
    const { outcome } = await runTape(closed, { fills: model('simulated', 9) })
    expect(outcome.fills).toBe(0)
  })
})

describe('the posterior of a calibration', () => {
  const wide = { value: A, low: A / 2, high: A * 2 }
  const calibration = calibrationOf(A, K)
  const uncertain = { ...calibration, both: { ...calibration.both, a: wide } }
  const rateAt = (seed: number, draws: boolean) => {
    const made = createFillModel({ name: 'simulated', seed, calibration: uncertain, draws })
    return takersOf(made, 10).length / 20
  }

  test('is drawn per seed where that is asked for, within its width, and else left at its middle', () => {
    const at10 = A * Math.exp(-K * 10)
    const drawn = SEEDS.slice(0, 40).map((seed) => rateAt(seed, true) / at10)
    expect(drawn.filter((share) => share > 0.45 && share < 2.2).length).toBeGreaterThan(32)
    expect(Math.max(...drawn) / Math.min(...drawn)).toBeGreaterThan(2)
    const fixed = SEEDS.slice(0, 40).map((seed) => rateAt(seed, false) / at10)
    expect(Math.max(...fixed) / Math.min(...fixed)).toBeLessThan(1.3)
  })

  test('a side with an estimate of its own uses that', () => {
    const own = { ...calibration, bid: { ...calibration.both, a: { value: 4 * A, low: 4 * A, high: 4 * A } } }
    const made = takersOf(createFillModel({ name: 'simulated', seed: 1, calibration: own, draws: false }), 20)
    const [bid, ask] = SIDES.map((side) => made.filter((taker) => taker.side === side).length)
    expect((bid ?? 0) / (ask ?? 1)).toBeGreaterThan(3.5)
    expect((bid ?? 0) / (ask ?? 1)).toBeLessThan(4.5)
  })
})
