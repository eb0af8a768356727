import { describe, expect, it } from 'vitest'
import type { RiskConfig } from '../../../../../src/core/engine/model/config.ts'
import { formatRate, RATE_ONE } from '../../../../../src/base/money/rate.ts'
import { bestQuoteAnswer } from '../../../../support/answers.ts'
import { coreConfig, RARE_POLLS } from '../../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
const START = 1_000_000
const TRADING = { quoteBid: true, quoteAsk: true }
const BANK = {
  name: 'bank',
  origin: 'independent',
  staleAfterMs: 20 * MINUTE,
  frozenAfterMs: null,
  band: { min: 1_000n * RATE_ONE, max: 10_000n * RATE_ONE },
  weight: 1,
} as const

/** A position that trades at 2500, under the default bounds and a corridor of 2000 to 3000. */
function desk(
  risk: Partial<RiskConfig> = {},
  config: Partial<Parameters<typeof coreConfig>[0]> = {},
): Harness {
  const bounds = {
    priceCorridor: { min: 2_000n * RATE_ONE, max: 3_000n * RATE_ONE },
    maxMidMoveBpsPerHour: 200,
    maxMidMoveBpsPerDay: 500,
  }
  const whole = { ...coreConfig().risk, ...bounds, ...risk }
  return runCore(10_000, { config: { risk: whole, venueClock: 'real', ...config }, start: START })
}

/** The venue publishes this mid, dated now, and the daemon has time to see it. */
function publish(one: Harness, tzs: number, ms = 10_000): void {
  one.venue.mid = BigInt(Math.round(tzs * 1e6)) * 10n ** 12n
  one.venue.rateUpdatedAt = one.now
  one.run(ms)
}

/** `GET /rate` answers this mid from now on, with these times relative to the harness's clock. */
function answerRate(
  one: Harness,
  dated: number,
  venueTime: number | null = 0,
  change: { readonly ourWall?: number } = {},
): void {
  one.venue.answers.readRate = () => ({
    type: 'rate',
    mid: 2_510n * RATE_ONE,
    problem: null,
    rateUpdatedAt: one.now + dated,
    quotable: true,
    venueTime: venueTime === null ? null : one.now + venueTime,
    ...(change.ourWall !== undefined && { ourWall: one.now + change.ourWall }),
  })
}

const midOf = (one: Harness) => formatRate(one.state().market.mid ?? 0n)
const rules = (one: Harness) => one.state().activeRules

describe('the price corridor', () => {
  it.each([
    [250_000, { quoteBid: true, bidBps: 500, quoteAsk: false }],
    [25, { quoteAsk: true, askBps: 500, quoteBid: false }],
  ])('a mid of %d outside the corridor sends the safe quote with the next request', (lie, safe) => {
    const one = desk()
    publish(one, lie, 0)
    const at = one.effects.length
    one.run(6_100)
    expect(one.venue.held).toMatchObject(safe)
    const sent = one.effects.slice(at).filter(({ type }) => type === 'setQuote' || type === 'readRate')
    expect(sent.map(({ type }) => type)).toEqual(['readRate', 'setQuote'])
    expect(rules(one)).toContain('price-corridor')
    expect(midOf(one)).toBe('2500')
  })

  it('binds at the very first mid too: nothing was ever quoted from it', () => {
    const priceCorridor = { min: 2_000n * RATE_ONE, max: 3_000n * RATE_ONE }
    const config = { risk: { ...coreConfig().risk, priceCorridor } }
    const one = runCore(30_000, { config, venue: { mid: 25n * RATE_ONE } })
    expect(rules(one)).toContain('price-corridor')
    expect(one.state().market.mid).toBeNull()
    for (const effect of one.effects)
      if (effect.type === 'setQuote') expect(effect.spread).toMatchObject({ bidBps: 500, askBps: 500 })
  })

  it('no one can accept a mid outside of it, however it is named', () => {
    const one = desk()
    publish(one, 4_000)
    expect(one.order({ name: 'resume', acceptMid: 4_000n * RATE_ONE })).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('no mid waits') as string,
    })
    expect(midOf(one)).toBe('2500')
  })

  it('binds a fair value that feeds lead outside, though the mid is inside', () => {
    const one = desk({ maxReferenceDeviationBps: null }, { feeds: [BANK] })
    one.give({ type: 'reference', t: one.now, source: 'bank', mid: 3_200n * RATE_ONE, datedAt: null })
    one.run(1_000)
    expect(rules(one)).toContain('price-corridor')
    expect(one.venue.held).not.toMatchObject(TRADING)
  })

  it('binds a mid in force that a restart with a narrower corridor leaves outside', () => {
    const one = desk()
    const { config } = one.state()
    const narrow = { min: 2_600n * RATE_ONE, max: 3_000n * RATE_ONE }
    one.restart({ ...config, risk: { ...config.risk, priceCorridor: narrow } })
    one.run(10_000)
    expect(rules(one)).toContain('price-corridor')
  })

  it('lifts by itself with the next mid inside', () => {
    const one = desk()
    publish(one, 9_999)
    publish(one, 2_501)
    expect(rules(one)).toEqual([])
    expect(one.venue.held).toMatchObject(TRADING)
  })
})

