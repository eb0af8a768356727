import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CHANGES, INPUT_NAMES } from '../../../../src/engine/decision/inputs-read.ts'
import type { StrategyContext } from '../../../../src/strategy/context.ts'
import { defineStrategy, type StrategyDefinition } from '../../../../src/strategy/define-strategy.ts'
import { decisionSchema } from '../../../../src/view/decision-view.ts'
import { buildView, viewSchema } from '../../../../src/view/position-view.ts'
import { overheard } from '../../../support/backtest-strategies.ts'
import { coreHarness } from '../../../support/core-harness.ts'
import { bringDollars, USD } from '../../../support/taker.ts'
import { pureStrategy } from '../../../support/test-strategy.ts'

/** A core at work whose strategy reads this; how often the strategy is called while `happens`. */
function calls(
  read: (context: StrategyContext) => unknown,
  happens: (one: ReturnType<typeof coreHarness>) => void,
): number {
  let asked = 0
  const strategy = overheard(
    pureStrategy((context) => ({ bidBps: 60, askBps: 60, because: [String(read(context))] })),
    () => (asked += 1),
  )
  const one = coreHarness({ venue: { isActive: true }, strategy })
  one.run(60_000)
  asked = 0
  happens(one)
  return asked
}

const rests = (one: ReturnType<typeof coreHarness>) => one.run(120_000)
const aFill = (one: ReturnType<typeof coreHarness>) => {
  one.venue.fills.push(bringDollars(one.venue, 100n * USD))
  one.run(60_000)
}

describe('a live strategy is called when what it read has changed', () => {
  it('while nothing happens only where it read something that changes with time', () => {
    expect(calls(({ mid, inventory }) => [mid, inventory.usdShare], rests)).toBe(0)
    expect(calls(({ now }) => now, rests)).toBeGreaterThanOrEqual(8)
    expect(calls(({ cause }) => cause, rests)).toBeGreaterThanOrEqual(8)
  })

  it('by a fill where it read its inventory or its fills, and not where it read the mid alone', () => {
    expect(calls(({ inventory }) => inventory.usd, aFill)).toBe(1)
    expect(calls(({ recentFills }) => recentFills.length, aFill)).toBe(1)
    expect(calls(({ mid }) => mid, aFill)).toBe(0)
  })

  it('by a new mid where it read the mid or a share of the value, and not where it read its dollars alone', () => {
    const aMid = (one: ReturnType<typeof coreHarness>) => {
      one.venue.mid += 10n ** 18n
      one.run(60_000)
    }
    expect(calls(({ mid }) => mid, aMid)).toBe(1)
    expect(calls(({ inventory }) => inventory.deviation, aMid)).toBe(1)
    expect(calls(({ inventory }) => inventory.usd, aMid)).toBe(0)
  })
})

describe('a core shows why its strategy was asked or left out', () => {
  const reading = (read: (context: StrategyContext) => unknown) =>
    coreHarness({
      venue: { isActive: true },
      strategy: pureStrategy((context) => ({ bidBps: 60, askBps: 60, because: [String(read(context))] })),
    })

  it('with no question before the first one, and none of another process', () => {
    const one = reading(({ mid }) => mid)
    expect(one.engine.lastQuestion()).toBeNull()
    one.run(60_000)
    expect(one.engine.lastQuestion()).toMatchObject({ changed: 'first', inputs: ['mid'] })
    one.restart()
    one.run(60_000)
    expect(one.engine.lastQuestion()).toMatchObject({ changed: 'first', inputs: ['mid'] })
  })

  it('by the input that changed, with all that was read and the decisions that kept the answer', () => {
    const one = reading(({ inventory, mid }) => [inventory.usd, mid])
    one.run(60_000)
    const first = one.engine.lastQuestion()
    one.run(120_000)
    const later = one.engine.lastQuestion()
    expect(later).toEqual({ ...first, unaskedSince: expect.any(Number) as number })
    expect(later?.unaskedSince).toBeGreaterThanOrEqual((first?.unaskedSince ?? 0) + 8)
    const before = one.now
    aFill(one)
    const asked = one.engine.lastQuestion()
    expect(asked).toMatchObject({ cause: 'fill', changed: 'inventory', inputs: ['mid', 'inventory'] })
    expect(asked?.askedAt).toBeGreaterThanOrEqual(before)
    one.venue.mid += 10n ** 18n
    one.run(30_000)
    expect(one.engine.lastQuestion()).toMatchObject({ cause: 'rate', changed: 'mid' })
  })

  it('at every decision where the strategy reads the time, and by its memory where that changes', () => {
    const timely = reading(({ now }) => now)
    timely.run(120_000)
    expect(timely.engine.lastQuestion()).toMatchObject({ changed: 'time', inputs: ['time'], unaskedSince: 0 })
    const counting = defineStrategy({
      name: 'counting',
      params: z.unknown(),
      init: () => ({ count: 0 }),
      quote: (_context, memory) => {
        memory.count += 1
        return { bidBps: 60, askBps: 60, because: ['one more'] }
      },
    }) as StrategyDefinition<unknown, unknown>
    const strategy = {
      ...pureStrategy(() => ({ bidBps: 60, askBps: 60, because: [] })),
      definition: counting,
    }
    const one = coreHarness({ venue: { isActive: true }, strategy })
    one.run(120_000)
    expect(one.engine.lastQuestion()).toMatchObject({ changed: 'memory', inputs: [], unaskedSince: 0 })
  })

  it('as its view does, in the form of its schema', () => {
    const one = reading(({ mid, competition }) => [mid, competition.bid?.bestBps])
    one.run(60_000)
    const view = buildView(one.state(), one.now, { seq: 1, digest: '' }, one.engine.lastQuestion())
    expect(viewSchema.shape.decision.parse(view.decision)).toEqual(one.engine.lastQuestion())
    expect(view.decision?.inputs).toEqual(['mid', 'competition'])
    expect(buildView(one.state(), one.now, { seq: 1, digest: '' }).decision).toBeNull()
  })

  it('with the same words for inputs and changes in the view as in the core', () => {
    const { inputs, changed } = decisionSchema.shape
    expect(inputs.element.options).toEqual(INPUT_NAMES)
    expect(changed.options).toEqual(Object.keys(CHANGES))
  })
})
