import { expect, test } from 'vitest'
import { isOut } from '../../../../src/daemon/view/position-text.ts'
import { exampleView } from '../telemetry/example-view.ts'

test('an inactive account is out of the market only if no deactivation waits for its end', () => {
  const { live } = exampleView()
  const inactive = { live: { ...live, isActive: false }, tradingState: 'ACTIVE', mode: 'live' } as const
  expect(isOut({ ...inactive, leaving: null })).toBe(true)
  expect(isOut({ ...inactive, leaving: {} })).toBe(false)
  expect(isOut({ ...inactive, leaving: null, live: { ...live, isActive: null } })).toBe(false)
})
