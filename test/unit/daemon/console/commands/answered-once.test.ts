import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAnsweredOnce } from '../../../../../src/daemon/console/commands/answered-once.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an answer is recorded for ten minutes under its key, whatever the system clock does meanwhile', async () => {
  const once = createAnsweredOnce()
  const act = vi.fn(() => Promise.resolve({ status: 200, body: null }))
  const isReplay = async () => (await once('k-1', 'resume', act)).isReplay
  expect(await isReplay()).toBe(false)
  vi.setSystemTime(Date.now() + 86_400_000)
  expect(await isReplay()).toBe(true)
  vi.advanceTimersByTime(600_000)
  expect(await isReplay()).toBe(false)
  expect(act).toHaveBeenCalledTimes(2)
})
