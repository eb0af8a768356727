import { describe, expect, it } from 'vitest'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'
import type { FeedSettings } from '../../../../../src/core/market/feeds.ts'
import { NTZS } from '../../../../support/taker.ts'

const MINUTE = 60_000
const band = { min: 2_000n * NTZS, max: 3_500n * NTZS }
const feed = (name: string): FeedSettings => ({
  name,
  origin: 'independent',
  staleAfterMs: 5 * MINUTE,
  frozenAfterMs: 4 * 86_400_000,
  band,
  weight: 1,
})
const risk = { ...coreConfig().risk, maxReferenceDeviationBps: 300, maxMidStepBps: 2_000 }
const strategy = testStrategy(() => ({ bidBps: 60, askBps: 60, reasons: [] }))

/** A core that quotes 60/60 at 2500 with 2500 received from each feed. */
function atWork(names: readonly string[] = ['bank'], maxDrawdownTzs: bigint | null = null): Harness {
  const config = { feeds: names.map(feed), risk: { ...risk, maxDrawdownTzs } }
  const one = coreHarness({ strategy, config, venue: { isActive: true } })
  for (const name of names) read(one, 2_500n * NTZS, name)
  one.run(10_000)
  expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  return one
}

const read = (one: Harness, mid: bigint, source = 'bank', datedAt: number | null = null) =>
  one.give({ type: 'reference', t: one.now, source, mid, datedAt })

/** Lets time pass while every feed continues to say this. */
function runHearing(one: Harness, ms: number, mids: Readonly<Record<string, bigint>>): void {
  for (let passed = 0; passed < ms; passed += MINUTE) {
    for (const [name, mid] of Object.entries(mids)) read(one, mid, name)
    one.run(MINUTE)
  }
}

const alerts = (one: Harness) =>
  one.observations.flatMap((seen) => (seen.type === 'alert' && seen.code === 'feed-dropped' ? [seen] : []))
const rules = (one: Harness) => [...new Set(one.state().decision?.findings.map(({ rule }) => rule))]

describe('a venue that lies about its mid', () => {
  it.each([
    ['up', 2_600n, { quoteBid: true, quoteAsk: false }],
    ['down', 2_400n, { quoteBid: false, quoteAsk: true }],
  ])('%s by 4 % gets the safe quote with the answer that shows the lie', (_way, mid, sides) => {
    const one = atWork()
    one.venue.mid = mid * NTZS
    const before = one.effects.length
    one.run(7_000)
    expect(rules(one)).toContain('reference-deviation')
    // Within one period of GET /rate (6 s): the next write is the safe quote, and nothing else is written.
    const writes = one.effects.slice(before).filter(({ type }) => type === 'setQuote')
    expect(writes).toHaveLength(1)
    expect(one.venue.held).toMatchObject({ ...sides, bidBps: 500, askBps: 500 })
  })

  it('in small steps is stopped as soon as it is 300 bps away, and the quote is back when the mid is', () => {
    const one = atWork()
    for (let mid = 2_500n; mid <= 2_590n; mid += 5n) {
      one.venue.mid = mid * NTZS
      runHearing(one, MINUTE, { bank: 2_500n * NTZS })
      expect(rules(one).includes('reference-deviation')).toBe(mid > 2_575n)
    }
    one.venue.mid = 2_500n * NTZS
    runHearing(one, MINUTE, { bank: 2_500n * NTZS })
    expect(rules(one)).toEqual([])
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60, quoteBid: true, quoteAsk: true })
  })

  it('from its very first answer is never quoted from: the first decision waits for the feeds', () => {
    const config = { feeds: [feed('bank')], risk }
    const one = runCore(1_000, { strategy, config, venue: { isActive: true, mid: 3_000n * NTZS } })
    expect(one.state().decision).toBeNull()
    read(one, 2_500n * NTZS)
    one.run(20_000)
    expect(rules(one)).toContain('reference-deviation')
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })

  it('is quoted from after five seconds without a live feed, and the alert reports it', () => {
    const config = { feeds: [feed('bank')], risk }
    const one = runCore(4_000, { strategy, config, venue: { isActive: true } })
    expect(one.state().decision).toBeNull()
    one.run(6_000)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
    expect(alerts(one)).toEqual([])
    one.run(5 * MINUTE)
    expect(alerts(one)).toMatchObject([{ severity: 'warning' }])
    expect(alerts(one)[0]?.message).toContain('only the venue’s mid is left')
  })
})

