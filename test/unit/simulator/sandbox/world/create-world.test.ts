import { describe, expect, it } from 'vitest'
import { encodeJson } from '../../../../../src/base/codec.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../src/base/time.ts'
import { isSpreadBps } from '../../../../../src/base/money/bps.ts'
import { formatRate } from '../../../../../src/base/money/rate.ts'
import { bpsFromRate } from '../../../../../src/simulator/sandbox/world/takers.ts'
import { createWorld } from '../../../../../src/simulator/sandbox/world/create-world.ts'
import { drawWorld, prepareScenario } from '../../../../../src/research/scenarios/draw/world.ts'
import { SCENARIO_NAMES } from '../../../../../src/research/scenarios/scenario.ts'
import { shippedScenario } from '../../../../support/shipped-scenario.ts'
import { MONDAY, NO_QUOTE, tell } from './support.ts'

const WEEK_MS = 7 * DAY_MS

describe.each(SCENARIO_NAMES)('the market %s of the simulated venue', (scenario) => {
  it('is the same for the same seed, and another for another', () => {
    const text = encodeJson(tell({ scenario, days: 2 }).steps)
    expect(encodeJson(tell({ scenario, days: 2 }).steps)).toBe(text)
    expect(encodeJson(tell({ scenario, days: 2, seed: 2 }).steps) === text).toBe(false)
  })

  it('never goes back in time, starts after the start, and continues after the quarter that was drawn first', () => {
    const times = tell({ scenario, days: 100 }).steps.map(({ at }) => at)
    expect(times[0]).toBeGreaterThan(MONDAY)
    expect(times.filter((at, i) => i > 0 && at < times[i - 1]!)).toEqual([])
    expect(times.filter((at) => !Number.isInteger(at))).toEqual([])
    const gaps = times.slice(1).map((at, i) => at - times[i]!)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(HOUR_MS / 2)
  })

  it('prints on working days only, within ten minutes of 07:00 UTC or at a correction two hours later', () => {
    for (const { at, mid } of tell({ scenario, days: 30 }).of('print')) {
      expect([1, 2, 3, 4, 5]).toContain(new Date(at).getUTCDay())
      const sinceSeven = (at % DAY_MS) - 7 * HOUR_MS
      expect(sinceSeven % (2 * HOUR_MS)).toBeLessThanOrEqual(10 * MINUTE_MS)
      expect(formatRate(mid)).toMatch(/^\d{4}(\.\d{1,4})?$/)
    }
  })

  it('only ever quotes what the venue would accept, and brings amounts that are sizes', () => {
    const story = tell({ scenario, days: 3 })
    const isGood = (bps: number | null): boolean => bps === null || isSpreadBps(bps)
    const quotes = story.of('competitorQuote')
    expect(quotes.length).toBeGreaterThan(100)
    expect(quotes.filter(({ bidBps, askBps }) => !isGood(bidBps) || !isGood(askBps))).toEqual([])
    const swaps = story.of('swap')
    expect(swaps.length).toBeGreaterThan(50)
    expect(swaps.filter(({ amountIn }) => amountIn <= 0n)).toEqual([])
    expect(swaps.filter(({ from, to }) => (from === 'NTZS') === (to === 'NTZS'))).toEqual([])
    expect(swaps.filter(({ maxSpreadBps }) => !Number.isFinite(maxSpreadBps))).toEqual([])
  })
})