describe('the bounds of movement over time', () => {
  it('a venue that walks its mid in steps of 5 bps is stopped 200 bps away, whatever time it takes within the hour', () => {
    const one = desk()
    let mid = 2_500
    for (let step = 0; step < 60; step++) {
      mid *= 1.0005
      publish(one, mid, 12_000)
    }
    expect(rules(one)).toContain('mid-move')
    expect(Number(midOf(one))).toBeLessThanOrEqual(2_500 * 1.02)
    expect(Number(midOf(one))).toBeGreaterThan(2_500 * 1.019)
    expect(one.venue.held).toMatchObject({ quoteAsk: false, quoteBid: true, bidBps: 500 })
  })

  it('a walk of 100 bps an hour is stopped 500 bps from where it was a day ago', () => {
    const one = desk({}, { pacing: RARE_POLLS })
    for (let hour = 1; hour <= 6; hour++) publish(one, 2_500 * (1 + hour / 100), HOUR + 6 * MINUTE)
    expect(rules(one)).toContain('mid-move')
    expect(midOf(one)).toBe('2625')
  })

  it('a walk through the public endpoint passes the same bounds', () => {
    const one = desk()
    let mid = 2_500n * RATE_ONE
    one.venue.answers.readRate = () => 'silence'
    one.venue.answers.readBestQuote = (effect) =>
      bestQuoteAnswer({
        side: effect.type === 'readBestQuote' ? effect.side : 'ask',
        probe: 100n,
        mid: (mid += mid / 5_000n),
      })
    one.run(30 * MINUTE)
    expect(mid).toBeGreaterThan(2_550n * RATE_ONE)
    expect(one.state().market.mid).toBeLessThanOrEqual(2_550n * RATE_ONE)
  })

  it('up and down again counts from the lowest to the highest, not from the end to the end', () => {
    const one = desk({ maxMidStepBps: null })
    publish(one, 2_500 * 1.015)
    publish(one, 2_500 * 0.99)
    expect(midOf(one)).toBe('2537.5')
    expect(rules(one)).toContain('mid-move')
  })

  it('the mids of the window outlive kill -9: a walk continues being measured from where it began', () => {
    const one = desk()
    publish(one, 2_500 * 1.01)
    publish(one, 2_500 * 1.018)
    one.restart()
    one.run(10_000)
    publish(one, 2_500 * 1.022)
    expect(rules(one)).toContain('mid-move')
    expect(midOf(one)).toBe('2545')
  })

  it('lifts when the mid comes back, and when the window has rolled on', () => {
    const one = desk()
    publish(one, 2_535)
    publish(one, 2_551)
    expect(rules(one)).toContain('mid-move')
    publish(one, 2_549)
    expect(rules(one)).toEqual([])
    publish(one, 2_560)
    expect(rules(one)).toContain('mid-move')
    one.run(HOUR + 6 * MINUTE)
    expect(rules(one)).toEqual([])
    expect(midOf(one)).toBe('2560')
  })

  it('a day of publications every six seconds is remembered in 290 spans at most', () => {
    const one = desk({ maxMidMoveBpsPerHour: 9_000, maxMidMoveBpsPerDay: 9_000 }, { pacing: RARE_POLLS })
    for (let n = 0; n < 300; n++) publish(one, 2_500 + (n % 7), 5 * MINUTE)
    expect(one.state().market.spans?.length).toBeLessThanOrEqual(290)
    expect(one.state().market.spans?.length).toBeGreaterThan(280)
  })

  it('absent from an older journal they bind nothing', () => {
    const one = runCore(10_000, { start: START })
    for (let step = 0; step < 10; step++) publish(one, 2_500 * 1.01 ** step)
    expect(rules(one)).toEqual([])
  })
})

