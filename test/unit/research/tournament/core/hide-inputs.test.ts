import { expect, test } from 'vitest'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'
import { hiding } from '../../../../../src/research/tournament/core/hide-inputs.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

const CONTEXT = {
  now: 7,
  mid: 2_500,
  get standing(): never {
    throw new Error('reads an input that the strategy did not read')
  },
  competition: { bid: { bestBps: 40, ageMs: 0 }, ask: null },
  inventory: { ntzs: 0, usd: 400, usdShare: 1, target: 0.25, imbalance: 1, totalTzs: 1_000_000 },
} as unknown as StrategyContext

test('a strategy without rivals and inventory sees no probe and its target, and all else as it is', () => {
  const seen: unknown[] = []
  const strategy = testStrategy((context) => {
    seen.push([context.now, context.competition, context.inventory])
    return { bidBps: 60, askBps: 60, reasons: [] }
  })
  for (const hidden of [[], ['rivals'], ['inventory']] as const)
    hiding(strategy, hidden).definition.quote(CONTEXT, {}, {}, {})
  const onTarget = {
    usd: 100,
    ntzs: 750_000,
    usdShare: 0.25,
    target: 0.25,
    imbalance: 0,
    totalTzs: 1_000_000,
  }
  expect(seen).toEqual([
    [7, CONTEXT.competition, CONTEXT.inventory],
    [7, { bid: null, ask: null }, CONTEXT.inventory],
    [7, CONTEXT.competition, onTarget],
  ])
  expect(hiding(strategy, [])).toBe(strategy)
})
