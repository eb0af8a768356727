import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { askStrategy } from '../../../../src/core/strategy/ask-strategy.ts'
import type { StrategyContext } from '../../../../src/core/strategy/context.ts'
import {
  defineStrategy,
  type LoadedStrategy,
  type StrategyDefinition,
} from '../../../../src/core/strategy/define-strategy.ts'
import { freshMemory } from '../../../../src/core/strategy/memory.ts'
import { testStrategy } from '../../../support/test-strategy.ts'

const context = { now: 1 } as StrategyContext
const memory = { own: {}, inner: {} }
const ask = (answer: () => unknown) => askStrategy(testStrategy(answer as never), memory, context)

describe('what a strategy answers', () => {
  it('is a quote: numbers or null, and reasons', () => {
    const quote = { bidBps: 60.5, askBps: null, reasons: ['one', 'two'] }
    expect(ask(() => quote)).toEqual({ ok: true, value: quote })
  })

  it.each([
    ['none', [], []],
    ['what is no text', [7, null], ['7', 'null']],
    ['a long one', ['x'.repeat(1_001), 'short'], ['x'.repeat(1_000), 'short']],
    ['a hundred and one', Array.from({ length: 101 }, () => 'y'), Array.from({ length: 100 }, () => 'y')],
  ])('has reasons as text with an end: %s', (_, reasons, kept) => {
    expect(ask(() => ({ bidBps: 60, askBps: 60, reasons }))).toMatchObject({ value: { reasons: kept } })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 60],
    ['NaN', { bidBps: Number.NaN, askBps: 60, reasons: [] }],
    ['infinity', { bidBps: 60, askBps: Infinity, reasons: [] }],
    ['text', { bidBps: '60', askBps: 60, reasons: [] }],
    ['one side', { bidBps: 60, reasons: [] }],
    ['no reasons', { bidBps: 60, askBps: 60 }],
    ['a promise', Promise.resolve({ bidBps: 60, askBps: 60, reasons: [] })],
  ])('is an error that names it when it is %s', (_, answer) => {
    expect(ask(() => answer)).toMatchObject({ ok: false, error: expect.stringContaining('strategy test') })
  })

  it('is refused in words when it is a promise', () => {
    const error =
      'strategy test returned a promise: quote() must return its answer directly, so it cannot be async'
    expect(ask(() => Promise.resolve(1))).toEqual({ ok: false, error })
  })

  it('may plot numbers by name', () => {
    const quote = { bidBps: 60, askBps: 60, reasons: [] }
    const plotted = (plot: unknown) => ask(() => ({ ...quote, plot }))
    const plot = { ema: 2_500.5, 'z-score 1 h': -1 }
    expect(plotted(plot)).toEqual({ ok: true, value: { ...quote, plot } })
    expect(plotted(undefined)).toEqual({ ok: true, value: quote })
    const nine = Object.fromEntries(Array.from('abcdefghi', (name) => [name, 1]))
    for (const [wrong, why] of [
      [{ ema: Number.NaN }, 'ema = NaN; a finite number was expected'],
      [{ ema: '2500' }, 'ema = 2500; a finite number was expected'],
      [nine, '9 names; the maximum is 8'],
      [{ '<b>': 1 }, 'the name <b>; 1 to 40 letters'],
      [{ ['x'.repeat(41)]: 1 }, 'the name x'],
      [[1], 'an object of numbers by name was expected'],
      [null, 'an object of numbers by name was expected'],
    ] as const)
      expect(plotted(wrong)).toMatchObject({
        ok: false,
        error: expect.stringContaining(`strategy test answered plot: ${why}`),
      })
  })

  it('may name its fallback, as a sentence with an end', () => {
    const quote = { bidBps: 60, askBps: 60, reasons: [] }
    const fellBack = (fallback: unknown) => ask(() => ({ ...quote, fallback }))
    expect(fellBack('no calibration')).toEqual({ ok: true, value: { ...quote, fallback: 'no calibration' } })
    expect(fellBack('x'.repeat(1_001))).toMatchObject({ value: { fallback: 'x'.repeat(1_000) } })
    expect(fellBack(undefined)).toEqual({ ok: true, value: quote })
    for (const wrong of ['', 7, null, true, {}])
      expect(fellBack(wrong)).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^strategy test answered fallback = .*; a sentence was expected$/),
      })
  })

  it('may tell its terms apart, which are kept as copies of their three fields', () => {
    const term = { name: 'half-spread', bidBps: 60, askBps: 60, more: () => 1 }
    const answer = ask(() => ({ bidBps: 60, askBps: 60, reasons: [], terms: [term] }))
    term.bidBps = 70
    const terms = [{ name: 'half-spread', bidBps: 60, askBps: 60 }]
    expect(answer).toEqual({ ok: true, value: { bidBps: 60, askBps: 60, reasons: [], terms } })
  })

  const part = { name: 'inventory', bidBps: 1, askBps: 1 }
  it.each([
    ['no list', 'sixty', 'a list was expected'],
    ['nothing', [null], '[0].name = undefined; a text of 1 to 60 characters was expected'],
    [
      'without a name',
      [part, { ...part, name: '' }],
      '[1].name = ; a text of 1 to 60 characters was expected',
    ],
    ['NaN', [{ ...part, bidBps: Number.NaN }], '[0].bidBps = NaN; a finite number was expected'],
    ['infinite', [{ ...part, askBps: -Infinity }], '[0].askBps = -Infinity; a finite number was expected'],
    ['text', [{ ...part, askBps: '1' }], '[0].askBps = 1; a finite number was expected'],
    ['too many', Array.from({ length: 101 }, () => part), '101 terms; the maximum is 100'],
  ])('is an error that names its terms when they are %s', (_, terms, why) => {
    const error = `strategy test answered terms: ${why}`
    expect(ask(() => ({ bidBps: 60, askBps: 60, reasons: [], terms }))).toEqual({ ok: false, error })
  })

  it('with the old name of its reasons is an error that names the new one', () => {
    expect(ask(() => ({ bidBps: 60, askBps: 60, because: [] }))).toEqual({
      ok: false,
      error: "strategy test returned 'because', which is now 'reasons': rename it",
    })
  })

  it('is kept as a copy: what it does to its list later changes nothing', () => {
    const reasons = ['first']
    const answer = ask(() => ({ bidBps: 60, askBps: 60, reasons }))
    reasons.push('second')
    expect(answer).toMatchObject({ value: { reasons: ['first'] } })
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
    ['an object without a prototype', Object.create(null), 'a value that cannot be shown as text'],
    ['what throws when it is looked at', unspeakable, 'a value that cannot be shown as text'],
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
    quote: (_, state) => ({ bidBps: (state.count += 1), askBps: null, reasons: ['counted'] }),
  })
  const wrapping = defineStrategy({
    name: 'wrapping',
    params: z.unknown(),
    init: () => ({}),
    quote: (seen, _, __, inner) => {
      const day = inner['day']?.(seen)
      const night = inner['night']?.(seen)
      return { bidBps: day?.bidBps ?? null, askBps: night?.bidBps ?? null, reasons: ['wrapped'] }
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

  it('is suspended over a spread that is text, which its message shows as text', () => {
    const texts = defineStrategy({
      name: 'texts',
      params: z.unknown(),
      init: () => ({}),
      quote: () => ({ bidBps: '50' as unknown as number, askBps: 60, reasons: [] }),
    })
    const strategy = load(texts, {})
    expect(askStrategy(strategy, freshMemory(strategy), context)).toMatchObject({
      error: 'strategy loaded answered bidBps = "50"; a finite number or null was expected',
    })
  })

  it('is suspended with the name of the wrapped one where that answers with no quote', () => {
    const broken = defineStrategy({
      name: 'broken',
      params: z.unknown(),
      init: () => ({}),
      quote: () => ({ bidBps: Number.NaN, askBps: 60, reasons: [] }),
    })
    const day = { ...load(broken, {}), use: 'broken' }
    const strategy = load(wrapping, {}, { day })
    expect(askStrategy(strategy, freshMemory(strategy), context)).toEqual({
      ok: false,
      error:
        'strategy loaded threw: strategy broken answered bidBps = NaN; a finite number or null was expected',
    })
  })
})
