import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCrashBudget } from '../../../../../src/daemon/runtime/host/supervisor.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the pause before a restart doubles with crashes in a row, and after eight in ten minutes there is no restart', () => {
  const pause = createCrashBudget()
  const pauses = Array.from({ length: 8 }, () => pause())
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
  expect(pause()).toBeNull()
  // A step of the system clock does not shorten the ten minutes.
  vi.setSystemTime(Date.now() + 600_001)
  expect(pause()).toBeNull()
  vi.advanceTimersByTime(600_001)
  expect(pause()).toBe(250)
})
