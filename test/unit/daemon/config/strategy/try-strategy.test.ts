import { expect, test } from 'vitest'
import { neutralContext } from '../../../../../src/daemon/config/strategy/try-strategy.ts'
import type { StrategyContext } from '../../../../../src/core/strategy/context.ts'

test.each([
  ['context.promisable', 'context.available', 'promisable', (context: StrategyContext): object => context],
  ['context.inventory.deviation', 'context.inventory.imbalance', 'deviation', ({ inventory }) => inventory],
  ['context.fairShift.because', 'context.fairShift.reasons', 'because', ({ fairShift }) => fairShift],
])('a trial at load that reads %s is an error that names %s', (path, now, old, partOf) => {
  expect(() => Reflect.get(partOf(neutralContext()), old) as unknown).toThrow(
    `${path} is now ${now}: rename it in the strategy`,
  )
})

test('a copy of the context of a trial has no old names', () => {
  const { inventory, ...others } = neutralContext()
  expect(Object.keys({ ...others, ...inventory })).not.toContain('promisable')
  expect(Object.keys(inventory)).not.toContain('deviation')
})
