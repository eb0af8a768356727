import { expect, test } from 'vitest'
import { createCrashBudget } from '../../../../../src/daemon/runtime/host/supervisor.ts'

test('the pause before a restart doubles with crashes in a row, and after eight in ten minutes there is no restart', () => {
  let now = 0
  const pause = createCrashBudget(() => now)
  const pauses = Array.from({ length: 8 }, () => pause())
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
  expect(pause()).toBeNull()
  now = 600_001
  expect(pause()).toBe(250)
})
