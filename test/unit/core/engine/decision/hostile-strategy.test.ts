import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { encodeJson } from '../../../../../src/base/codec.ts'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'
import type { LoadedStrategy, StrategyQuote } from '../../../../../src/core/strategy/define-strategy.ts'
import { unkeptMemory } from '../../../../../src/core/strategy/memory.ts'
import type { Calibration, Estimate, Intensity } from '../../../../../src/core/models/calibration.ts'
import { type Harness, runCore } from '../../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../../support/taker.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

// What a strategy is given is the daemon's own: a strategy learns from it and changes nothing by it.

const good: StrategyQuote = { bidBps: 60, askBps: 60, reasons: [] }
const suspensions = (one: Harness) => one.observations.filter(({ type }) => type === 'strategySuspended')

const estimate = (): Estimate => ({ value: 1, low: 0.5, high: 2 })
const intensity = (): Intensity => ({
  a: estimate(),
  k: estimate(),
  fills: 10,
  exposureDays: 1,
  method: 'likelihood',
  overdispersion: 1,
})
const CALIBRATION: Calibration = {
  version: 1,
  from: 0,
  to: 0,
  fills: 10,
  prints: 3,
  both: intensity(),
  bid: null,
  ask: null,
  sigma: null,
  markouts: [],
  sizesUsd: [],
  warnings: [],
}

function withMemory<State>(
  init: () => State,
  quote: (context: StrategyContext, state: State) => StrategyQuote,
): LoadedStrategy {
  const definition = { name: 'test', params: z.unknown(), init, quote }
  return { ...testStrategy(), definition: definition as LoadedStrategy['definition'] }
}

describe('a strategy that writes to what it is shown', () => {
  const calibration = { learned: CALIBRATION, sourceHash: 'learned' }
  type Writable = { -readonly [Key in keyof StrategyContext]: StrategyContext[Key] }

  it.each<[string, (context: Writable) => unknown]>([
    [
      'the amount of a recent fill',
      ({ recentFills }) => Object.assign(recentFills[0] as object, { usd: 1e9 }),
    ],
    ['the calibration', ({ calibration: known }) => Object.assign(known as object, { fills: 0 })],
    [
      'an estimate in the calibration',
      ({ calibration: known }) => known !== null && Object.assign(known.both.a, { value: 1e9 }),
    ],
    [
      'a list in the calibration',
      ({ calibration: known }) => known !== null && (known.sizesUsd as number[]).push(1),
    ],
    ['the mid', (context) => (context.mid = 1)],
    ['the clock', (context) => Object.defineProperty(context, 'now', { value: 0 })],
    ['the calendar', (context) => (context.inWindow = () => true)],
    ['what its functions are', ({ random }) => Object.assign(random, { constructor: () => 1 })],
    [
      'what its getters are',
      (context) =>
        Object.values(Object.getOwnPropertyDescriptors(context)).forEach((each) =>
          Object.values(each).forEach((part) => Object.assign(part as object, { x: 1 })),
        ),
    ],
  ])('%s is suspended, and nothing is written', (_what, write) => {
    let isHostile = false
    const one = runCore(10_000, {
      config: { calibration },
      strategy: testStrategy((context) => {
        if (isHostile) write(context)
        return good
      }),
    })
    bringDollars(one.venue, 100n * USD)
    one.run(30_000)
    const before = encodeJson([one.state().flow.recent, one.state().config.calibration])
    expect(one.state().flow.recent).toHaveLength(1)
    isHostile = true
    one.run(30_000)
    expect(suspensions(one)).toHaveLength(1)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(encodeJson([one.state().flow.recent, one.state().config.calibration])).toBe(before)
  })

  it('the list of recent fills has written to a copy', () => {
    const lengths: number[] = []
    const one = runCore(10_000, {
      strategy: testStrategy(({ recentFills }) => {
        lengths.push(recentFills.length)
        ;(recentFills as unknown[]).length = 0
        return good
      }),
    })
    bringDollars(one.venue, 100n * USD)
    one.run(60_000)
    expect(lengths.at(-1)).toBe(1)
    expect(one.state().flow.recent).toHaveLength(1)
  })

  it('a recent fill is suspended also after a restart from a snapshot', () => {
    let isHostile = false
    const one = runCore(10_000, {
      strategy: testStrategy(({ recentFills }) => {
        if (isHostile) Object.assign(recentFills[0] as object, { usd: 1e9 })
        return good
      }),
    })
    bringDollars(one.venue, 100n * USD)
    one.run(30_000)
    one.restart()
    isHostile = true
    one.run(30_000)
    expect(suspensions(one)).toHaveLength(1)
    expect(one.state().flow.recent[0]?.usd).toBe(100)
  })
})

describe('a context that a strategy has kept', () => {
  it.each<[string, (context: StrategyContext) => unknown]>([
    ['the mid', ({ mid }) => mid],
    ['the clock', ({ now }) => now],
    ['its inventory', ({ inventory }) => inventory],
    ['its fills', ({ recentFills }) => recentFills],
    ['a calendar', ({ inWindow }) => inWindow('* * * * *', 'UTC')],
    ['chance', ({ random }) => random('later')],
  ])('tells it nothing after the call: not %s', (_what, read) => {
    const kept: StrategyContext[] = []
    runCore(10_000, {
      strategy: testStrategy((context) => {
        kept.push(context)
        return good
      }),
    })
    expect(kept.length).toBeGreaterThan(0)
    for (const context of kept) expect(() => read(context)).toThrow(/only while the strategy/)
  })
})

describe('a memory that is more than data', () => {
  const traps: readonly [string, (ran: () => never) => unknown][] = [
    ['a getter', (ran) => Object.defineProperty({}, 'next', { enumerable: true, get: ran })],
    [
      'a getter in a list',
      (ran) => ({ list: [Object.defineProperty({}, 'next', { enumerable: true, get: ran })] }),
    ],
    ['a toJSON', (ran) => ({ toJSON: ran })],
    [
      'a circle',
      () => {
        const round: Record<string, unknown> = {}
        return Object.assign(round, { round })
      },
    ],
    [
      'a well without a bottom',
      () => {
        let deep: unknown = {}
        for (let level = 0; level < 10_000; level++) deep = { deep }
        return deep
      },
    ],
  ]

  it.each(traps)('is never run, and suspends its strategy: %s', (_what, make) => {
    let ran = 0
    const trap = (): never => {
      ran += 1
      throw new Error('ran while it was looked at')
    }
    let isHostile = false
    const one = runCore(10_000, {
      strategy: withMemory(
        () => ({ kept: null as unknown }),
        ({ now }, state) => {
          if (isHostile && now > 0) state.kept = make(trap)
          return good
        },
      ),
    })
    isHostile = true
    one.run(600_000)
    expect(suspensions(one)).toMatchObject([{ why: expect.stringContaining('plain data') }])
    expect(one.state().strategy.memory).toBeNull()
    // What is left of it can be written, and the position lives.
    expect(encodeJson(one.state())).toContain('"suspended"')
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    isHostile = false
    one.order({ name: 'resume' })
    one.run(10_000)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
    expect(ran).toBe(0)
  })

  it.each(traps)('is found before a snapshot is written, without running it: %s', (_what, make) => {
    const trap = (): never => {
      throw new Error('ran while it was looked at')
    }
    const found = unkeptMemory({ own: {}, inner: { night: { own: make(trap), inner: {} } } })
    expect(found).toMatch(/is (a getter|a function|a circle|nested more than 100 deep)/)
  })
})