describe('a mid that waits', () => {
  it('is adopted when a person names it, with the name and both mids, and both windows begin anew', () => {
    const one = desk()
    publish(one, 2_600)
    expect(rules(one)).toContain('mid-step')
    const told = one.order({ name: 'resume', acceptMid: 2_600n * RATE_ONE })
    expect(told).toMatchObject({ accepted: true, who: 'amina' })
    one.run(10_000)
    expect(midOf(one)).toBe('2600')
    expect(one.venue.held).toMatchObject(TRADING)
    expect(one.alerts('mid-adopted')[0]?.message).toMatch(/mid 2600 replaces 2500.*accepted by amina: /)
    // 150 bps from 2600, 556 from 2500: measured from the value that was named.
    publish(one, 2_639)
    expect(rules(one)).toEqual([])
    expect(midOf(one)).toBe('2639')
  })

  it('is not adopted by a plain resume, which names it beside the mid in force', () => {
    const one = desk()
    publish(one, 2_600)
    const told = one.order({ name: 'resume' })
    expect(told).toMatchObject({ accepted: true })
    expect(told.answer).toContain('`resume --accept-mid 2600`')
    one.run(HOUR)
    expect(midOf(one)).toBe('2500')
    expect(one.venue.held).not.toMatchObject(TRADING)
  })

  it('that changed while the person was looking is not adopted in its place', () => {
    const one = desk()
    publish(one, 2_600)
    publish(one, 2_900)
    const told = one.order({ name: 'resume', acceptMid: 2_600n * RATE_ONE })
    expect(told.accepted).toBe(false)
    expect(told.answer).toContain('waits is 2900')
    expect(midOf(one)).toBe('2500')
  })

  it('a refused naming lifts nothing else: a halt stays', () => {
    const one = desk()
    one.order({ name: 'halt' })
    publish(one, 2_600)
    expect(one.order({ name: 'resume', acceptMid: 2_601n * RATE_ONE }).accepted).toBe(false)
    expect(one.state().latch.halted).not.toBeNull()
  })
})

