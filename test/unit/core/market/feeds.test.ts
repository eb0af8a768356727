import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMarket, type MarketState } from '../../../../src/core/market/market-state.ts'
import { fairValue, referenceDeviationBps } from '../../../../src/core/market/fair-value.ts'
import { feedEstimate } from '../../../../src/core/market/feed-estimate.ts'
import {
  feedOf,
  takeFeedReading,
  liveFeeds,
  restartFeeds,
  reviewFeeds,
  type FeedSettings,
} from '../../../../src/core/market/feeds.ts'
import { rateToNumber } from '../../../../src/base/money/rate.ts'

const TZS = 10n ** 18n
const START = 1_000_000_000
const MINUTE = 60_000
const DAY = 86_400_000

const setting = (name: string, change: Partial<FeedSettings> = {}): FeedSettings => ({
  name,
  origin: 'independent',
  staleAfterMs: 5 * MINUTE,
  frozenAfterMs: 4 * DAY,
  band: { min: 2_000n * TZS, max: 3_500n * TZS },
  weight: 1,
  ...change,
})

type Shown = { readonly mid: number; readonly t?: number; readonly datedAt?: number | null }

function marketWith(settings: readonly FeedSettings[], shown: readonly Shown[]): MarketState {
  const market = createMarket()
  restartFeeds(market, settings, START)
  settings.forEach((one, index) => {
    const { mid, t = START, datedAt = null } = shown[index]!
    takeFeedReading(market, one, { t, mid: BigInt(Math.round(mid * 100)) * (TZS / 100n), datedAt })
  })
  return market
}

const statusAt = (market: MarketState, settings: readonly FeedSettings[], now: number, name = 'bank') => {
  reviewFeeds(market, settings, 300, now)
  return feedOf(market.feeds, name)?.status
}

describe('a feed', () => {
  const bank = [setting('bank')]

  it('is live while it is fresh, and silent the moment after staleAfterMs', () => {
    const market = marketWith(bank, [{ mid: 2_500 }])
    expect(statusAt(market, bank, START + 5 * MINUTE)).toBe('live')
    expect(market.feedsReviewAt).toBe(START + 5 * MINUTE + 1)
    expect(statusAt(market, bank, START + 5 * MINUTE + 1)).toBe('silent')
    expect(liveFeeds(market, bank, START + 5 * MINUTE + 1)).toEqual([])
  })

  it('that was never read waits, and is silent when it was waited for long enough', () => {
    const market = createMarket()
    restartFeeds(market, bank, START)
    expect(statusAt(market, bank, START + 5 * MINUTE)).toBe('waiting')
    expect(statusAt(market, bank, START + 5 * MINUTE + 1)).toBe('silent')
  })

  it('that answers with the same figure for longer than frozenAfterMs is frozen, also across a restart', () => {
    const market = marketWith(bank, [{ mid: 2_500 }])
    const later = START + 4 * DAY + 1
    restartFeeds(market, bank, later - MINUTE)
    takeFeedReading(market, bank[0]!, { t: later - 1, mid: 2_500n * TZS, datedAt: later - 1 })
    expect(statusAt(market, bank, later - 1)).toBe('live')
    expect(statusAt(market, bank, later)).toBe('frozen')
    takeFeedReading(market, bank[0]!, { t: later, mid: 2_501n * TZS, datedAt: later })
    expect(statusAt(market, bank, later)).toBe('live')
  })

  it('whose figure moves under a date that stands still is frozen as well', () => {
    const market = marketWith(bank, [{ mid: 2_500, datedAt: START }])
    const later = START + 4 * DAY + 1
    takeFeedReading(market, bank[0]!, { t: later, mid: 2_510n * TZS, datedAt: START })
    expect(statusAt(market, bank, later)).toBe('frozen')
  })

  it('that freezes may be allowed to: a fixed figure has no age', () => {
    const fixed = [setting('bank', { frozenAfterMs: null })]
    const market = marketWith(fixed, [{ mid: 2_500 }])
    takeFeedReading(market, fixed[0]!, { t: START + 400 * DAY, mid: 2_500n * TZS, datedAt: null })
    expect(statusAt(market, fixed, START + 400 * DAY)).toBe('live')
  })

  it.each([
    ['a figure outside its band', { t: START, mid: 1_999n * TZS, datedAt: null }],
    ['a date from the future', { t: START, mid: 2_500n * TZS, datedAt: START + MINUTE + 1 }],
  ])('with %s is dropped at once and its figure is not taken', (_name, reading) => {
    const market = marketWith(bank, [{ mid: 2_450 }])
    takeFeedReading(market, bank[0]!, reading)
    expect(statusAt(market, bank, START)).toBe('implausible')
    expect(market.estimate).toBeNull()
    expect(feedOf(market.feeds, 'bank')?.mid).toBe(2_450n * TZS)
  })

  it('that fails to be read keeps its figure until that is stale', () => {
    const market = marketWith(bank, [{ mid: 2_500 }])
    takeFeedReading(market, bank[0]!, { kind: 'unreadable', text: 'it answered 503' })
    expect(statusAt(market, bank, START + MINUTE)).toBe('live')
    expect(statusAt(market, bank, START + 6 * MINUTE)).toBe('silent')
  })

  it('of the venue’s own origin is shown and has no voice', () => {
    const mirror = [setting('bank', { origin: 'venue' })]
    const market = marketWith(mirror, [{ mid: 2_500 }])
    expect(statusAt(market, mirror, START)).toBe('venue')
    expect(liveFeeds(market, mirror, START)).toEqual([])
  })

  it('may be called like a property that every object has', () => {
    const odd = [setting('constructor')]
    expect(feedOf({}, 'constructor')).toBeNull()
    expect(liveFeeds(marketWith(odd, [{ mid: 2_500 }]), odd, START)).toHaveLength(1)
  })

  it('a feed that falls silent is reported once: the second review finds no change', () => {
    const market = marketWith(bank, [{ mid: 2_500 }])
    reviewFeeds(market, bank, 300, START)
    const late = START + 10 * MINUTE
    expect(reviewFeeds(market, bank, 300, late)).toEqual([{ name: 'bank', from: 'live', to: 'silent' }])
    expect(reviewFeeds(market, bank, 300, late + 1)).toEqual([])
  })
})

