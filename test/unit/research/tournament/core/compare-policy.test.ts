import { expect, test } from 'vitest'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'
import { comparedWith } from '../../../../../src/research/tournament/core/compare-policy.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

type Memory = { asked: number }
const CONTEXT = {} as StrategyContext

/** Quotes 60 bps; with `exact` 61 on the bid, and on the ask nothing at every second comparison. */
function quoting() {
  const strategy = testStrategy(() => ({ bidBps: 60, askBps: 60, reasons: [] }))
  const definition: typeof strategy.definition = {
    ...strategy.definition,
    init: (): Memory => ({ asked: 0 }),
    quote(_context, memory, params) {
      const state = memory as Memory
      state.asked += 1
      if (params !== 'exact') return { bidBps: 60, askBps: 60, reasons: [] }
      return { bidBps: 61, askBps: state.asked % 80 === 0 ? null : 62, reasons: [] }
    },
  }
  return { ...strategy, definition }
}

test('compares every fortieth decision on a copy of the memory, and quotes as if nothing were compared', () => {
  const base = quoting()
  const { strategy, difference } = comparedWith(base, { ...base, params: 'exact' })
  const memory: Memory = { asked: 0 }
  for (let i = 0; i < 160; i++)
    expect(strategy.definition.quote(CONTEXT, memory, 'own', {})).toMatchObject({ bidBps: 60, askBps: 60 })
  expect(memory.asked).toBe(160)
  // Four comparisons of two sides: of the ask two are off in the exact one and two differ by 2.
  expect(difference()).toEqual({
    compared: 8,
    meanBps: (4 * 1 + 2 * 2) / 6,
    p99Bps: 2,
    switchedShare: 0.25,
  })
})

test('of a play with too few decisions has no figure but 0', () => {
  const base = quoting()
  const { difference } = comparedWith(base, { ...base, params: 'exact' })
  expect(difference()).toEqual({ compared: 0, meanBps: 0, p99Bps: 0, switchedShare: 0 })
})
