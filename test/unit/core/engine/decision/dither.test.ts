import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dither, ditherPeriodEnd } from '../../../../../src/core/engine/decision/schedule.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, runCore } from '../../../../support/core-harness.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const HOUR = 3_600_000
const settings = { ditherBps: 12, ditherPeriodMs: HOUR }
const wanted = { bidBps: 60.4, askBps: 80, reasons: ['a test'] }
const drawn = (now: number) => {
  const { bidBps, askBps } = dither(wanted, settings, now)
  return [(bidBps ?? Number.NaN) - 60.4, (askBps ?? Number.NaN) - 80].map(Math.round)
}

describe('a dither', () => {
  it('of 0 bps changes nothing: the quote is returned as it is, and no period ends', () => {
    expect(dither(wanted, { ...settings, ditherBps: 0 }, 5)).toBe(wanted)
    expect(ditherPeriodEnd({ ...settings, ditherBps: 0 }, 5)).toBe(Infinity)
  })

  it('is a whole number of bps, up to so many either way, and says so', () => {
    for (let hour = 0; hour < 500; hour++) {
      for (const bps of drawn(hour * HOUR)) expect(Math.abs(bps)).toBeLessThanOrEqual(12)
    }
    const { reasons } = dither(wanted, settings, 0)
    expect(reasons[0]).toBe('a test')
    expect(reasons[1]).toMatch(/^dither for learning: [+-]\d+ on the bid, [+-]\d+ on the ask$/)
  })

  it('reaches every value as often, on both sides, independently', () => {
    const counts = { bid: new Map<number, number>(), ask: new Map<number, number>(), same: 0 }
    const HOURS = 10_000
    for (let hour = 0; hour < HOURS; hour++) {
      const [bid = 0, ask = 0] = drawn(hour * HOUR)
      counts.bid.set(bid, (counts.bid.get(bid) ?? 0) + 1)
      counts.ask.set(ask, (counts.ask.get(ask) ?? 0) + 1)
      if (bid === ask) counts.same += 1
    }
    for (const side of [counts.bid, counts.ask]) {
      expect(side.size).toBe(25)
      for (const count of side.values())
        expect(Math.abs(count - HOURS / 25)).toBeLessThan(4 * Math.sqrt(HOURS / 25))
    }
    expect(Math.abs(counts.same - HOURS / 25)).toBeLessThan(4 * Math.sqrt(HOURS / 25))
  })

  it('is equal within a period and drawn anew in the next, by the time alone', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(HOUR - 1), fc.nat(HOUR - 1), (period, a, b) => {
        expect(drawn(period * HOUR + a)).toEqual(drawn(period * HOUR + b))
        expect(ditherPeriodEnd(settings, period * HOUR + a)).toBe((period + 1) * HOUR)
      }),
    )
    const periods = Array.from({ length: 50 }, (_, period) => drawn(period * HOUR).join(' '))
    expect(new Set(periods).size).toBeGreaterThan(40)
  })

  it('is a term of a quote that tells its terms apart, so that they still sum to it', () => {
    const terms = [{ name: 'half-spread', bidBps: 60.4, askBps: 80 }]
    const { bidBps, askBps, terms: told = [] } = dither({ ...wanted, terms }, settings, 7 * HOUR)
    expect(told.map(({ name }) => name)).toEqual(['half-spread', 'dither'])
    expect(told.reduce((sum, term) => sum + term.bidBps, 0)).toBe(bidBps)
    expect(told.reduce((sum, term) => sum + term.askBps, 0)).toBe(askBps)
    expect(dither(wanted, settings, 7 * HOUR)).not.toHaveProperty('terms')
  })

  it('opens no side that is off, and leaves the other one its draw', () => {
    const off = dither({ bidBps: null, askBps: 80, reasons: [] }, settings, 7 * HOUR)
    expect(off.bidBps).toBeNull()
    expect(off.askBps).toBe(dither(wanted, settings, 7 * HOUR).askBps)
  })
})

describe('a dither at work', () => {
  const { quote } = coreConfig()
  const config = { quote: { ...quote, ditherBps: 9, ditherPeriodMs: 60_000 } }

  it('moves what stands to the draw of the period as soon as that begins', () => {
    const one = runCore(600_000, { config, start: 1_020_000 })
    const patches = one.journal.filter((event) => event.type === 'quoteSet')
    expect(patches.length).toBeGreaterThan(6)
    for (const event of patches.slice(1)) expect(event.t % 60_000).toBeLessThan(100)
    for (const { t, spread } of patches) {
      const draw = dither({ bidBps: 60, askBps: 60, reasons: [] }, config.quote, t)
      expect([spread.bidBps, spread.askBps]).toEqual([draw.bidBps, draw.askBps])
    }
  })

  it('goes through risk like every wish: never under the venue’s narrowest spread', () => {
    const narrow = testStrategy(() => ({ bidBps: 11, askBps: 12, reasons: [] }))
    const one = coreHarness({ config, strategy: narrow, start: 1_020_000 })
    const seen: number[] = []
    for (let minute = 0; minute < 20; minute++) {
      one.run(60_000)
      seen.push(one.venue.held.bidBps, one.venue.held.askBps)
    }
    expect(Math.min(...seen)).toBe(10)
    expect(Math.max(...seen)).toBeGreaterThan(12)
  })

  it('leaves the safe quote alone', () => {
    const one = runCore(300_000, { config, venue: { quotable: false } })
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })
})
