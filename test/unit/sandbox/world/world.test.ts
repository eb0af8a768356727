import { describe, expect, it } from 'vitest'
import { encodeJson } from '../../../../src/base/codec.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/base/time.ts'
import { isSpreadBps } from '../../../../src/money/bps.ts'
import { formatRate } from '../../../../src/money/rate.ts'
import { createWorld } from '../../../../src/sandbox/world/create-world.ts'
import { SCENARIOS } from '../../../../src/sandbox/world/scenario.ts'
import type { WorldStep } from '../../../../src/sandbox/world/world.ts'
import { isAsk, isRetail, MONDAY, printsOf, tell } from './support.ts'

describe.each(SCENARIOS)('the world %s', (scenario) => {
  it('tells the same story for the same seed, and another for another', () => {
    const first = tell({ scenario, days: 2 })
    const text = encodeJson(first.steps)
    expect(encodeJson(tell({ scenario, days: 2 }).steps)).toBe(text)
    expect(encodeJson(tell({ scenario, days: 2, seed: 2 }).steps) === text).toBe(false)
  })

  it('never goes back in time, and starts after the start', () => {
    const { steps } = tell({ scenario, days: 8 })
    const times = steps.map(({ at }) => at)
    expect(times[0]).toBeGreaterThan(MONDAY)
    expect(times.filter((at, i) => i > 0 && at < times[i - 1]!)).toEqual([])
    expect(times.filter((at) => !Number.isInteger(at))).toEqual([])
    expect(steps.length).toBeGreaterThan(1_000)
  })

  it('prints on working days only, within ten minutes of 07:00 UTC unless it corrects itself', () => {
    const prints = printsOf(scenario, 1, 28)
    const onTime = prints.filter((step) => step.at % DAY_MS < 7 * HOUR_MS + 10 * MINUTE_MS)
    expect(prints.length - onTime.length).toBe(scenario === 'fat-finger-mid' ? 1 : 0)
    expect(onTime).toHaveLength(scenario === 'stale-jump' ? 17 : 20)
    for (const { at, mid } of prints) {
      expect([1, 2, 3, 4, 5]).toContain(new Date(at).getUTCDay())
      expect(at % DAY_MS).toBeGreaterThanOrEqual(7 * HOUR_MS)
      expect(formatRate(mid)).toMatch(/^\d{4}(\.\d{1,4})?$/)
    }
  })

  it('only ever quotes what the venue would accept, and brings amounts that are sizes', () => {
    const story = tell({ scenario, days: 3 })
    const isGood = (bps: number | null): boolean => bps === null || isSpreadBps(bps)
    const quotes = story.of('competitorQuote')
    expect(quotes.filter(({ bidBps, askBps }) => !isGood(bidBps) || !isGood(askBps))).toEqual([])
    expect(quotes.filter(({ bidBps, askBps }) => bidBps === null && askBps === null)).toEqual([])
    const swaps = story.of('swap')
    expect(swaps.length).toBeGreaterThan(1_000)
    expect(swaps.filter(({ amountIn }) => amountIn <= 0n)).toEqual([])
    expect(swaps.filter(({ from, to }) => (from === 'NTZS') === (to === 'NTZS'))).toEqual([])
    expect(swaps.filter(({ maxSpreadBps }) => !Number.isFinite(maxSpreadBps))).toEqual([])
  })
})

describe('the world', () => {
  it('opens at the published mean of 2568.1584, printed on the last working day', () => {
    const world = createWorld({ scenario: 'weekend', seed: 1, start: MONDAY })
    expect(formatRate(world.openingMid)).toBe('2568.1584')
    expect(new Date(world.openingPrintedAt).toISOString()).toBe('2026-07-31T07:00:00.000Z')
  })

  it('opens with a mid of today even on a Sunday, where the scenario is not about weekends', () => {
    const sunday = Date.parse('2026-08-09T12:00:00Z')
    const world = createWorld({ scenario: 'normal', seed: 1, start: sunday })
    expect(sunday - world.openingPrintedAt).toBe(6 * HOUR_MS)
  })

  it('knows which print stands at any start: on a weekend, before and after the publication', () => {
    const printedAt = (start: string): string => {
      const world = createWorld({ scenario: 'weekend', seed: 1, start: Date.parse(start) })
      return new Date(world.openingPrintedAt).toISOString().slice(0, 10)
    }
    expect(printedAt('2026-08-08T12:00:00Z')).toBe('2026-08-07')
    expect(printedAt('2026-08-09T23:59:00Z')).toBe('2026-08-07')
    expect(printedAt('2026-08-10T06:59:59Z')).toBe('2026-08-07')
    expect(printedAt('2026-08-10T07:00:00Z')).toBe('2026-08-10')
    expect(printedAt('2026-08-11T03:00:00Z')).toBe('2026-08-10')
  })

  it('may start on any minute of a fortnight: the next print comes after the start', () => {
    for (let start = MONDAY; start < MONDAY + 14 * DAY_MS; start += 97 * MINUTE_MS) {
      const world = createWorld({ scenario: 'weekend', seed: 3, start })
      expect(world.openingPrintedAt).toBeLessThanOrEqual(start)
      expect(start - world.openingPrintedAt).toBeLessThan(3 * DAY_MS + HOUR_MS)
      expect(world.peekAt()).toBeGreaterThan(start)
    }
  })

  it('does not let what is traded, or what the venue shows, change when anybody comes', () => {
    const shape = (factor: bigint): unknown[] => {
      const world = createWorld({ scenario: 'toxic-taker', seed: 5, start: MONDAY })
      return Array.from({ length: 3_000 }, () => {
        const step: WorldStep = world.next((world.openingMid * factor) / 100n)
        return [step.at, step.type, step.type === 'print' ? step.mid : 0n]
      })
    }
    expect(shape(100n)).toEqual(shape(104n))
  })

  it('gives the demonstration several takers in twenty minutes that pay 60 bps, on both sides, whenever it starts', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const start = MONDAY + seed * 7 * HOUR_MS
      const swaps = tell({ scenario: 'normal', seed, start, days: 1 / 72 }).of('swap')
      const paying = swaps.filter((step) => isRetail(step) && step.maxSpreadBps >= 60)
      expect(paying.length).toBeGreaterThanOrEqual(4)
      expect(paying.some((step) => isAsk(step))).toBe(true)
      expect(paying.some((step) => !isAsk(step))).toBe(true)
    }
  })
})