describe('the market of the simulated venue', () => {
  it('is the world that a tournament draws for the scenario and seed: same rates, customers and looks', () => {
    const { world: market, of } = tell({ scenario: 'normal', seed: 7, days: 28 })
    const drawn = drawWorld(prepareScenario(shippedScenario('normal'), 91), 7)
    // Without an incident it opens in the second week of the world, whose mid is the opening mid of the venue.
    const from = 7 * 24 + 6
    const to = from + 28 * 24
    const within = <One extends { readonly hour: number }>(list: readonly One[]) =>
      list.filter(({ hour }) => hour > from && hour < to)
    const standing = drawn.updates.findLast(({ hour }) => hour <= from)?.bps ?? 0
    const printed = of('print').map(({ mid }) => bpsFromRate(Number(mid) / 1e18))
    within(drawn.updates).forEach(({ bps }, index) => expect(printed[index]).toBeCloseTo(bps - standing, 2))
    expect(of('swap')).toHaveLength(within(drawn.retail).length)
    expect(of('takeStocks').map(({ at }) => at)).toEqual(
      within(drawn.looks).map(({ hour }) => Math.ceil(MONDAY + (hour - from) * HOUR_MS)),
    )
    const rate = bpsFromRate(Number(market.marketRateAt?.(MONDAY + DAY_MS) ?? 0n) / 1e18)
    expect(rate).toBeCloseTo((drawn.rate[from + 24] ?? 0) - standing, 2)
  })

  it('opens at the published mean of 2568.1584, printed on the last working day', () => {
    const { world } = tell({ scenario: 'weekend', days: 0 })
    expect(formatRate(world.openingMid)).toBe('2568.1584')
    expect(new Date(world.openingPrintedAt).toISOString()).toMatch(/^2026-07-31T07:0/)
  })

  it('opens with a mid of today even on a Sunday, where the market is closed at weekends', () => {
    const start = Date.parse('2026-08-09T12:00:00Z')
    const { world } = tell({ scenario: 'normal', start, days: 0 })
    expect(start - world.openingPrintedAt).toBe(6 * HOUR_MS)
  })

  it('may start on any minute of a fortnight: the mid is not of the future, and the next step comes after the start', () => {
    const scenario = shippedScenario('weekend')
    for (let start = MONDAY; start < MONDAY + 14 * DAY_MS; start += 1_117 * MINUTE_MS) {
      const world = createWorld({ scenario, seed: 3, start })
      expect(world.openingPrintedAt).toBeLessThanOrEqual(start)
      expect(start - world.openingPrintedAt).toBeLessThan(3 * DAY_MS + HOUR_MS)
      expect(world.peekAt()).toBeGreaterThan(start)
    }
  })

  it('opens within a week of what the scenario is about: a jump, a fall of the stablecoin, a mistyped update', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const jump = tell({ scenario: 'stale-jump', seed, days: 0 }).world
      const moves = Array.from({ length: 8 * 24 }, (_, hour) => bpsAt(jump, MONDAY + hour * HOUR_MS))
      const within = moves.slice(10).map((bps, hour) => Math.abs(bps - moves[hour]!))
      const typos = tell({ scenario: 'fat-finger-mid', seed, days: 8 }).of('print')
      // A world in which none is drawn has none to show.
      if (incidentsOf('stale-jump', seed) > 0) expect(Math.max(...within)).toBeGreaterThan(40)
      if (incidentsOf('fat-finger-mid', seed) > 0)
        expect(typos.some(({ at }) => at % DAY_MS > 9 * HOUR_MS)).toBe(true)
    }
  })

  it('does not let what is traded, or what the venue shows, change when anybody comes', () => {
    const shape = (factor: bigint): unknown[] => {
      const world = createWorld({ scenario: shippedScenario('toxic-taker'), seed: 5, start: MONDAY })
      return Array.from({ length: 1_500 }, () => {
        const step = world.next((world.openingMid * factor) / 100n, () => NO_QUOTE)
        return [step.at, step.type, step.type === 'print' ? step.mid : 0n]
      })
    }
    expect(shape(100n)).toEqual(shape(104n))
  })

  it('lets takers who know the true rate measure from it, and the others from the mid', () => {
    const dear = (percent: bigint) => {
      const world = createWorld({ scenario: shippedScenario('normal'), seed: 5, start: MONDAY })
      const spreads: number[] = []
      for (let n = 0; n < 3_000; n++) {
        const step = world.next((world.openingMid * percent) / 100n, () => NO_QUOTE)
        if (step.type === 'swap' && step.from === 'NTZS') spreads.push(step.maxSpreadBps)
      }
      return spreads
    }
    const [right, low] = [dear(100n), dear(99n)]
    const moved = right.map((bps, index) => low[index]! - bps)
    const knowing = moved.filter((bps) => Math.abs(bps - 100.5) < 1).length / moved.length
    expect(knowing).toBeGreaterThan(0.6)
    expect(knowing).toBeLessThan(0.8)
    expect(moved.filter((bps) => bps === 0).length).toBe(moved.length - Math.round(knowing * moved.length))
  })

  it('has rivals that follow the true rate, stand still, or undercut our quote by 6 bps down to 22', () => {
    const { competitors } = tell({ scenario: 'undercut', days: 0 }).world
    expect(competitors.map(({ name }) => name)).toEqual(['rufiji', 'pangani', 'ruvuma'])
    const undercutting = (bps: number | null) => {
      const world = createWorld({ scenario: shippedScenario('undercut'), seed: 3, start: MONDAY })
      const shown = { bidBps: bps, askBps: bps }
      const quotes = Array.from({ length: 2_000 }, () => world.next(world.openingMid, () => shown)).filter(
        (step) => step.type === 'competitorQuote' && step.name === 'ruvuma',
      )
      return quotes.map((step) => (step.type === 'competitorQuote' ? step.bidBps : null))
    }
    const below = undercutting(40)
    expect(below).toContain(34)
    // It jumps to 75 where another rival leaves it no room.
    expect(below.filter((bps) => bps !== null && bps > 34 && bps < 75)).toEqual([])
    expect(new Set(undercutting(25))).toEqual(new Set([22, 75]))
    expect(Math.max(...undercutting(null).map((bps) => bps ?? 0))).toBeGreaterThan(40)
  })

  it('the scenario api-outage has outages of hours, and a retailFactor of 20 brings twenty times as many swaps', () => {
    const outages = tell({ scenario: 'api-outage', days: 80 }).of('outage')
    expect(outages.length / 80).toBeGreaterThan(0.3)
    expect(outages.length / 80).toBeLessThan(0.7)
    const hours = outages.reduce((sum, { at, untilMs }) => sum + untilMs - at, 0) / HOUR_MS / outages.length
    expect(hours).toBeGreaterThan(1.5)
    expect(hours).toBeLessThan(3.5)
    expect(tell({ scenario: 'normal', days: 10 }).of('outage')).toEqual([])
    const [plain, busy] = [1, 20].map(
      (retailFactor) => tell({ scenario: 'normal', days: 14, retailFactor }).of('swap').length,
    )
    expect(busy! / plain! / 20).toBeGreaterThan(0.9)
    expect(busy! / plain! / 20).toBeLessThan(1.1)
  })

  it('asks for restocking on Mondays at 11:00 or with every print, and by default never', () => {
    expect(tell({ scenario: 'normal', days: 21 }).of('restock')).toEqual([])
    const weekly = tell({ scenario: 'normal', days: 21, restocking: 'weekly' }).of('restock')
    expect(weekly.map(({ at }) => at)).toEqual([0, 1, 2].map((n) => MONDAY + 5 * HOUR_MS + n * WEEK_MS))
    expect(weekly[0]).toMatchObject({ belowShare: 0.2, costBps: 50 })
    const free = tell({ scenario: 'normal', days: 21, restocking: 'updates' })
    expect(free.of('restock').map(({ at }) => at)).toEqual(free.of('print').map(({ at }) => at))
    expect(free.of('restock')[0]).toMatchObject({ belowShare: null, costBps: 0 })
  })
})

function bpsAt(world: ReturnType<typeof createWorld>, at: number): number {
  return bpsFromRate(Number(world.marketRateAt?.(at) ?? 0n) / 1e18)
}

/** How many incidents a world has between its second and its tenth week. */
function incidentsOf(scenario: string, seed: number): number {
  const { incidents } = drawWorld({ scenario: shippedScenario(scenario), days: 91, gapBps: 50 }, seed)
  return incidents.filter((hour) => hour > 7 * 24 + 6 && hour < 10 * 7 * 24).length
}