describe('several feeds', () => {
  const three = ['bank', 'broker', 'liar'].map((name) => setting(name))

  it('outvote one of three that lies by 20 %: it is dropped and moves the estimate by nothing', () => {
    const market = marketWith(three, [{ mid: 2_500 }, { mid: 2_504 }, { mid: 3_000 }])
    expect(statusAt(market, three, START, 'liar')).toBe('outvoted')
    expect(liveFeeds(market, three, START).map(({ name }) => name)).toEqual(['bank', 'broker'])
    expect(rateToNumber(market.estimate!.mid)).toBe(2_502)
    expect(market.estimate).toMatchObject({ feeds: 2 })
  })

  it('of which two disagree give the middle and half of their distance as the error', () => {
    const two = three.slice(0, 2)
    const market = marketWith(two, [{ mid: 2_400 }, { mid: 2_600 }])
    reviewFeeds(market, two, 300, START)
    expect(market.estimate).toMatchObject({ mid: 2_500n * TZS, errorBps: 400, feeds: 2 })
  })

  it('estimate within the honest figures whatever a minority of their weight shows', () => {
    const figure = fc.integer({ min: 2_480, max: 2_520 })
    const lie = fc.integer({ min: 1, max: 1_000_000 })
    const feeds = fc.tuple(fc.array(figure, { minLength: 2, maxLength: 6 }), fc.array(lie, { maxLength: 5 }))
    fc.assert(
      fc.property(feeds, ([honest, lies]) => {
        const told = lies.slice(0, honest.length - 1)
        const live = [...honest, ...told].map((mid, index) => ({
          name: `${index}`,
          mid: BigInt(mid) * TZS,
          readAt: 0,
          weight: 1,
        }))
        const mid = rateToNumber(feedEstimate(live, null)!.mid)
        expect(mid).toBeGreaterThanOrEqual(Math.min(...honest))
        expect(mid).toBeLessThanOrEqual(Math.max(...honest))
      }),
    )
  })

  it('are weighed: the heavier one is the median of two', () => {
    const live = [
      { name: 'a', mid: 2_400n * TZS, readAt: 0, weight: 1 },
      { name: 'b', mid: 2_500n * TZS, readAt: 0, weight: 3 },
    ]
    expect(feedEstimate(live, null)?.mid).toBe(2_500n * TZS)
  })

  it('that are alone are the estimate, of whatever weight, with an error of 0', () => {
    for (const weight of [0, 0.25, 3])
      expect(feedEstimate([{ name: 'a', mid: 2_400n * TZS, readAt: 0, weight }], 300)).toEqual({
        mid: 2_400n * TZS,
        errorBps: 0,
        feeds: 1,
        rangeBps: 0,
        limitBps: 300,
      })
  })
})

describe('the fair value', () => {
  const bank = [setting('bank')]
  const venueAt = (mid: bigint, shown: number, limit: number | null = 300): MarketState => {
    const market = marketWith(bank, [{ mid: shown }])
    market.mid = mid
    reviewFeeds(market, bank, limit, START)
    return market
  }

  it('is what the feeds estimate while the venue is near them', () => {
    const market = venueAt(2_500n * TZS, 2_550)
    expect(fairValue(market)).toBe(2_550n * TZS)
    expect(referenceDeviationBps(market)).toBeCloseTo(-196, 0)
  })

  it('is the venue’s mid while feed and venue contradict each other, so that a lie leaves no mark', () => {
    expect(fairValue(venueAt(2_500n * TZS, 3_000))).toBe(2_500n * TZS)
    expect(fairValue(venueAt(2_500n * TZS, 3_000, null))).toBe(3_000n * TZS)
  })

  it('is the venue’s mid when no feed is live', () => {
    const market = venueAt(2_500n * TZS, 2_550)
    reviewFeeds(market, bank, 300, START + DAY)
    expect(fairValue(market)).toBe(2_500n * TZS)
    expect(market.estimate).toBeNull()
  })
})
