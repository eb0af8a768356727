import { describe, expect, it } from 'vitest'
import {
  createContextProvider,
  type ContextSource,
} from '../../../../src/engine/decision/strategy-context.ts'
import { inventoryShare } from '../../../../src/engine/decision/inventory-share.ts'
import type { Polling } from '../../../../src/engine/transition.ts'
import { position } from '../../../../src/ledger/book/book.ts'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import { coreHarness } from '../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../support/taker.ts'

const one = coreHarness({ venue: { isActive: true } })
one.run(20_000)
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
function changesAfter(read: (context: StrategyContext) => unknown, polling: Polling = 'simulated'): boolean {
  const desk = createContextProvider()
  const source = sourceOf(polling)
  read(desk.show(source, share, 'rate'))
  const { memory } = source.state.strategy
  if (memory === null) throw new Error('the strategy has no memory')
  desk.close(memory)
  return desk.changesWithTime()
}

describe('the context of a strategy', () => {
  const desk = createContextProvider()
  const context = desk.show(sourceOf('engine'), share, 'fill')

  it('shows what is true in this transition', () => {
    expect(context.now).toBe(one.now + 100_000)
    expect(context.cause).toBe('fill')
    expect(context.mid).toBe(2_500)
    // The toy venue's answers are 20 ms under way.
    expect(context.midAgeMs).toBe(100_000 + 40_000 + 60_000 - 20)
    expect(context.fairValue).toEqual({ tzsPerUsd: 2_500, errorBps: 0 })
    expect(context.inventory).toMatchObject({ usd: 50_100, target: 0.5, deviation: share.deviation })
    expect(context.recentFills).toMatchObject([{ side: 'ask', stable: 'USDC', usd: 100 }])
    expect(context.standing).toEqual({ bidBps: 60, askBps: 60 })
    expect(context.protocolFeeBps).toBe(10)
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
      createContextProvider().show(sourceOf('engine', { seq }), share, 'rate').random(label)()
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
    dice: ({ random }) => random('x'),
    'markouts, which settle after an update': ({ markouts }) => markouts.bid,
  }
  it.each(Object.entries(timely))('after a look at the %s it may', (_, read) => {
    expect(changesAfter(read)).toBe(true)
  })

  it('every field of the context is one or the other', () => {
    const desk = createContextProvider()
    const fields = Object.keys(desk.show(sourceOf('simulated'), share, 'rate'))
    expect(fields.toSorted()).toEqual(
      [
        'calibration',
        'cause',
        'competition',
        'fairShift',
        'fairValue',
        'inWindow',
        'inventory',
        'markouts',
        'mid',
        'midAgeMs',
        'now',
        'promisable',
        'protocolFeeBps',
        'random',
        'recentFills',
        'standing',
      ].toSorted(),
    )
    // Whoever copies the context has looked at everything.
    expect(changesAfter((context) => ({ ...context }))).toBe(true)
  })

  it('a core that polls does not ask: it is asked again anyway', () => {
    expect(changesAfter(() => null, 'engine')).toBe(true)
  })

  it('what was read in one transition does not count for the next', () => {
    const desk = createContextProvider()
    const source = sourceOf('simulated')
    const memory = { own: {}, inner: {} }
    void desk.show(source, share, 'rate').now
    desk.close(memory)
    expect(desk.changesWithTime()).toBe(true)
    desk.show(source, share, 'rate')
    desk.close(source.state.strategy.memory ?? memory)
    expect(desk.changesWithTime()).toBe(false)
  })
})

describe('the memory of a strategy', () => {
  /** Whether it counts as changed when `own` becomes `later` while the strategy is asked. */
  function changes(before: unknown, later: unknown, inner: [unknown, unknown] = [{}, {}]): boolean {
    const desk = createContextProvider()
    const source = sourceOf('simulated')
    const state = structuredClone(source.state)
    state.strategy.memory = { own: before, inner: { a: { own: inner[0], inner: {} } } }
    desk.show({ ...source, state }, share, 'rate')
    desk.close({ own: later, inner: { a: { own: inner[1], inner: {} } } })
    return desk.changesWithTime()
  }

  it('of plain values is compared value by value', () => {
    const memory = { count: 1, name: 'x', off: false, none: null, big: 5n, odd: Number.NaN }
    expect(changes(memory, { ...memory })).toBe(false)
    expect(changes(memory, { ...memory, count: 2 })).toBe(true)
    expect(changes(memory, { ...memory, more: 1 })).toBe(true)
    expect(changes(memory, { count: 1 })).toBe(true)
    expect(changes({ a: 1 }, { b: 1 })).toBe(true)
    expect(changes(5, 5)).toBe(false)
    expect(changes(5, 6)).toBe(true)
    expect(changes(null, null)).toBe(false)
    expect(changes([1, 2], [1, 2])).toBe(false)
    expect(changes([1, 2], [2, 1])).toBe(true)
  })

  it('of a wrapped strategy counts, and nothing moves unseen from one to the other', () => {
    expect(changes({}, {}, [{ a: 1 }, { a: 1 }])).toBe(false)
    expect(changes({}, {}, [{ a: 1 }, { a: 2 }])).toBe(true)
    expect(changes({ a: 1 }, {}, [{}, { a: 1 }])).toBe(true)
  })

  it('that is anything deeper counts as changed', () => {
    const list = { list: [1] }
    expect(changes(list, list)).toBe(true)
    expect(changes({}, {}, [list, list])).toBe(true)
  })
})

describe('the age of the competition', () => {
  const ageAfter = (polling: Polling, ms: number) => {
    const seenAt = one.state().market.competition.ask?.seenAt ?? 0
    const context = createContextProvider().show(sourceOf(polling, { now: seenAt + ms }), share, 'rate')
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
