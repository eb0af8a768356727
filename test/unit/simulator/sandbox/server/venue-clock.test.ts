import { expect, onTestFinished, test, vi } from 'vitest'
import { createVenueClock } from '../../../../../src/simulator/sandbox/server/venue-clock.ts'

test('virtual time runs at its speed from its start, in whole milliseconds', () => {
  let wall = 500
  const clock = createVenueClock(1_000_000, 60, () => wall)
  expect(clock.now()).toBe(1_000_000)
  wall += 10.51
  expect(clock.now()).toBe(1_000_630)
})

test('at speed 0 only advancing moves it, and wakes whom it passes', async () => {
  let wall = 0
  const clock = createVenueClock(0, 0, () => wall)
  wall = 1e9
  expect(clock.now()).toBe(0)
  const woken: string[] = []
  const early = clock.until(1_000).then((reached) => woken.push(`early ${reached}`))
  const late = clock.until(2_000).then((reached) => woken.push(`late ${reached}`))
  clock.advance(1_500)
  await early
  expect(woken).toEqual(['early true'])
  clock.stop()
  await late
  expect(woken).toEqual(['early true', 'late false'])
  expect(await clock.until(0)).toBe(false)
})

test('at a speed the wait is the shorter for it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const clock = createVenueClock(0, 1_000, () => performance.now())
  const reached = clock.until(5_000)
  await vi.advanceTimersByTimeAsync(5)
  expect([await reached, clock.now()]).toEqual([true, 5_000])
  clock.stop()
})

test('a moment that has passed is no wait', async () => {
  const clock = createVenueClock(50, 0, () => 0)
  expect(await clock.until(50)).toBe(true)
})
