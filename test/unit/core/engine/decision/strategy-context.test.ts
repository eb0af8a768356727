import { describe, expect, it } from 'vitest'
import {
  ContextProvider,
  type ContextSource,
} from '../../../../../src/core/engine/decision/strategy-context.ts'
import { INPUTS } from '../../../../../src/core/engine/decision/inputs-read.ts'
import { inventoryShare } from '../../../../../src/core/engine/decision/inventory-share.ts'
import type { Polling } from '../../../../../src/core/engine/transition.ts'
import { position } from '../../../../../src/core/ledger/book/book.ts'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'
import { runCore } from '../../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../../support/taker.ts'

const one = runCore(20_000, { venue: { isActive: true } })
one.venue.fills.push(bringDollars(one.venue, 100n * USD))
one.run(20_000)

/** What a core at work shows a strategy. */
function sourceOf(polling: Polling, change: Partial<ContextSource> = {}): ContextSource {
  return {
    seq: 77,
    now: one.now + 100_000,
    state: one.state(),
    calendar: (cron, timezone) => `${cron} ${timezone}` === '0 7 * * * UTC',
    polling,
    ...change,
  }
}

const share = inventoryShare(position(one.state().book), one.venue.mid, 0.5)

/** Shows the context, reads it, and says whether the answer may change with time. */
function changesAfter(read: (context: StrategyContext) => unknown): boolean {
  const desk = new ContextProvider()
  read(desk.show(sourceOf('simulated', { data: () => ({ fx: 1 }) }), share, 'rate'))
  return (desk.end().inputs & (INPUTS.time | INPUTS.markouts)) !== 0
}

describe('the context of a strategy', () => {
  const desk = new ContextProvider()
  const context = desk.show(sourceOf('engine'), share, 'fill')

  it('shows what is true in this transition', () => {
    expect(context.now).toBe(one.now + 100_000)
    expect(context.cause).toBe('fill')
    expect(context.mid).toBe(2_500)
    // The toy venue's answers are 20 ms under way.
    expect(context.midAgeMs).toBe(100_000 + 40_000 + 60_000 - 20)
    expect(context.fairValue).toEqual({ tzsPerUsd: 2_500, errorBps: 0 })
    expect(context.inventory).toMatchObject({ usd: 50_100, target: 0.5, imbalance: share.imbalance })
    expect(context.recentFills).toMatchObject([{ side: 'ask', stable: 'USDC', usd: 100 }])
    expect(context.standing).toEqual({ bidBps: 60, askBps: 60 })
    expect(context.protocolFeeBps).toBe(10)
    // This configuration is of a journal that did not hold it.
    expect(context.toleranceBps).toBe(5)
    const state = { ...one.state(), config: { ...one.state().config, toleranceBps: 0 } }
    expect(new ContextProvider().show(sourceOf('engine', { state }), share, 'rate').toleranceBps).toBe(0)
    expect(context.inventory.capitalCost).toEqual({ ntzsPerYear: 0, usdPerYear: 0 })
    expect(context.calibration).toBeNull()
    expect(context.competition.bid?.bestBps).toBe(70)
    expect([context.inWindow('0 7 * * *', 'UTC'), context.inWindow('0 8 * * *', 'UTC')]).toEqual([
      true,
      false,
    ])
  })

  it('is one and the same object, and shows what is true in the next transition when that is shown', () => {
    const again = desk.show(sourceOf('engine', { now: 5 }), share, 'timer')
    expect(again).toBe(context)
    expect([context.now, context.cause]).toEqual([5, 'timer'])
  })

  it('draws by the event’s number and the label alone', () => {
    const draw = (seq: number, label: string) =>
      new ContextProvider().show(sourceOf('engine', { seq }), share, 'rate').random(label)()
    expect(draw(7, 'a')).toBe(draw(7, 'a'))
    expect(new Set([draw(7, 'a'), draw(8, 'a'), draw(7, 'b')]).size).toBe(3)
  })

  it('cannot be used to change what the core remembers', () => {
    const fills = context.recentFills as unknown[]
    fills.length = 0
    expect(context.recentFills).toHaveLength(1)
  })
})

