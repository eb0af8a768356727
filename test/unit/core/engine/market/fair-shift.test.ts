import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../src/base/time.ts'
import { readFairShift } from '../../../../../src/core/engine/market/fair-shift.ts'
import { DEFAULT_RATE_MODEL } from '../../../../../src/core/models/fair-value/rate-model.ts'
import type { FeedSettings } from '../../../../../src/core/market/feeds.ts'
import type { FairShift } from '../../../../../src/core/strategy/context.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness } from '../../../../support/core-harness.ts'
import { NTZS } from '../../../../support/taker.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

/** A Tuesday, noon UTC. */
const START = Date.UTC(2024, 0, 2, 12)
const above = (bps: number) => BigInt(Math.round(2_500 * Math.exp(bps / 1e4) * 1e9)) * 10n ** 9n

const feed = (name: string): FeedSettings => ({
  name,
  origin: 'independent',
  staleAfterMs: 30 * MINUTE_MS,
  frozenAfterMs: 2 * HOUR_MS,
  band: { min: 1_000n * NTZS, max: 5_000n * NTZS },
  weight: 1,
})

type AtWork = Harness & { readonly shown: () => FairShift; readonly seen: FairShift[] }

/** A core whose strategy reads the estimated gap, and what it saw last. */
function atWork(feeds: readonly FeedSettings[] = [], doesRead = true): AtWork {
  const seen: FairShift[] = []
  const strategy = testStrategy(({ fairShift: shift }) => {
    if (doesRead) seen.push(shift)
    return { bidBps: 60, askBps: 60, reasons: [] }
  })
  const lazy = testStrategy(() => ({ bidBps: 60, askBps: 60, reasons: [] }))
  const one = coreHarness({
    strategy: doesRead ? strategy : lazy,
    start: START,
    venue: { isActive: true },
    config: { feeds, risk: { ...coreConfig().risk, maxReferenceDeviationBps: 2_000 } },
  })
  for (const { name } of feeds) tell(one, 0, name)
  one.run(20_000)
  return Object.assign(one, { seen, shown: () => seen.at(-1)! })
}

function tell(one: Harness, bps: number, source = 'board'): void {
  one.give({ type: 'reference', t: one.now, source, mid: above(bps) })
}

const dropped = (one: Harness) => one.alerts('feed-dropped')

describe('the estimated gap', () => {
  it('is a state without feeds: no feed counts, and the error is that of the updates alone', () => {
    const one = atWork()
    expect(one.shown()).toMatchObject({ feeds: 0, bps: expect.closeTo(0, 6) as number })
    expect(one.shown().errorBps).toBeGreaterThan(15)
    expect(one.shown().reasons.at(-1)).toMatch(/^no feed: /)
  })

  it('is positive where a feed shows dollars worth more than the mid, and between the two', () => {
    const one = atWork()
    tell(one, 60)
    const { bps, feeds, reasons } = one.shown()
    expect(bps).toBeGreaterThan(20)
    expect(bps).toBeLessThan(60)
    expect(feeds).toBe(1)
    expect(reasons[1]).toMatch(/^board: \+60\.0 bps, 0 min old, weight 0\.\d\d$/)
  })

  it('is after any readings, updates, silence and configurations what a core that never read it before reads', () => {
    const happening = fc.oneof(
      fc.record({
        what: fc.constant('reading' as const),
        source: fc.constantFrom('a', 'b'),
        bps: fc.integer({ min: -80, max: 80 }),
      }),
      fc.record({ what: fc.constant('update' as const), bps: fc.constantFrom(0, 40) }),
      fc.record({ what: fc.constant('time' as const), ms: fc.integer({ min: 1, max: HOUR_MS / 4 }) }),
      fc.record({ what: fc.constant('reload' as const), names: fc.constantFrom(['a'], ['a', 'b']) }),
    )
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 12 }), (happenings) => {
        const one = atWork([feed('a'), feed('b')])
        for (const each of happenings) {
          if (each.what === 'reading') tell(one, each.bps, each.source)
          else if (each.what === 'time') one.run(each.ms)
          else if (each.what === 'update') {
            one.venue.mid = above(each.bps)
            one.venue.rateUpdatedAt = one.now
            one.run(10_000)
          } else {
            const { config } = one.state()
            const fairValue = { ...DEFAULT_RATE_MODEL, feeds: {}, sigmaBps: 10 * each.names.length }
            one.give({
              type: 'reloaded',
              t: one.now,
              config: { ...config, fairValue, feeds: each.names.map(feed) },
            })
          }
          const fresh = structuredClone(one.state())
          for (let again = 0; again < 2; again++)
            expect(readFairShift(one.state(), one.now)).toEqual(readFairShift(fresh, one.now))
        }
      }),
      { numRuns: 15 },
    )
  })

  it('shrinks when the mid follows the feed', () => {
    const one = atWork()
    tell(one, 60)
    const before = one.shown().bps
    one.venue.mid = above(40)
    one.venue.rateUpdatedAt = one.now
    one.run(20_000)
    expect(one.shown().bps).toBeLessThan(before - 10)
  })

  it('costs no state while no strategy reads it', () => {
    const one = atWork([], false)
    tell(one, 60)
    expect(one.state().fairShift).toBeUndefined()
  })

  it('is the same after a restart from a snapshot as without one', () => {
    const [steady, restarted] = [atWork([feed('a')]), atWork([feed('a')])]
    for (const one of [steady, restarted]) tell(one, 60, 'a')
    restarted.restart()
    for (const one of [steady, restarted]) {
      tell(one, 50, 'a')
      one.run(40_000)
      tell(one, 50, 'a')
    }
    expect(restarted.shown().bps).toBeCloseTo(steady.shown().bps, 4)
    expect(restarted.state().fairShift?.covariance).toEqual(
      steady.state().fairShift?.covariance.map((entry) => expect.closeTo(entry, 3) as number),
    )
  })

  it('begins anew from an older snapshot that has none', () => {
    const one = atWork()
    tell(one, 60)
    delete one.state().fairShift
    one.restart()
    one.run(20_000)
    expect(one.shown()).toMatchObject({ feeds: 1 })
    expect(one.shown().bps).toBeGreaterThan(20)
  })
})

