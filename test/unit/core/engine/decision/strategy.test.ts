import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CoreConfig } from '../../../../../src/core/engine/model/config.ts'
import { createEngine } from '../../../../../src/core/engine/engine.ts'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'
import type { LoadedStrategy } from '../../../../../src/core/strategy/define-strategy.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { coreHarness, type Harness, runCore } from '../../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../../support/taker.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const good = { bidBps: 60, askBps: 60, reasons: [] }
const circle: Record<string, unknown> = {}
circle['round'] = circle
const suspended = (one: Harness) => one.observations.filter(({ type }) => type === 'strategySuspended')
const reload = (one: Harness, change: Partial<CoreConfig>) =>
  one.give({ type: 'reloaded', t: one.now, config: { ...one.state().config, ...change } })

describe('a strategy that falls back', () => {
  it('is reported once when it begins and once when it ends, over a restart too, and once more after a reload', () => {
    let fallback: string | null = 'no calibration'
    const one = coreHarness({
      strategy: testStrategy(() => (fallback === null ? good : { ...good, fallback })),
    })
    const reported = () =>
      one.observations.flatMap((seen) => (seen.type === 'strategyFellBack' ? [seen.why] : []))
    one.run(60_000)
    expect(reported()).toEqual(['no calibration'])
    one.restart()
    one.run(60_000)
    expect(reported()).toEqual(['no calibration'])
    fallback = null
    one.run(60_000)
    expect(reported()).toEqual(['no calibration', null])
    fallback = 'the closed form'
    one.run(60_000)
    reload(one, { name: 'desk-1' })
    one.run(60_000)
    expect(reported().slice(2)).toEqual(['the closed form'])
  })
})