describe('a feed that lies by 20 %', () => {
  it('alone stops trading at once, and leaves no peak behind that a drawdown is measured from', () => {
    const one = atWork(['bank'], 1_000_000n * 10n ** 36n)
    read(one, 3_000n * NTZS)
    one.run(1_000)
    expect(rules(one)).toEqual(['reference-deviation'])
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    read(one, 2_500n * NTZS)
    one.run(10_000)
    expect(one.state().latch.halted).toBeNull()
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it('among three is dropped with one alert while the quote continues', () => {
    const one = atWork(['bank', 'broker', 'liar'])
    runHearing(one, 3 * MINUTE, { bank: 2_500n * NTZS, broker: 2_501n * NTZS, liar: 3_000n * NTZS })
    expect(rules(one)).toEqual([])
    expect(alerts(one)).toHaveLength(1)
    expect(alerts(one)[0]?.message).toMatch(/liar is dropped.*: 2/)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it('beside an honest one stops trading: no one here can tell which of the two is right', () => {
    const one = atWork(['bank', 'liar'])
    // Their middle is the venue's own mid, so that only the contradiction between them is left to see.
    read(one, 2_250n * NTZS, 'bank')
    read(one, 2_750n * NTZS, 'liar')
    one.run(1_000)
    expect(rules(one)).toEqual(['reference-deviation'])
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })
})

describe('a feed that goes wrong', () => {
  it('by falling silent is dropped once, on time, though no other event comes, and is live with its next word', () => {
    const one = atWork()
    const receivedAt = one.state().market.feeds?.['bank']?.readAt ?? 0
    one.run(20 * MINUTE)
    expect(alerts(one).map(({ t }) => t)).toEqual([receivedAt + 5 * MINUTE + 1])
    expect(one.state().market.estimate).toBeNull()
    read(one, 2_501n * NTZS)
    expect(alerts(one).map(({ severity }) => severity)).toEqual(['warning', 'info'])
    expect(one.state().market.estimate?.mid).toBe(2_501n * NTZS)
  })

  it('by jumping into the future is dropped at once', () => {
    const one = atWork()
    read(one, 2_501n * NTZS, 'bank', one.now + 3_600_000)
    expect(alerts(one)[0]?.message).toContain('3600 s in the')
    expect(one.state().market.estimate).toBeNull()
  })

  it('a feed that fails a hundred times in a row raises one notice', () => {
    const one = atWork()
    for (let failed = 0; failed < 100; failed += 1) {
      one.give({ type: 'referenceFailed', t: one.now, source: 'bank', kind: 'implausible', problem: 'NaN' })
      one.run(5_000)
    }
    expect(alerts(one)).toHaveLength(1)
  })

  it('and is not in the configuration is ignored', () => {
    const one = atWork()
    read(one, 3_000n * NTZS, 'stranger')
    expect(one.state().market.reference ?? null).toBeNull()
    expect(one.state().market.estimate?.mid).toBe(2_500n * NTZS)
  })
})

describe('after a restart', () => {
  it('no figure of the process before is a voice, and the first decision waits for a new one', () => {
    const one = atWork()
    one.restart()
    expect(one.state().market.estimate).toBeNull()
    one.run(2_000)
    expect(one.state().approvedTarget).toBeNull()
    read(one, 2_500n * NTZS)
    one.run(2_000)
    expect(one.state().approvedTarget).not.toBeNull()
  })

  it('with a snapshot and a configuration from before there were feeds nothing is different', () => {
    const one = runCore(20_000, { strategy, venue: { isActive: true } })
    const { market } = one.state()
    delete market.feeds
    market.estimate = null
    market.feedsReviewAt = null
    one.restart()
    one.run(20_000)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
    expect(one.state().market.feeds).toBeUndefined()
  })
})
