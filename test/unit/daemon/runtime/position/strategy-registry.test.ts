import { expect, test } from 'vitest'
import type { StrategyChoice } from '../../../../../src/core/engine/model/config.ts'
import { createStrategyRegistry } from '../../../../../src/daemon/runtime/position/strategy-registry.ts'
import { coreConfig } from '../../../../support/core-config.ts'
import { testStrategy } from '../../../../support/test-strategy.ts'

test('a month of reloads leaves the last strategies in memory, and the first is replaced by that of the start', () => {
  const started = testStrategy()
  const strategies = createStrategyRegistry({ core: coreConfig(), strategy: started })
  const choiceOf = (bps: number): StrategyChoice => ({ use: 'test', params: { bps }, sourceHash: 'a' })
  const made = Array.from({ length: 1_000 }, () => testStrategy())
  for (const [bps, strategy] of made.entries()) {
    strategies.register(choiceOf(bps), strategy)
    // The event that names it comes next.
    expect(strategies.strategyFor(choiceOf(bps))).toBe(strategy)
  }
  const kept = made.filter((strategy, bps) => strategies.strategyFor(choiceOf(bps)) === strategy)
  expect(kept).toEqual(made.slice(-64))
  expect(strategies.strategyFor(choiceOf(0))).toBe(started)
})