describe('a second voice for a step', () => {
  const bank = (one: Harness, tzs: number) =>
    one.give({
      type: 'reference',
      t: one.now,
      source: 'bank',
      mid: BigInt(Math.round(tzs * 1e6)) * 10n ** 12n,
      datedAt: null,
    })
  /** The feed is read every minute and shows this. */
  const minutes = (one: Harness, count: number, tzs: number) => {
    for (let n = 0; n < count; n++) {
      bank(one, tzs)
      one.run(MINUTE)
    }
  }
  const withBank = (config = {}) => {
    const risk = { ...coreConfig().risk, maxMidMoveBpsPerHour: 200, maxMidMoveBpsPerDay: 500 }
    const one = coreHarness({ config: { risk, feeds: [BANK], ...config }, start: START })
    bank(one, 2_500)
    one.run(10_000)
    return one
  }

  it('a feed of another origin that agrees for ten minutes confirms it, and not a minute earlier', () => {
    const one = withBank()
    publish(one, 2_600, 0)
    minutes(one, 10, 2_601)
    expect(midOf(one)).toBe('2500')
    minutes(one, 2, 2_601)
    expect(midOf(one)).toBe('2600')
    expect(one.alerts('mid-adopted')[0]?.message).toContain('bank has agreed')
  })

  it.each<[string, (one: Harness) => void, object?]>([
    [
      'that disagrees once begins the ten minutes anew',
      (one) => {
        minutes(one, 9, 2_601)
        bank(one, 2_500)
        minutes(one, 9, 2_601)
      },
    ],
    [
      'that is never read again does not confirm by having been right once',
      (one) => {
        one.run(10_000)
        bank(one, 2_601)
        one.run(HOUR)
      },
    ],
    [
      'of the venue itself confirms nothing',
      (one) => minutes(one, 60, 2_600),
      { feeds: [{ ...BANK, origin: 'venue' }] },
    ],
  ])('a feed %s', (_, read, config) => {
    const one = withBank(config)
    publish(one, 2_600, 0)
    read(one)
    expect(midOf(one)).toBe('2500')
  })

  it('no feed confirms a walk: that is a person’s to judge', () => {
    const one = withBank()
    for (const mid of [2_530, 2_545, 2_560]) {
      bank(one, mid)
      publish(one, mid)
    }
    expect(rules(one)).toContain('mid-move')
    minutes(one, 30, 2_560)
    expect(midOf(one)).toBe('2545')
  })
})

describe('dates that cannot be', () => {
  it.each([
    ['a mid dated 61 s ahead of the Date of its answer', 61_000, 0, 's into the future'],
    ['a Date an hour and a second ahead of ours', 0, HOUR + 1_000, '1.0 h ahead of ours'],
    ['a Date an hour and a second behind ours', -2 * HOUR, -HOUR - 1_000, '1.0 h behind ours'],
    ['without a Date, a mid dated 61 s ahead of ours', 61_000, null, 's into the future'],
  ])('%s is not adopted and sends the safe quote', (_what, dated, venueTime, why) => {
    const one = desk()
    answerRate(one, dated, venueTime)
    one.venue.answers.readBestQuote = () => 'silence'
    one.run(10_000)
    expect(midOf(one)).toBe('2500')
    expect(rules(one)).toContain('venue-clock')
    expect(one.state().market.problem).toContain(why)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })

  it('a simulated clock is not compared with ours, and its dates are compared with its own clock', () => {
    const one = desk({}, { venueClock: 'virtual' })
    one.venue.answers.readBestQuote = () => 'silence'
    answerRate(one, 9 * HOUR, 9 * HOUR)
    one.run(10_000)
    expect(midOf(one)).toBe('2510')
    answerRate(one, 9 * HOUR + 61_000, 9 * HOUR)
    one.run(60_000)
    expect(rules(one)).toContain('venue-clock')
  })

  it.each([
    ["the machine's clock jumped three hours ahead", 0, 3 * HOUR],
    ['the journal was written by a clock three days ahead', -72 * HOUR, -72 * HOUR],
  ])('trading continues where %s and the venue agrees with the other of our clocks', (_what, at, ourWall) => {
    const one = desk()
    answerRate(one, at - MINUTE, at, { ourWall })
    one.run(20_000)
    expect(midOf(one)).toBe('2510')
    expect(one.venue.held).toMatchObject(TRADING)
  })

  it("a jump of the machine's clock is notified as critical, and its end once; nothing else changes", () => {
    const one = desk()
    one.give({ type: 'clockJumped', t: one.now, aheadMs: 3 * HOUR })
    one.give({ type: 'clockJumped', t: one.now, aheadMs: 0 })
    expect(one.alerts('clock-jump').map(({ severity }) => severity)).toEqual(['critical', 'info'])
    expect(one.alerts('clock-jump')[0]?.message).toContain('10800 s ahead')
    one.run(10_000)
    expect(one.venue.held).toMatchObject(TRADING)
  })
})
