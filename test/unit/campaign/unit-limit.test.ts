import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { underWay, UnitLimit } from '../../campaign/unit-limit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const SECOND_MS = 1_000

function watched(limit: UnitLimit) {
  const buffer = new SharedArrayBuffer(limit.hangs.bytes)
  const hangs: string[] = []
  const end = limit.hangs.watch(buffer, (why) => hangs.push(why))
  return { buffer, hangs, end }
}

test('a unit that continues beyond the limit hangs, and one that has ended before does not', () => {
  const limit = new UnitLimit({ leastMs: 60 * SECOND_MS, lookEveryMs: SECOND_MS })
  const { buffer, hangs, end } = watched(limit)
  const done = underWay(buffer, 1)
  vi.advanceTimersByTime(50 * SECOND_MS)
  done()
  // The next one begins between two looks, and has its own time.
  underWay(buffer, 2)
  vi.advanceTimersByTime(55 * SECOND_MS)
  expect(hangs).toEqual([])
  vi.advanceTimersByTime(10 * SECOND_MS)
  expect(hangs).toEqual(['its unit is not done after 61 s'])
  end()
})

test('a thread without a unit never hangs, and the limit grows with what units take on this machine', () => {
  const limit = new UnitLimit({ leastMs: 60 * SECOND_MS, lookEveryMs: SECOND_MS })
  const idle = watched(limit)
  const slow = watched(limit)
  underWay(slow.buffer, 1)
  limit.ended(10 * SECOND_MS)
  expect(limit.ms).toBe(200 * SECOND_MS)
  vi.advanceTimersByTime(195 * SECOND_MS)
  expect([...idle.hangs, ...slow.hangs]).toEqual([])
  vi.advanceTimersByTime(10 * SECOND_MS)
  expect(slow.hangs).toHaveLength(1)
  expect(idle.hangs).toEqual([])
  idle.end()
  slow.end()
})
