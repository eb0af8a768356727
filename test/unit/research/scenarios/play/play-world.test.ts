import { describe, expect, test } from 'vitest'
import { drawWorld, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import type { Participant, WorldFill } from '../../../../../src/research/scenarios/play/participant.ts'
import { playWorld } from '../../../../../src/research/scenarios/play/play-world.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'

const constant =
  (bps: number): Participant =>
  () => ({ bidBps: bps, askBps: bps })
const NO_FEED = { tauBps: null }

function worldOf(name: string, seed: number, days = 90) {
  return drawWorld(prepareScenario(shippedScenario(name), days), seed)
}

/** Remembers what it was shown; quotes a constant. */
function recording(bps: number) {
  const fills: WorldFill[] = []
  const participant: Participant = ({ news }) => {
    for (const one of news) if (one.what === 'fill') fills.push(one)
    return { bidBps: bps, askBps: bps }
  }
  return { fills, participant }
}

describe('a world that is played', () => {
  test('gives equal results to equal participants, and other results to other seeds', () => {
    const world = worldOf('api-outage', 5)
    const first = playWorld(world, constant(40), NO_FEED)
    expect(playWorld(worldOf('api-outage', 5), constant(40), NO_FEED)).toEqual(first)
    expect(playWorld(worldOf('api-outage', 6), constant(40), NO_FEED).pnlUsd).not.toBe(first.pnlUsd)
  })

  test('splits the PnL into parts and days that sum to it', () => {
    for (const name of ['normal', 'devaluation', 'stablecoin-basis', 'fat-finger-mid', 'undercut']) {
      const result = playWorld(worldOf(name, 11), constant(40), NO_FEED)
      const { pnlUsd, retailUsd, informedUsd, restockingUsd, carryUsd, dailyUsd } = result
      expect(Math.abs(retailUsd + informedUsd + restockingUsd + carryUsd - pnlUsd)).toBeLessThan(1e-9)
      expect(dailyUsd).toHaveLength(90)
      expect(dailyUsd.reduce((sum, day) => sum + day, 0)).toBeCloseTo(pnlUsd, 5)
    }
  })

  test('gains and loses as carry exactly what the position between two fills makes of the moves of the rate', () => {
    const world = worldOf('devaluation', 3)
    let dollars = 0
    let hour = 0
    let carry = 0
    const until = (to: number): void => {
      const rateAt = (at: number) => world.rate[Math.floor(at)] ?? 0
      carry += (dollars * (rateAt(to) - rateAt(hour))) / 10_000
      hour = to
    }
    const result = playWorld(
      world,
      ({ news }) => {
        for (const one of news) {
          until(one.hour)
          if (one.what === 'restocking') dollars += one.usd
          else dollars += one.side === 'ask' ? one.usd : -one.usd
        }
        return { bidBps: 60, askBps: 60 }
      },
      NO_FEED,
    )
    until(90 * 24)
    // Fills after the last decision are not shown to anybody: a few tickets in half an hour at most.
    expect(Math.abs(carry - result.carryUsd)).toBeLessThan(1)
    expect(Math.abs(result.carryUsd)).toBeGreaterThan(50)
  })

  test('books the edge of a fill as its distance from the true rate of that moment', () => {
    const world = worldOf('normal', 8)
    const { fills, participant } = recording(40)
    const { retailUsd, informedUsd } = playWorld(world, participant, NO_FEED)
    const edge = fills.reduce((sum, { hour, side, usd, bps, midBps }) => {
      const gap = (world.rate[Math.floor(hour)] ?? 0) - midBps
      return sum + (usd * (side === 'ask' ? gap + bps : bps - gap)) / 10_000
    }, 0)
    // What trades after the last decision is not shown.
    expect(Math.abs(edge - retailUsd - informedUsd)).toBeLessThan(1)
  })

  test('lets no one trade with a side that is off', () => {
    const world = worldOf('toxic-taker', 2)
    const { fills } = playWorld(world, () => ({ bidBps: null, askBps: null }), NO_FEED)
    expect(fills).toEqual({ retail: 0, informed: 0 })
    const bought: WorldFill[] = []
    playWorld(
      world,
      ({ news }) => {
        for (const one of news) if (one.what === 'fill') bought.push(one)
        return { bidBps: null, askBps: 30 }
      },
      NO_FEED,
    )
    expect(bought.length).toBeGreaterThan(10)
    expect(bought.every(({ side }) => side === 'ask')).toBe(true)
  })

  test('asks for no decision while the API is out, and at every half hour and update otherwise', () => {
    const asked = (name: string) => {
      const world = worldOf(name, 4)
      const hours: number[] = []
      playWorld(
        world,
        ({ hour }) => {
          hours.push(hour)
          return { bidBps: 60, askBps: 60 }
        },
        NO_FEED,
      )
      return { world, hours }
    }
    const normal = asked('normal')
    expect(normal.hours).toHaveLength(90 * 48 + normal.world.updates.length)
    const { world, hours } = asked('api-outage')
    expect(world.outages.length).toBeGreaterThan(20)
    const inOutage = hours.filter((hour) => world.outages.some(({ from, to }) => hour >= from && hour < to))
    expect(inOutage).toEqual([])
  })

  test('shows a feed that is off by its tau while it is up, and none to who has none', () => {
    const world = worldOf('normal', 9)
    const errors: number[] = []
    playWorld(
      world,
      ({ hour, feedBps }) => {
        if (feedBps !== null) errors.push(feedBps - (world.rate[Math.floor(hour)] ?? 0))
        return { bidBps: 60, askBps: 60 }
      },
      { tauBps: 25 },
    )
    const sd = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
    expect(errors.length / (90 * 48)).toBeGreaterThan(0.9)
    expect(sd).toBeGreaterThan(20)
    expect(sd).toBeLessThan(30)
    const seen: (number | null)[] = []
    playWorld(world, ({ feedBps }) => (seen.push(feedBps), { bidBps: 60, askBps: 60 }), NO_FEED)
    expect(seen.every((reading) => reading === null)).toBe(true)
  })

  test('an informed taker takes the whole stock of a side that pays it', () => {
    const world = worldOf('stale-jump', 21)
    const { fills, participant } = recording(40)
    playWorld(world, participant, NO_FEED)
    const informed = fills.filter(({ by }) => by === 'informed')
    expect(informed.length).toBeGreaterThan(3)
    expect(informed.every(({ usd }) => usd <= 40_000)).toBe(true)
    expect(Math.max(...informed.map(({ usd }) => usd))).toBeGreaterThan(10_000)
  })
})

describe('a treasury in place of the weekly restocking', () => {
  const refills = { belowShare: 0.2, delayHours: 4, costBps: 10, failure: 0 }
  const played = (change: Partial<typeof refills>, seed = 7) =>
    playWorld(worldOf('devaluation', seed), constant(40), {
      tauBps: null,
      refills: { ...refills, ...change },
    })

  test('halves about the time at an empty side, and its cost is the restocking part of the PnL', () => {
    const weekly = playWorld(worldOf('devaluation', 7), constant(40), NO_FEED)
    const refilled = played({})
    expect(refilled.emptyShare).toBeLessThan(weekly.emptyShare * 0.6)
    expect(refilled.restockings).toBeGreaterThan(weekly.restockings)
    // Between 80 % of a side and all of it is moved at each, at 10 bps.
    expect(-refilled.restockingUsd / refilled.restockings).toBeGreaterThan(0.8 * 15)
    expect(-refilled.restockingUsd / refilled.restockings).toBeLessThanOrEqual(15)
    const { pnlUsd, retailUsd, informedUsd, restockingUsd, carryUsd } = refilled
    expect(retailUsd + informedUsd + restockingUsd + carryUsd).toBeCloseTo(pnlUsd, 6)
  })

  test('comes later and costs for nothing where it is slow or fails', () => {
    expect(played({ delayHours: 72 }).emptyShare).toBeGreaterThan(played({}).emptyShare)
    const failing = played({ failure: 0.5 })
    expect(failing.emptyShare).toBeGreaterThan(played({}).emptyShare)
    expect(-failing.restockingUsd / failing.restockings).toBeGreaterThan(15)
    expect(played({ failure: 0.5 })).toEqual(failing)
  })
})
