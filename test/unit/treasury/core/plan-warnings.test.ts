import { expect, test } from 'vitest'
import type { PlanWarning } from '../../../../src/treasury/model/plan-types.ts'
import { TreasuryHarness } from '../../../support/treasury-harness.ts'

const warning = (subject: string, message: string): PlanWarning => ({
  code: 'treasury-no-route',
  subject,
  message,
})

test('a warning of a plan is reported once while it lasts, whatever its figures, and again after it had gone away', () => {
  const harness = new TreasuryHarness()
  const give = (...warnings: readonly PlanWarning[]) => harness.give({ type: 'planned', steps: [], warnings })
  const told = () =>
    harness.observations.flatMap((one) =>
      one.type === 'treasuryAlert' && one.code === 'treasury-no-route' ? [one.message] : [],
    )
  give(warning('NTZS', 'first'))
  give(warning('NTZS', 'the same with other figures'), warning('USDC', 'another token'))
  expect(told()).toEqual(['first', 'another token'])
  give()
  give(warning('NTZS', 'again'))
  expect(told()).toEqual(['first', 'another token', 'again'])
  expect(harness.state.planWarnings).toEqual(['treasury-no-route NTZS'])
})

test('a plan without a word about warnings leaves those that are known as they are', () => {
  const harness = new TreasuryHarness()
  harness.give({ type: 'planned', steps: [], warnings: [warning('NTZS', 'first')] })
  harness.give({ type: 'planned', steps: [] })
  expect(harness.state.planWarnings).toHaveLength(1)
})
