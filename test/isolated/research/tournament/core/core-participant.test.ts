import { describe, expect, test } from 'vitest'
import { loadVariant } from '../../../../../src/research/jobs/tournament/participants.ts'
import { drawWorld, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import { playWorld } from '../../../../../src/research/scenarios/play/play-world.ts'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'
import type { LoadedStrategy } from '../../../../../src/core/strategy/define-strategy.ts'
import { CoreParticipant } from '../../../../../src/research/tournament/core/core-participant.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const never = () => false
const NO_FEED = { tauBps: null }

async function shipped(use: string, params: Record<string, unknown>): Promise<LoadedStrategy> {
  const loaded = await loadVariant({ use, params }, 'config/tournament.yaml')
  if (!loaded.ok) throw new Error(loaded.error)
  return loaded.value
}

function worldOf(name: string, seed: number, days = 90) {
  return drawWorld(prepareScenario(shippedScenario(name), days), seed)
}

describe("the daemon's core in a world", () => {
  test('earns to the last millionth what a plain function with the same constant spread earns', async () => {
    const strategy = await shipped('fixed-spread', { bidBps: 40, askBps: 55 })
    for (const name of ['normal', 'devaluation', 'api-outage']) {
      const world = worldOf(name, 13, 28)
      const plain = playWorld(world, () => ({ bidBps: 40, askBps: 55 }), NO_FEED)
      expect(playWorld(world, new CoreParticipant(strategy, null, never).decide, NO_FEED)).toEqual(plain)
      expect(plain.restockings).toBeGreaterThan(0)
    }
  })

  test('skews its quotes with the inventory that its fills and restockings leave', async () => {
    const strategy = await shipped('inventory-skew', { halfSpreadBps: 60, maxSkewBps: 80, offBeyond: 1 })
    const core = new CoreParticipant(strategy, null, never)
    let largest = 0
    playWorld(
      worldOf('devaluation', 4, 28),
      (view) => {
        const quotes = core.decide(view)
        const d = (view.stock.bid - 15_000) / 15_000
        const off = Math.abs((quotes.askBps ?? 0) - Math.min(500, Math.max(10, 60 + 80 * d)))
        largest = Math.max(largest, off)
        return quotes
      },
      NO_FEED,
    )
    // The core counts shillings at the mid, the world to first order.
    expect(largest).toBeLessThan(12)
  })

  test('learns from its first week what mizani calibrate learns of such a tape, and quotes by it from day 7 on', () => {
    const known: { day: number; fills: number | null; k: number | null }[] = []
    const strategy = testStrategy((context: StrategyContext) => {
      const { calibration, now } = context
      known.push({
        day: (now - Date.UTC(2024, 0, 1)) / 86_400_000,
        fills: calibration?.both.fills ?? null,
        k: calibration?.both.k.value ?? null,
      })
      return { bidBps: 55, askBps: 55, reasons: [] }
    })
    const core = new CoreParticipant(strategy, null, never, { from: 'firstWeek', ditherBps: 20 })
    const { fills } = playWorld(worldOf('normal', 1, 14), core.decide, NO_FEED)
    expect(known.every(({ day, fills: learned }) => day < 7 === (learned === null))).toBe(true)
    const last = known.at(-1)
    expect(last?.fills).toBeGreaterThan(30)
    expect(last?.fills).toBeLessThan(fills.retail + fills.informed)
    // Reservations of this world are 80 bps on average.
    expect(last?.k).toBeGreaterThan(1 / 400)
    expect(last?.k).toBeLessThan(1 / 20)
  })

  test('moves its quotes while it learns, by the dither of the entrant, and not afterwards', () => {
    const strategy = testStrategy(() => ({ bidBps: 55, askBps: 55, reasons: [] }))
    const core = new CoreParticipant(strategy, null, never, { from: 'firstWeek', ditherBps: 20 })
    const spreads: { readonly hour: number; readonly bps: number | null }[] = []
    playWorld(
      worldOf('normal', 1, 14),
      (view) => {
        const quotes = core.decide(view)
        spreads.push({ hour: view.hour, bps: quotes.bidBps })
        return quotes
      },
      NO_FEED,
    )
    const distinct = (from: number, to: number) =>
      new Set(spreads.filter(({ hour }) => hour >= from && hour < to).map(({ bps }) => bps)).size
    expect(distinct(0, 167)).toBeGreaterThan(10)
    expect(distinct(168, 336)).toBe(1)
  })

  test('shows the strategy the mid, its age, the best quote, the fills, and a feed that goes stale after a day', () => {
    const seen: { fair: number; mid: number; age: number | null; best: number | null; fills: number }[] = []
    const strategy = testStrategy((context: StrategyContext) => {
      seen.push({
        fair: context.fairValue.tzsPerUsd,
        mid: context.mid,
        age: context.midAgeMs,
        best: context.competition.bid?.bestBps ?? null,
        fills: context.recentFills.length,
      })
      return { bidBps: 40, askBps: 40, reasons: ['a test'] }
    })
    playWorld(worldOf('weekend', 3, 28), new CoreParticipant(strategy, 25, never).decide, { tauBps: 25 })
    expect(seen.length).toBeGreaterThan(28 * 48)
    expect(seen.some(({ fair, mid }) => fair !== mid)).toBe(true)
    // The board is shut from Friday to Monday: a reading of Friday counts for a day.
    expect(seen.slice(0, 4 * 48).at(-1)?.fair).toBeDefined()
    expect(seen.some(({ fair, mid }, index) => index > 200 && fair === mid)).toBe(true)
    expect(seen.every(({ age }) => age !== null && age >= 0)).toBe(true)
    // Our own 40 is the best from its first PATCH on, unless a rival is better or our side is empty.
    expect(seen.slice(10).some(({ best }) => best === 40)).toBe(true)
    expect(seen.slice(10).every(({ best }) => best !== null && best < 100)).toBe(true)
    expect(seen.at(-1)?.fills).toBe(100)
  })

  test('lets a quote widen step by step to the rival behind it in one moment', () => {
    let bps = 10
    const walking = testStrategy(({ competition }: StrategyContext) => {
      // No one is seen behind our own spread: a little wider.
      if (competition.bid?.bestBps === bps && bps < 300) bps += 2
      return { bidBps: bps, askBps: 300, reasons: ['a test'] }
    })
    const core = new CoreParticipant(walking, null, never)
    let widest = 0
    playWorld(
      worldOf('normal', 1, 7),
      (view) => {
        const before = bps
        const quotes = core.decide(view)
        widest = Math.max(widest, bps - before)
        return quotes
      },
      NO_FEED,
    )
    expect(widest).toBeGreaterThan(2 * 8)
  })

  test('ends with an error where the strategy throws', () => {
    const broken = testStrategy(() => {
      throw new Error('no such table')
    })
    const play = () =>
      playWorld(worldOf('normal', 1, 14), new CoreParticipant(broken, null, never).decide, NO_FEED)
    expect(play).toThrow(/suspended.*such table/)
  })
})
