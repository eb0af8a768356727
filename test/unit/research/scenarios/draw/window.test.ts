import { describe, expect, test } from 'vitest'
import { worldWindow } from '../../../../../src/research/scenarios/draw/window.ts'
import { drawWorld, hourlyGaps, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import { playWorld } from '../../../../../src/research/scenarios/play/play-world.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

const quotes = { bidBps: 40, askBps: 60 }
const NEVER = { belowShare: -1, delayHours: 0, costBps: 0, failure: 0 }

function worldOf(name: string, seed: number, days = 30) {
  const world = drawWorld(prepareScenario(shippedScenario(name), days), seed)
  return { world, gaps: hourlyGaps(world.rate, world.updates) }
}

describe('a window of a world', () => {
  test('of all its days is the world', () => {
    const { world, gaps } = worldOf('undercut', 4)
    const settings = { tauBps: null, refills: NEVER }
    expect(playWorld(worldWindow(world, gaps, 0, 30), () => quotes, settings)).toEqual(
      playWorld(world, () => quotes, settings),
    )
  })

  test('begins with the gap of that moment and has the moves, updates and takers of its days', () => {
    const { world, gaps } = worldOf('stale-jump', 5)
    const window = worldWindow(world, gaps, 9, 2)
    expect(window.rate[0]).toBeCloseTo(gaps[216] ?? NaN, 9)
    expect(window.rate).toHaveLength(49)
    expect((window.rate[48] ?? 0) - (window.rate[0] ?? 0)).toBeCloseTo(world.rate[264]! - world.rate[216]!, 9)
    const within = ({ hour }: { readonly hour: number }) => hour >= 216 && hour < 264
    expect(window.retail.map(({ hour, ...taker }) => ({ ...taker, hour: hour + 216 }))).toEqual(
      world.retail.filter(within).map((taker) => ({ ...taker, hour: taker.hour - 216 + 216 })),
    )
    expect(window.updates.map(({ bps }) => bps + world.rate[216]! - gaps[216]!)).toEqual(
      world.updates.filter(within).map(({ bps }) => expect.closeTo(bps, 6)),
    )
  })

  test('keeps suspensions and a change of the fee at their time', () => {
    const { world, gaps } = worldOf('suspended-unseen', 2, 90)
    const [first] = world.suspensions
    if (first === undefined) throw new Error('no suspension')
    const day = Math.floor(first.from / 24)
    expect(worldWindow(world, gaps, day, 1).suspensions[0]).toEqual({
      from: first.from - 24 * day,
      to: first.to - 24 * day,
    })
    const raised = worldOf('fee-rises', 2)
    const { feeFromDay } = raised.world.scenario.terms
    const terms = worldWindow(raised.world, raised.gaps, 20, 7).scenario.terms
    expect(terms).toEqual({ ...raised.world.scenario.terms, feeFromDay: feeFromDay - 20 })
  })

  test('is played from the given stocks, and a side that holds nothing trades nothing', () => {
    const { world, gaps } = worldOf('normal', 6)
    const window = worldWindow(world, gaps, 7, 7)
    const played = (bid: number, ask: number) =>
      playWorld(window, () => quotes, { tauBps: null, refills: NEVER, opening: { bid, ask } })
    expect(played(0, 0)).toMatchObject({ tradedUsd: 0, pnlUsd: 0 })
    expect(played(100, 0).tradedUsd).toBeLessThanOrEqual(played(50_000, 0).tradedUsd)
    expect(played(0, 5_000).tradedUsd).toBeGreaterThan(0)
  })
})
