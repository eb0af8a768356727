import { describe, expect, it, test } from 'vitest'
import { INPUTS } from '../../../../../src/core/engine/decision/inputs-read.ts'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'
import { decisionSchema } from '../../../../../src/daemon/view/decision-view.ts'
import { buildView, viewSchema } from '../../../../../src/daemon/view/position-view.ts'
import { observedStrategy } from '../../../../support/backtest-strategies.ts'
import { coreHarness } from '../../../../support/core-harness.ts'
import { pureStrategy } from '../../../../support/test-strategy.ts'

const reading = (read: (context: StrategyContext) => unknown, asked: () => void = () => undefined) =>
  coreHarness({
    venue: { isActive: true },
    strategy: observedStrategy(
      pureStrategy((context) => ({ bidBps: 60, askBps: 60, reasons: [String(read(context))] })),
      asked,
    ),
  })

test('a strategy is asked at every decision, also where nothing that it read has changed', () => {
  let asked = 0
  const one = reading(
    () => 'nothing',
    () => (asked += 1),
  )
  one.run(60_000)
  const before = asked
  one.run(120_000)
  expect(asked).toBeGreaterThanOrEqual(before + 8)
})

test('a rule is evaluated after an answer that changes nothing but the mid', () => {
  const one = reading(() => 'nothing')
  one.run(60_000)
  const { config } = one.state()
  const corridor = { min: one.venue.mid, max: one.venue.mid }
  one.restart({ ...config, risk: { ...config.risk, priceCorridor: corridor } })
  one.run(60_000)
  expect(one.state().activeRules).toEqual([])
  one.venue.mid += 1n
  one.run(60_000)
  expect(one.state().activeRules).toEqual(['price-corridor'])
})

describe('a core shows when its strategy was asked and what it read', () => {
  it('with no question before the first one, and none of another process', () => {
    const one = reading(({ mid }) => mid)
    expect(one.engine.lastQuestion()).toBeNull()
    one.run(60_000)
    expect(one.engine.lastQuestion()).toMatchObject({ inputs: INPUTS.mid })
    one.restart()
    expect(one.engine.lastQuestion()).toBeNull()
  })

  it('of the last question alone, with what asked for it', () => {
    const one = reading(({ inventory, mid, now }) => (inventory.usd > 0 && mid > 2_500 ? now : mid))
    one.run(60_000)
    one.venue.mid += 10n ** 18n
    one.run(15_000)
    const asked = one.engine.lastQuestion()
    expect(asked?.inputs).toBe(INPUTS.time | INPUTS.mid | INPUTS.inventory)
    expect(asked?.askedAt).toBeGreaterThan(one.now - 15_000)
    expect(['rate', 'timer', 'competition']).toContain(asked?.cause)
  })

  it('with what it plots, which neither the state nor the view has', () => {
    const one = coreHarness({
      venue: { isActive: true },
      strategy: pureStrategy(({ mid }) => ({ bidBps: 60, askBps: 60, reasons: [], plot: { mid } })),
    })
    one.run(60_000)
    expect(one.engine.lastQuestion()?.plot).toEqual({ mid: 2_500 })
    expect(one.state().strategy.wanted).toEqual({ bidBps: 60, askBps: 60, reasons: [] })
    const view = buildView(one.state(), one.now, { seq: 1, digest: '' }, one.engine.lastQuestion())
    expect(view.decision).not.toHaveProperty('plot')
  })

  it('as its view does, in the form of its schema', () => {
    const one = reading(({ mid, competition }) => [mid, competition.bid?.bestBps])
    one.run(60_000)
    const view = buildView(one.state(), one.now, { seq: 1, digest: '' }, one.engine.lastQuestion())
    const asked = { ...one.engine.lastQuestion(), inputs: ['mid', 'competition'] }
    expect(viewSchema.shape.decision.parse(view.decision)).toEqual(asked)
    expect(buildView(one.state(), one.now, { seq: 1, digest: '' }).decision).toBeNull()
  })

  it('with the same words for inputs in the view as in the core', () => {
    expect(decisionSchema.shape.inputs.element.options).toEqual(Object.keys(INPUTS))
  })
})
