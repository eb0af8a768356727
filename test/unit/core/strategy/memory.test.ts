import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runCore } from '../../../support/core-harness.ts'
import {
  defineStrategy,
  type InnerChoice,
  type LoadedStrategy,
  type StrategyDefinition,
} from '../../../../src/core/strategy/define-strategy.ts'
import { freshMemory, memoryAfterChange, type StrategyMemory } from '../../../../src/core/strategy/memory.ts'

/** Counts how often it was asked, and asks what it wraps, if it wraps something. */
const counting = defineStrategy({
  name: 'counting',
  params: z.object({ bps: z.number(), wraps: z.custom<InnerChoice>().optional() }),
  init: () => ({ asked: 0 }),
  inner: ({ wraps }): Record<string, InnerChoice> => (wraps === undefined ? {} : { wrapped: wraps }),
  quote: (context, state, { bps }, inner) => {
    state.asked += 1
    inner['wrapped']?.(context)
    return { bidBps: bps, askBps: bps, reasons: [] }
  },
})

type Params = { readonly bps: number; readonly wraps?: { readonly use: string; readonly params: Params } }

function loaded(params: Params): LoadedStrategy {
  return {
    use: 'counting',
    definition: counting as unknown as StrategyDefinition<unknown, unknown>,
    params,
    inner: params.wraps === undefined ? {} : { wrapped: loaded(params.wraps.params) },
    sourceHash: 'one',
  }
}

/** Three deep, from the outside in. */
const deep = (outer: number, middle: number, inner: number, use = 'counting'): Params => ({
  bps: outer,
  wraps: { use: 'counting', params: { bps: middle, wraps: { use, params: { bps: inner } } } },
})

const asked = (memory: StrategyMemory | undefined): unknown[] =>
  memory === undefined ? [] : [(memory.own as { asked: number }).asked, ...asked(memory.inner['wrapped'])]

function after(params: Params, next: Params): unknown[] {
  const memory = freshMemory(loaded(params))
  for (let at: StrategyMemory | undefined = memory; at !== undefined; at = at.inner['wrapped'])
    at.own = { asked: 7 }
  return asked(memoryAfterChange(loaded(next), { params, memory }))
}

describe('the memory after a change of parameters', () => {
  it('begins anew where they changed, and continues in what is wrapped with the same ones', () => {
    expect(after(deep(60, 50, 40), deep(61, 50, 40))).toEqual([0, 7, 7])
    expect(after(deep(60, 50, 40), deep(60, 51, 40))).toEqual([0, 0, 7])
    expect(after(deep(60, 50, 40), deep(60, 50, 41))).toEqual([0, 0, 0])
    expect(after(deep(60, 50, 40), deep(60, 50, 40))).toEqual([7, 7, 7])
  })

  it('begins anew in a wrapped strategy of another name, and where nothing was wrapped', () => {
    expect(after(deep(60, 50, 40), deep(60, 51, 40, 'another'))).toEqual([0, 0, 0])
    expect(after({ bps: 60 }, deep(60, 50, 40))).toEqual([0, 0, 0])
    expect(after(deep(60, 50, 40), { bps: 60 })).toEqual([0])
  })
})

describe('a reload of a strategy that wraps another', () => {
  const choice = (params: Params, sourceHash = 'one') => ({
    strategy: { use: 'counting', params, sourceHash },
  })
  const core = (params: Params) => {
    return runCore(60_000, {
      config: choice(params),
      strategyFor: ({ params: given }) => loaded(given as Params),
    })
  }
  const reload = (one: ReturnType<typeof core>, params: Params, sourceHash?: string) => {
    one.give({
      type: 'reloaded',
      t: one.now,
      config: { ...one.state().config, ...choice(params, sourceHash) },
    })
    return asked(one.state().strategy.memory ?? undefined)
  }

  it('keeps the state of the wrapped one when the wrapper alone changes', () => {
    const one = core({ bps: 60, wraps: { use: 'counting', params: { bps: 50 } } })
    const [, before] = asked(one.state().strategy.memory ?? undefined)
    const [outer, inner] = reload(one, { bps: 61, wraps: { use: 'counting', params: { bps: 50 } } })
    expect(outer).toBe(1)
    expect(inner).toBe(Number(before) + 1)
  })

  it('begins anew with other code', () => {
    const one = core({ bps: 60, wraps: { use: 'counting', params: { bps: 50 } } })
    expect(reload(one, { bps: 61, wraps: { use: 'counting', params: { bps: 50 } } }, 'two')).toEqual([1, 1])
  })
})
