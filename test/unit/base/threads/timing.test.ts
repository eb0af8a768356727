import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  onTimerFault,
  runAfter,
  runCaught,
  runEvery,
  SYSTEM_TIMING,
} from '../../../../src/base/threads/timing.ts'

const DAY_MS = 86_400_000
let faults: unknown[] = []

beforeEach(() => {
  vi.useFakeTimers()
  faults = []
  onTimerFault((error) => faults.push(error))
})
afterEach(() => {
  vi.useRealTimers()
  onTimerFault(() => undefined)
})

test('what a timer throws is reported, and a repeated one runs again', () => {
  let runs = 0
  const timer = runEvery(() => {
    runs += 1
    throw new Error(`run ${runs}`)
  }, 1_000)
  SYSTEM_TIMING.after(500, () => {
    throw new Error('once')
  })
  vi.advanceTimersByTime(2_000)
  clearInterval(timer)
  expect(faults).toEqual([new Error('once'), new Error('run 1'), new Error('run 2')])
})

test('what a timer rejects with is reported', async () => {
  runAfter(() => Promise.reject(new Error('later')), 10)
  vi.advanceTimersByTime(10)
  await Promise.resolve()
  await Promise.resolve()
  expect(faults).toEqual([new Error('later')])
})

test('a timer that throws the same each time is reported once a minute', () => {
  const fail = (): void => {
    throw new Error('the disk is full')
  }
  const timer = runEvery(() => runCaught(fail), 1_000)
  vi.advanceTimersByTime(119_000)
  clearInterval(timer)
  expect(faults).toHaveLength(2)
})

test.each([24, 25, 30, 366])('a wait of %i days ends after as many, beyond the 2^31 ms of Node', (days) => {
  let [ends, ticks] = [0, 0]
  runAfter(() => (ends += 1), days * DAY_MS)
  const timer = runEvery(() => (ticks += 1), days * DAY_MS)
  vi.advanceTimersByTime(days * DAY_MS - 1_000)
  expect([ends, ticks]).toEqual([0, 0])
  vi.advanceTimersByTime(days * DAY_MS + 2_000)
  clearInterval(timer)
  expect([ends, ticks]).toEqual([1, 2])
})
