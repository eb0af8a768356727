import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOfHour, isWorkingDay } from '../../../../../src/research/scenarios/draw/calendar.ts'
import {
  drawWorld,
  hourlyGaps,
  prepareScenario,
  type ScenarioWorld,
} from '../../../../../src/research/scenarios/draw/world.ts'
import { playWorld } from '../../../../../src/research/scenarios/play/play-world.ts'
import { SCENARIO_NAMES } from '../../../../../src/research/scenarios/scenario.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

const SEEDS = Array.from({ length: 40 }, (_, index) => 500 + index)

const drawn = new Map<string, readonly ScenarioWorld[]>()

/** Forty worlds of a scenario, each of 90 days; drawn once for all tests. */
function worlds(name: string): readonly ScenarioWorld[] {
  const before = drawn.get(name)
  if (before !== undefined) return before
  const prepared = prepareScenario(shippedScenario(name), 90)
  const all = SEEDS.map((seed) => drawWorld(prepared, seed))
  drawn.set(name, all)
  return all
}

/** sd over root steps, of moves over so many updates. */
function stepSd(all: readonly ScenarioWorld[], over: number): number {
  const moves = all.flatMap(({ updates }) =>
    updates.slice(over).map(({ bps }, index) => (bps - (updates[index]?.bps ?? 0)) / Math.sqrt(over)),
  )
  return Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length)
}

function autocorrelation(all: readonly ScenarioWorld[]): number {
  let products = 0
  let squares = 0
  for (const { updates } of all) {
    const steps = updates.slice(1).map(({ bps }, index) => bps - (updates[index]?.bps ?? 0))
    steps.forEach((step, index) => {
      squares += step * step
      if (index > 0) products += step * (steps[index - 1] ?? 0)
    })
  }
  return products / squares
}

describe('a world that is drawn', () => {
  test('is the same for equal seeds whatever was quoted in it, and another one for each seed', () => {
    for (const name of SCENARIO_NAMES) {
      const prepared = prepareScenario(shippedScenario(name), 14)
      const world = drawWorld(prepared, 7)
      const before = structuredClone(world)
      playWorld(world, () => ({ bidBps: 10, askBps: 500 }), { tauBps: 25 })
      expect(world).toEqual(before)
      expect(drawWorld(prepared, 7)).toEqual(world)
      expect(drawWorld(prepared, 8).rate).not.toEqual(world.rate)
    }
  })

  test('changes in one part leave what the other streams draw as it was', () => {
    const normal = drawWorld(prepareScenario(shippedScenario('normal'), 28), 3)
    const busy = shippedScenario('normal', { retail: { askPerDay: 200 }, publication: { noiseBps: 20 } })
    const other = drawWorld(prepareScenario(busy, 28), 3)
    expect(other.rate).toEqual(normal.rate)
    expect(other.looks).toEqual(normal.looks)
    expect(other.feed).toEqual(normal.feed)
    expect(other.updates).not.toEqual(normal.updates)
  })

  test('has the moments of the published series: sd 17.1, autocorrelation .19, five steps 21.3, ten 23.2; in `calm` 6.2', () => {
    const normal = worlds('normal')
    expect(Math.abs(stepSd(normal, 1) - 17.1)).toBeLessThan(0.9)
    expect(Math.abs(autocorrelation(normal) - 0.19)).toBeLessThan(0.05)
    expect(Math.abs(stepSd(normal, 5) - 21.3)).toBeLessThan(1.3)
    expect(Math.abs(stepSd(normal, 10) - 23.2)).toBeLessThan(1.8)
    expect(Math.abs(stepSd(worlds('calm'), 1) - 6.2)).toBeLessThan(0.4)
  })

  test('brings 60 takers with dollars and 10 who want them a weekday, of 216 and 1,240 USD on average', () => {
    const retail = worlds('normal').flatMap(({ retail }) => retail)
    for (const [side, perDay, meanUsd] of [
      ['ask', 60, 216],
      ['bid', 10, 1_240],
    ] as const) {
      const all = retail.filter((one) => one.side === side)
      const working = all.filter(({ hour }) => isWorkingDay(dayOfHour(hour)))
      // 65 of 90 days are working days.
      expect(working.length / (SEEDS.length * 65) / perDay).toBeCloseTo(1, 1)
      expect((all.length - working.length) / (SEEDS.length * 25) / perDay).toBeCloseTo(0.7, 1)
      const mean = all.reduce((sum, { usd }) => sum + usd, 0) / all.length
      expect(Math.abs(mean / meanUsd - 1)).toBeLessThan(0.06)
    }
  })

  test('publishes on working days after 07:00 alone, and nothing while it is held', () => {
    const hours = worlds('stale-jump').flatMap(({ updates }) => updates.map(({ hour }) => hour))
    expect(
      hours.filter((hour) => !isWorkingDay(dayOfHour(hour)) || hour % 24 < 7 || hour % 24 >= 7.2),
    ).toEqual([])
    const counts = worlds('stale-jump').map(({ updates }) => updates.length)
    expect(Math.min(...counts)).toBeLessThan(60)
    expect(worlds('normal').every(({ updates }) => updates.length === 64)).toBe(true)
  })

  test('corrects a typo of 350 bps after two hours and brings a dozen looks meanwhile', () => {
    const typos = worlds('fat-finger-mid').flatMap(({ updates, looks }) =>
      updates.flatMap((update, index) => {
        const next = updates[index + 1]
        if (!update.isTypo || next === undefined) return []
        expect(Math.abs(Math.abs(update.bps - next.bps) - 350)).toBeLessThan(1e-9)
        expect(next.hour - update.hour).toBeCloseTo(2, 9)
        return looks.filter(({ hour }) => hour > update.hour && hour < next.hour).length
      }),
    )
    expect(typos.length).toBeGreaterThan(60)
    expect(typos.reduce((sum, looks) => sum + looks, 0) / typos.length).toBeGreaterThan(10)
  })

  test('moves at weekends in `weekend` alone', () => {
    const weekendMove = ({ rate }: ScenarioWorld) => Math.abs((rate[7 * 24] ?? 0) - (rate[5 * 24] ?? 0))
    expect(worlds('normal').every((world) => weekendMove(world) === 0)).toBe(true)
    expect(worlds('weekend').every((world) => weekendMove(world) > 0)).toBe(true)
  })

  test('has finite gaps for every scenario that the schema admits', () => {
    const scenario = fc.record({
      sigmaBps: fc.double({ min: 0, max: 500, noNaN: true }),
      driftBpsPerDay: fc.double({ min: -200, max: 200, noNaN: true }),
      runs: fc.double({ min: 0, max: 30, noNaN: true }),
      runBps: fc.double({ min: 0, max: 2_000, noNaN: true }),
      runBackShare: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(scenario, fc.integer(), fc.integer({ min: 14, max: 40 }), (rate, seed, days) => {
        const world = drawWorld({ scenario: shippedScenario('normal', { rate }), days, gapBps: 20 }, seed)
        expect([...hourlyGaps(world.rate, world.updates)].every(Number.isFinite)).toBe(true)
        const { pnlUsd } = playWorld(world, () => ({ bidBps: 40, askBps: 40 }), { tauBps: 25 })
        expect(Number.isFinite(pnlUsd)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})