describe('whether an answer may change though nothing happens', () => {
  const timeless: Readonly<Record<string, (context: StrategyContext) => unknown>> = {
    nothing: () => null,
    mid: ({ mid }) => mid,
    'fair value': ({ fairValue }) => fairValue.tzsPerUsd,
    inventory: ({ inventory }) => inventory,
    fills: ({ recentFills }) => recentFills,
    competition: ({ competition }) => [competition.bid?.bestBps, competition.ask?.bestBps],
    standing: ({ standing }) => standing,
    fee: ({ protocolFeeBps }) => protocolFeeBps,
    calibration: ({ calibration }) => calibration,
  }
  it.each(Object.entries(timeless))('after a look at %s it may not', (_, read) => {
    expect(changesAfter(read)).toBe(false)
  })

  const timely: Readonly<Record<string, (context: StrategyContext) => unknown>> = {
    clock: ({ now }) => now,
    'estimated gap': ({ fairShift }) => fairShift.bps,
    cause: ({ cause }) => cause,
    'age of the mid': ({ midAgeMs }) => midAgeMs,
    'age of a competitor': ({ competition }) => competition.ask?.ageMs,
    calendar: ({ inWindow }) => inWindow('* * * * *', 'UTC'),
    'own data': ({ data }) => data,
    'feeds, whose ages grow': ({ feeds }) => feeds,
    dice: ({ random }) => random('x'),
    'markouts, which settle after an update': ({ markouts }) => markouts.bid,
  }
  it.each(Object.entries(timely))('after a look at the %s it may', (_, read) => {
    expect(changesAfter(read)).toBe(true)
  })

  it('every field of the context is one or the other', () => {
    const desk = new ContextProvider()
    const fields = Object.keys(desk.show(sourceOf('simulated'), share, 'rate'))
    expect(fields.toSorted()).toEqual(
      [
        'calibration',
        'cause',
        'competition',
        'data',
        'fairShift',
        'fairValue',
        'feeds',
        'inWindow',
        'inventory',
        'markouts',
        'mid',
        'midAgeMs',
        'now',
        'available',
        'protocolFeeBps',
        'random',
        'recentFills',
        'standing',
        'toleranceBps',
      ].toSorted(),
    )
    // Anyone who copies the context has looked at everything.
    expect(changesAfter((context) => ({ ...context }))).toBe(true)
  })

  it.each([
    ['promisable', 'available', (context: StrategyContext): object => context],
    ['deviation', 'imbalance', (context: StrategyContext): object => context.inventory],
  ])('reading the old name %s is an error that names %s', (old, name, partOf) => {
    const context = new ContextProvider().show(sourceOf('simulated'), share, 'rate')
    expect(() => Reflect.get(partOf(context), old) as unknown).toThrow(`${name}: rename it in the strategy`)
  })

  it('what was read in one transition does not count for the next', () => {
    const desk = new ContextProvider()
    void desk.show(sourceOf('simulated'), share, 'rate').now
    desk.show(sourceOf('simulated'), share, 'rate')
    expect(desk.end().inputs).toBe(0)
  })
})

describe("the strategy's own data", () => {
  const show = (change: Partial<ContextSource>) => {
    const desk = new ContextProvider()
    const { data } = desk.show(sourceOf('simulated', change), share, 'rate')
    return [data, desk.end().inputs]
  }

  it('is that of the time of the decision, and makes the answer depend on the time', () => {
    const data = (now: number) => ({ age: now - one.now })
    expect(show({ data })).toEqual([{ age: 100_000 }, INPUTS.data | INPUTS.time])
  })

  it('is null without a file, as live, which no time changes', () => {
    expect(show({})).toEqual([null, INPUTS.data])
  })
})

describe('the raw feeds', () => {
  const readAt = one.now + 40_000
  const band = { min: 1n, max: 10n ** 30n }
  const settings = (name: string) => ({
    name,
    origin: 'independent' as const,
    staleAfterMs: 90_000,
    frozenAfterMs: null,
    band,
    weight: 1,
  })
  const silent = { datedAt: null, movedAt: null, problem: null, waitingSince: 0 }
  const state = one.state()
  const feedsOf = (market: Partial<typeof state.market>, names: readonly string[]) => {
    const config = { ...state.config, feeds: names.map(settings) }
    const shown = { ...state, config, market: { ...state.market, ...market } }
    const desk = new ContextProvider()
    const { feeds } = desk.show(sourceOf('engine', { state: shown }), share, 'rate')
    return { feeds, inputs: desk.end().inputs }
  }

  it('are all that are configured, each with figure, age and status, and count as input', () => {
    const mid = 2_510n * 10n ** 18n
    const bank = { ...silent, mid, readAt, status: 'live' as const }
    const board = { ...silent, mid: null, readAt: null, status: 'silent' as const }
    const { feeds, inputs } = feedsOf({ feeds: { bank, board } }, ['bank', 'board', 'new'])
    expect(feeds).toEqual([
      { name: 'bank', tzsPerUsd: 2_510, ageMs: 60_000, status: 'live' },
      { name: 'board', tzsPerUsd: null, ageMs: null, status: 'silent' },
      { name: 'new', tzsPerUsd: null, ageMs: null, status: 'waiting' },
    ])
    expect(inputs).toBe(INPUTS.feeds | INPUTS.time)
  })

  it('are the reference of a tape where no feed is configured, and else empty', () => {
    const reference = { source: 'bank-board', mid: 2_520n * 10n ** 18n, at: readAt }
    const { feeds } = feedsOf({ reference }, [])
    expect(feeds).toEqual([{ name: 'bank-board', tzsPerUsd: 2_520, ageMs: 60_000, status: 'live' }])
    expect(feedsOf({ reference: null }, []).feeds).toEqual([])
  })
})

describe('the age of the competition', () => {
  const ageAfter = (polling: Polling, ms: number) => {
    const seenAt = one.state().market.competition.ask?.seenAt ?? 0
    const context = new ContextProvider().show(sourceOf(polling, { now: seenAt + ms }), share, 'rate')
    return context.competition.ask?.ageMs ?? Number.NaN
  }

  it('is what passed since the last look', () => {
    expect(ageAfter('engine', 1_000)).toBeCloseTo(1_000)
    expect(ageAfter('engine', 600_000)).toBeCloseTo(600_000)
  })

  it('is never more than a round of polling where those without news are left out', () => {
    expect(ageAfter('simulated', 1_000)).toBeCloseTo(1_000)
    for (const ms of [5_000, 60_000, 86_400_000]) {
      expect(ageAfter('simulated', ms)).toBeGreaterThanOrEqual(0)
      expect(ageAfter('simulated', ms)).toBeLessThan(4_100)
    }
  })
})