describe('a feed that is dropped', () => {
  it('reasons it is silent is alerted, and the error of the gap grows', () => {
    const one = atWork([feed('a')])
    tell(one, 30, 'a')
    const before = one.shown()
    one.run(31 * MINUTE_MS)
    expect(one.shown().feeds).toBe(0)
    expect(one.shown().errorBps).toBeGreaterThan(before.errorBps)
    expect(dropped(one)).toHaveLength(1)
  })

  it('reasons it is frozen is alerted, its repetitions count no more, and the error grows', () => {
    const one = atWork([feed('a')])
    const errors: number[] = []
    for (let tenth = 0; tenth < 24; tenth++) {
      one.run(10 * MINUTE_MS)
      tell(one, 0, 'a')
      errors.push(one.shown().errorBps)
    }
    expect(one.shown().feeds).toBe(0)
    expect(errors.at(-1)).toBeGreaterThan(errors[10]! + 1)
    expect(dropped(one)).toHaveLength(1)
  })

  it('reasons it is implausible is alerted, and its figure moves nothing', () => {
    const one = atWork([feed('a')])
    const before = one.shown().bps
    tell(one, 9_000, 'a')
    one.run(20_000)
    expect(one.shown().bps).toBeCloseTo(before, 1)
    expect(one.shown().feeds).toBe(0)
    expect(dropped(one)).toHaveLength(1)
  })

  it('reasons two others disagree with it by more than the band is alerted, and its figure moves nothing', () => {
    const one = atWork([feed('a'), feed('b'), feed('c')])
    const before = one.shown().bps
    tell(one, 900, 'c')
    one.run(20_000)
    expect(Math.abs(one.shown().bps - before)).toBeLessThan(1)
    expect(one.shown().feeds).toBe(2)
    expect(one.shown().reasons.some((line) => /^c: .*does not count now$/.test(line))).toBe(true)
    expect(dropped(one)).toHaveLength(1)
  })

  it('by the configuration leaves the state', () => {
    const one = atWork([feed('a'), feed('b')])
    const size = one.state().fairShift?.mean.length
    const config = { ...one.state().config, feeds: [feed('a')] }
    one.give({ type: 'reloaded', t: one.now, config })
    expect(one.state().fairShift?.mean).toHaveLength((size ?? 0) - 1)
  })
})

describe('a year of silence', () => {
  it('ends with a filter that begins anew from the next figure', () => {
    const one = atWork()
    one.now += 365 * DAY_MS
    one.venue.mid = above(700)
    one.venue.rateUpdatedAt = one.now
    one.run(20_000)
    expect(one.shown()).toMatchObject({ feeds: 0, bps: expect.closeTo(0, 6) as number })
  })
})
