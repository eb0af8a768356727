import { describe, expect, test } from 'vitest'
import { drawWorld, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import type { Participant, WorldFill } from '../../../../../src/research/scenarios/play/participant.ts'
import { playWorld } from '../../../../../src/research/scenarios/play/play-world.ts'
import type { ScenarioChanges } from '../../../../../src/research/scenarios/scenario.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

const DAYS = 60

function worldOf(changes: ScenarioChanges, name = 'normal') {
  return drawWorld(prepareScenario(shippedScenario(name, changes), DAYS), 3)
}

/** Plays a constant of `bps` and returns the result with the views, the fills and the readings of a feed of 25 bps. */
function played(changes: ScenarioChanges, { bps = 40, name = 'normal' } = {}) {
  const world = worldOf(changes, name)
  const fills: WorldFill[] = []
  const readings: { readonly hour: number; readonly off: number; readonly bps: number }[] = []
  const others: (number | null)[] = []
  const participant: Participant = ({ hour, feedBps, news, others: { bidBps } }) => {
    for (const one of news) if (one.what === 'fill') fills.push(one)
    if (feedBps !== null)
      readings.push({ hour, off: feedBps - (world.rate[Math.floor(hour)] ?? 0), bps: feedBps })
    others.push(bidBps)
    return { bidBps: bps, askBps: bps }
  }
  return { world, fills, readings, others, result: playWorld(world, participant, { tauBps: 25 }) }
}

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
const sd = (values: readonly number[]) => Math.sqrt(mean(values.map((one) => one ** 2)) - mean(values) ** 2)
const plain = played({})

describe('a world with the values of `normal`', () => {
  test('plays to the last digit as it did before the conditions of adverse markets existed', () => {
    const usd = (name: string) =>
      playWorld(worldOf({}, name), () => ({ bidBps: 40, askBps: 40 }), { tauBps: null }).pnlUsd
    expect([usd('normal'), usd('devaluation'), usd('undercut'), usd('fat-finger-mid')])
      .toMatchInlineSnapshot(`
      [
        1457.474568,
        -15.374672,
        -98.565056,
        1393.25603,
      ]
    `)
  })
})

describe('a feed', () => {
  test('has the bias and the true error of the scenario, not those that the strategy states', () => {
    const biased = played({ feed: { biasBps: 60 } }).readings
    expect(biased.map(({ off }) => off - 60)).toEqual(plain.readings.map(({ off }) => expect.closeTo(off, 9)))
    const worse = played({ feed: { errorBps: 75 } }).readings
    expect(sd(worse.map(({ off }) => off)) / sd(plain.readings.map(({ off }) => off))).toBeCloseTo(3, 9)
  })

  test('with heavy tails keeps its standard deviation and has larger extremes', () => {
    const { error } = worldOf({ feed: { tailWeight: 0.2 } }).feed
    const usual = worldOf({}).feed.error
    expect(sd([...error]) / sd([...usual])).toBeGreaterThan(0.8)
    expect(sd([...error]) / sd([...usual])).toBeLessThan(1.3)
    expect(Math.max(...error.map(Math.abs))).toBeGreaterThan(1.3 * Math.max(...usual.map(Math.abs)))
  })

  test('that is delayed, stuck or copied shows the past, one value, or the mid', () => {
    const { readings, world } = played({ feed: { delayHours: 12, errorBps: 0 } })
    for (const { hour, bps } of readings.slice(100)) expect(bps).toBe(world.rate[Math.floor(hour) - 12])
    const stuck = played({ feed: { stuckSpells: 6, stuckDays: 5 } }).readings
    expect(new Set(stuck.map(({ bps }) => bps)).size).toBeLessThan(0.8 * stuck.length)
    const copied = played({ feed: { copyShare: 1, errorBps: 0 } }).readings
    expect(new Set(copied.map(({ bps }) => bps)).size).toBeLessThan(DAYS)
  })
})

describe("the venue's terms", () => {
  test('of fee and slippage make takers leave; slippage is earned, and a fee can begin later', () => {
    const fee = played({ terms: { feeBps: 30, feeFromDay: 30 } })
    const before = ({ fills }: typeof plain) => fills.filter(({ hour }) => hour < 30 * 24)
    expect(before(fee)).toEqual(before(plain))
    expect(fee.result.fills.retail).toBeLessThan(0.9 * plain.result.fills.retail)
    const slippage = played({ terms: { slippageBps: 30 } })
    expect(slippage.fills.filter(({ by }) => by === 'retail').every(({ bps }) => bps === 70)).toBe(true)
    expect(slippage.result.fills.retail).toBeLessThan(0.9 * plain.result.fills.retail)
  })

  test('of publication give one update for each hour of a working day', () => {
    const { updates } = worldOf({ publication: { atHours: [7, 12] } })
    expect(updates).toHaveLength(2 * plain.world.updates.length)
    expect(new Set(updates.map(({ hour }) => Math.floor(hour % 24)))).toEqual(new Set([7, 12]))
  })

  test('of tolerance decide whether a wider quote still gets takers', () => {
    const retail = (toleranceBps: number) =>
      played({ terms: { toleranceBps }, rivals: { followBps: [], staticBps: [55] } }, { bps: 70 }).result
        .fills.retail
    expect(retail(0)).toBe(0)
    expect(retail(30)).toBeGreaterThan(100)
  })

  test('of void fills reverse each fill at its own price and leave nothing', () => {
    const { fills, result } = played({ terms: { voidShare: 1 } })
    expect(fills.length).toBeGreaterThan(100)
    expect(Math.abs(result.retailUsd)).toBeLessThan(0.05 * plain.result.retailUsd)
  })

  test('of suspension leave us without a taker meanwhile', () => {
    const { world, fills } = played({ terms: { suspensions: 4, suspensionDays: 5 } })
    expect(world.suspensions.length).toBeGreaterThan(0)
    for (const { from, to } of world.suspensions)
      expect(fills.filter(({ hour }) => hour > from + 1 && hour < to)).toEqual([])
  })

  test('without restocking leave the sides as they are', () => {
    const drained = { retail: { bidPerDay: 0 } }
    expect(played(drained).result.restockings).toBeGreaterThan(0)
    expect(played({ ...drained, restocking: { isWeekly: false } }).result.restockings).toBe(0)
  })
})

describe('takers', () => {
  test('that are large accept less, and under another law accept otherwise at the same mean', () => {
    const { retail } = worldOf({ retail: { sizePatience: 1 } })
    retail.forEach(({ side, usd, reservationBps }, index) => {
      const usual = plain.world.retail[index]?.reservationBps ?? 0
      const times = Math.max(1, usd / (side === 'ask' ? 216 : 1_240))
      expect(reservationBps * times).toBeCloseTo(usual, 6)
    })
    const reservations = (law: 'equal' | 'uniform') =>
      worldOf({ retail: { law } }).retail.map(({ reservationBps }) => reservationBps)
    expect(new Set(reservations('equal'))).toEqual(new Set([80]))
    expect(mean(reservations('uniform'))).toBeCloseTo(80, -1)
    expect(Math.max(...reservations('uniform'))).toBeLessThanOrEqual(160)
  })

  test('of a script come on time, and one side stays away for a week', () => {
    const script = { side: 'bid' as const, usd: 500, everyHours: 6, reservationBps: 50 }
    const scripted = worldOf({ retail: { scripts: [script], bidPerDay: 0 } }).retail.filter(
      ({ side }) => side === 'bid',
    )
    expect(scripted).toHaveLength(DAYS * 4)
    const { retail } = worldOf({ retail: { oneSided: 10 } })
    expect(retail.length).toBeLessThan(0.9 * plain.world.retail.length)
  })

  test('and the rate follow another regime from its day on', () => {
    const { retail, rate, looks } = worldOf({
      regime: { fromDay: 30, askFactor: 0, sigmaFactor: 0, driftBpsPerDay: 100, looksFactor: 0 },
    })
    expect(retail.filter(({ side, hour }) => side === 'ask' && hour >= 30 * 24)).toEqual([])
    expect(looks.every(({ hour }) => hour < 30 * 24)).toBe(true)
    expect(rate.slice(0, 30 * 24)).toEqual(plain.world.rate.slice(0, 30 * 24))
    expect((rate.at(-1) ?? 0) - (rate[30 * 24] ?? 0)).toBeGreaterThan(1_500)
  })
})

describe('rivals', () => {
  test('that react at once leave no taker to a quote that they can undercut', () => {
    const bot = { undercut: true, undercutByBps: 1, undercutFloorBps: 20, staticBps: [], followBps: [] }
    const terms = { terms: { toleranceBps: 0 }, informed: { looksPerDay: 0 } }
    const late = played({ ...terms, rivals: { ...bot, reactionMinutes: 30 } })
    const fast = played({ ...terms, rivals: { ...bot, reactionMinutes: 0 } })
    expect(fast.result.fills.retail).toBe(0)
    expect(late.result.fills.retail).toBeLessThan(3)
    // A quote that changes each half hour escapes the slow rival alone.
    const moving: Participant = ({ hour }) => ({ bidBps: 40 - (hour % 10), askBps: 40 - (hour % 10) })
    const retail = (reactionMinutes: number) =>
      playWorld(worldOf({ ...terms, rivals: { ...bot, reactionMinutes } }), moving, { tauBps: null }).fills
        .retail
    expect(retail(30)).toBeGreaterThan(100)
    expect(retail(0)).toBe(0)
    expect(retail(10)).toBeGreaterThan(retail(0))
    expect(retail(10)).toBeLessThan(retail(30))
  })

  test('that are seen late are shown as they stood then', () => {
    const late = played({ stated: { rivalsLateHours: 2 } }).others
    const now = plain.others
    expect(late).not.toEqual(now)
    expect(new Set(late)).toEqual(new Set(now.slice(0, -4)))
  })
})
