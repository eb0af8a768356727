import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { askStrategy } from '../../../src/strategy/ask-strategy.ts'
import type { StrategyContext } from '../../../src/strategy/context.ts'
import {
  defineStrategy,
  type LoadedStrategy,
  type StrategyDefinition,
} from '../../../src/strategy/define-strategy.ts'
import { freshMemory } from '../../../src/strategy/memory.ts'
import { testStrategy } from '../../support/test-strategy.ts'

const context = { now: 1 } as StrategyContext
const memory = { own: {}, inner: {} }
const ask = (answer: () => unknown) => askStrategy(testStrategy(answer as never), memory, context)

describe('what a strategy answers', () => {
  it('is a quote: numbers or null, and reasons', () => {
    const quote = { bidBps: 60.5, askBps: null, because: ['one', 'two'] }
    expect(ask(() => quote)).toEqual({ ok: true, value: quote })
  })

  it.each([
    ['none', [], []],
    ['what is no text', [7, null], ['7', 'null']],
    ['a long one', ['x'.repeat(1_001), 'short'], ['x'.repeat(1_000), 'short']],
    ['a hundred and one', Array.from({ length: 101 }, () => 'y'), Array.from({ length: 100 }, () => 'y')],
  ])('has reasons as text with an end: %s', (_, because, kept) => {
    expect(ask(() => ({ bidBps: 60, askBps: 60, because }))).toMatchObject({ value: { because: kept } })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 60],
    ['NaN', { bidBps: Number.NaN, askBps: 60, because: [] }],
    ['infinity', { bidBps: 60, askBps: Infinity, because: [] }],
    ['text', { bidBps: '60', askBps: 60, because: [] }],
    ['one side', { bidBps: 60, because: [] }],
    ['no reasons', { bidBps: 60, askBps: 60 }],
    ['a promise', Promise.resolve({ bidBps: 60, askBps: 60, because: [] })],
  ])('is an error that names it when it is %s', (_, answer) => {
    expect(ask(() => answer)).toMatchObject({ ok: false, error: expect.stringContaining('strategy test') })
  })

  it('is kept as a copy: what it does to its list later changes nothing', () => {
    const because = ['first']
    const answer = ask(() => ({ bidBps: 60, askBps: 60, because }))
    because.push('second')
    expect(answer).toMatchObject({ value: { because: ['first'] } })
  })
})

describe('what a strategy throws', () => {
  const unspeakable = {
    toString() {
      throw new Error('not even this')
    },
  }
  it.each([
    ['an error', new Error('division by zero'), 'division by zero'],
    ['a text', 'nonsense', 'nonsense'],
    ['nothing', undefined, 'undefined'],
    ['an object without a prototype', Object.create(null), 'something that has no text'],
    ['what throws when it is looked at', unspeakable, 'something that has no text'],
  ])('is an error of the strategy and not of ours: %s', (_, thrown, text) => {
    const answer = ask(() => {
      throw thrown
    })
    expect(answer).toEqual({ ok: false, error: `strategy test threw: ${text}` })
  })
})

describe('a strategy that wraps another', () => {
  const counting = defineStrategy({
    name: 'counting',
    params: z.strictObject({ from: z.number() }),
    init: ({ from }) => ({ count: from }),
    quote: (_, state) => ({ bidBps: (state.count += 1), askBps: null, because: ['counted'] }),
  })
  const wrapping = defineStrategy({
    name: 'wrapping',
    params: z.unknown(),
    init: () => ({}),
    quote: (seen, _, __, inner) => {
      const day = inner['day']?.(seen)
      const night = inner['night']?.(seen)
      return { bidBps: day?.bidBps ?? null, askBps: night?.bidBps ?? null, because: ['wrapped'] }
    },
  })
  const load = (definition: unknown, params: unknown, inner = {}): LoadedStrategy => ({
    use: 'loaded',
    definition: definition as StrategyDefinition<unknown, unknown>,
    params,
    inner,
    sourceHash: '',
  })

  it('asks it by its label, and each of them has a memory of its own', () => {
    const strategy = load(
      wrapping,
      {},
      { day: load(counting, { from: 10 }), night: load(counting, { from: 90 }) },
    )
    const own = freshMemory(strategy)
    askStrategy(strategy, own, context)
    expect(askStrategy(strategy, own, context)).toMatchObject({ value: { bidBps: 12, askBps: 92 } })
    expect(freshMemory(strategy).inner['day']).toEqual({ own: { count: 10 }, inner: {} })
  })
})