describe('a strategy that fails', () => {
  const throws = (what: unknown) => () => {
    throw what
  }
  it.each([
    ['throws', throws(new Error('oops'))],
    ['answers NaN', () => ({ ...good, bidBps: Number.NaN })],
    ['answers nothing', () => undefined],
    ['throws what cannot be said', throws(Object.create(null))],
  ])('because it %s is suspended, the quote is safe, and the process lives', (_, fail) => {
    let isBroken = false
    const one = runCore(10_000, { strategy: testStrategy(() => (isBroken ? fail() : good) as typeof good) })
    isBroken = true
    one.run(10_000)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    expect(one.state().decision?.findings).toMatchObject([{ rule: 'strategy-suspended' }])
    one.run(60_000)
    expect(suspended(one)).toHaveLength(1)
    isBroken = false
    one.run(60_000)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    one.order({ name: 'resume' })
    one.run(10_000)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it('stays suspended over a restart, and is not asked again by it', () => {
    let asked = 0
    const one = runCore(10_000, {
      strategy: testStrategy(() => {
        asked += 1
        throw new Error('oops')
      }),
    })
    one.restart()
    one.run(60_000)
    expect(asked).toBe(1)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
  })

  it('in its init is suspended as well, and mended code gets its chance by a reload', () => {
    const broken: LoadedStrategy = {
      ...testStrategy(() => good),
      definition: {
        name: 'broken',
        params: z.unknown(),
        init: throws(new Error('no memory')),
        quote: () => good,
      },
    }
    const one = runCore(10_000, {
      strategyFor: (choice) => (choice.sourceHash === 'mended' ? testStrategy(() => good) : broken),
    })
    expect(suspended(one)).toMatchObject([{ why: 'strategy test threw in init: no memory' }])
    reload(one, { strategy: { use: 'test', params: {}, sourceHash: 'mended' } })
    one.run(10_000)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })

  it.each([
    ['a Map', { seen: new Map() }, 'state.seen is a Map'],
    ['a date', { levels: [{ at: new Date(0) }] }, 'state.levels.0.at is a Date'],
    ['infinity', { best: Infinity }, 'state.best is Infinity'],
    ['a function', { next: () => 1 }, 'state.next is a function'],
    ['itself', circle, 'state.round is a circle'],
    ['a list with a hole', { mids: Object.assign([], { length: 2 }) }, 'state.mids is a list with holes'],
    [
      'a named list',
      { mids: Object.assign([1], { last: 1 }) },
      'state.mids is a list with holes or named entries',
    ],
    ['undefined in a list', { mids: [1, undefined] }, 'state.mids.1 is undefined'],
  ])(
    'for a state with %s in it, which no restart would give back, is suspended and says where',
    (_, own, problem) => {
      const plain = testStrategy(() => good)
      const forgetful = { ...plain, definition: { ...plain.definition, init: () => own } }
      const one = runCore(10_000, { strategy: forgetful })
      expect(suspended(one)).toMatchObject([{ why: expect.stringContaining(problem) }])
      expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    },
  )

  it('and had to be killed with its worker is suspended before the next event', () => {
    const one = runCore(10_000)
    one.engine.suspendStrategy('event 17 took indefinitely')
    one.restart()
    one.run(20_000)
    expect(one.venue.held).toMatchObject({ bidBps: 500, askBps: 500 })
    one.order({ name: 'resume' })
    one.run(10_000)
    expect(one.venue.held).toMatchObject({ bidBps: 60, askBps: 60 })
  })
})

describe('a reload', () => {
  const byParams = (choice: { params: unknown }) => {
    const { bps } = choice.params as { bps: number }
    return testStrategy(() => ({ bidBps: bps, askBps: bps, reasons: [] }))
  }
  const config = { strategy: { use: 'test', params: { bps: 60 }, sourceHash: 'one' } }

  it('takes new parameters between two steps', () => {
    const one = runCore(10_000, { config, strategyFor: byParams })
    reload(one, { strategy: { use: 'test', params: { bps: 90 }, sourceHash: 'one' } })
    one.run(5_000)
    expect(one.venue.held).toMatchObject({ bidBps: 90, askBps: 90 })
  })

  it('that cannot have its strategy changes nothing at all', () => {
    const one = runCore(10_000, {
      config,
      strategyFor: (choice) => {
        if (choice.sourceHash === 'gone') throw new Error('no such file')
        return byParams(choice)
      },
    })
    const before = one.state().config
    expect(() =>
      reload(one, {
        strategy: { use: 'test', params: { bps: 90 }, sourceHash: 'gone' },
        quote: { ...before.quote, safeBps: 400 },
      }),
    ).toThrow('no such file')
    expect(one.state().config).toBe(before)
  })

  it('of the same strategy keeps its memory; of another one does not', () => {
    const counting = (): LoadedStrategy => ({
      ...testStrategy(() => good),
      definition: {
        name: 'counting',
        params: z.unknown(),
        init: () => ({ asked: 0 }),
        quote: (_, state) => {
          ;(state as { asked: number }).asked += 1
          return good
        },
      },
    })
    const one = coreHarness({ config, strategyFor: counting })
    const asked = () => (one.state().strategy.memory!.own as { asked: number }).asked
    one.run(30_000)
    const before = asked()
    reload(one, { quote: { ...one.state().config.quote, safeBps: 400 } })
    expect(asked()).toBe(before + 1)
    reload(one, { strategy: { use: 'test', params: { bps: 61 }, sourceHash: 'one' } })
    expect(asked()).toBe(1)
  })

  it('compares parameters of any kind: figures beyond a number too', () => {
    const big = { strategy: { use: 'test', params: { most: 10n ** 30n }, sourceHash: 'one' } }
    const one = runCore(10_000, { config: big })
    reload(one, big)
    one.restart()
    one.run(10_000)
    expect(one.venue.held).toMatchObject({ bidBps: 60 })
  })
})

describe('what a strategy does to its context', () => {
  it('does not reach the core: the fills it turned round are counted as they came', () => {
    const one = runCore(10_000, {
      strategy: testStrategy((context: StrategyContext) => {
        ;(context.recentFills as unknown[]).length = 0
        return good
      }),
    })
    bringDollars(one.venue, USD)
    one.run(10_000)
    expect(one.state().flow.recent).toHaveLength(1)
  })

  it('does not reach another decision either: its random numbers depend on the event and the label alone', () => {
    const drawn: number[][] = []
    const strategy = testStrategy((context) => {
      const draw = () => context.random('size')()
      drawn.push([draw(), draw()])
      return good
    })
    runCore(30_000, { strategy })
    for (const [first, second] of drawn) expect(first).toBe(second)
    expect(new Set(drawn.map(([first]) => first)).size).toBe(drawn.length)
  })
})

describe('the engine', () => {
  const parts = { strategyFor: () => testStrategy(), calendar: () => false }
  it('refuses a journal with a hole, and one that does not begin at the beginning', () => {
    const started = { type: 'started', t: 1, version: 'test', config: coreConfig() } as const
    expect(() => createEngine(parts).process(2, started)).toThrow(/hole/)
    expect(() => createEngine(parts).process(1, { type: 'tick', t: 1 })).toThrow(/`started`/)
    const engine = createEngine(parts)
    engine.process(1, started)
    expect(() => engine.process(1, started)).toThrow(/hole/)
  })

  it("never lets time go back, though the shell's clock may", () => {
    const one = runCore(10_000)
    const before = one.state().now
    one.give({ type: 'tick', t: 5 })
    expect(one.state().now).toBe(before)
  })
})
