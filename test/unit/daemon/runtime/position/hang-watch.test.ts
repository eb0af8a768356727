import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createHeartbeat,
  recordWaiting,
  watchHeartbeat,
} from '../../../../../src/daemon/runtime/position/hang-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched() {
  const told: string[] = []
  const watch = watchHeartbeat({
    hangMs: 1_000,
    onHang: ({ slot, seq }) => void told.push(`slot ${slot} hangs in ${seq}`),
  })
  return { told, watch, beat: (slot: number) => createHeartbeat(watch.buffer, slot) }
}

test('a core that stays in one event is reported as hung, once, a twentieth of a second after its time at most', () => {
  const { told, beat } = watched()
  vi.advanceTimersByTime(10_010)
  beat(3).enter(77)
  vi.advanceTimersByTime(999)
  expect(told).toEqual([])
  vi.advanceTimersByTime(91)
  expect(told).toEqual(['slot 3 hangs in 77'])
  vi.advanceTimersByTime(10_000)
  expect(told).toHaveLength(1)
})

test('a core that waits for a strategy in another process does not hang, unless it waits longer than any such wait lasts', () => {
  const { told, watch, beat } = watched()
  const note = recordWaiting(watch.buffer)
  beat(3).enter(77)
  note(true)
  vi.advanceTimersByTime(6_500)
  note(false)
  vi.advanceTimersByTime(300)
  expect(told).toEqual([])
  note(true)
  vi.advanceTimersByTime(8_100)
  expect(told).toEqual(['slot 3 hangs in 77'])
})

test('events that end in time are not reported, however many follow each other', () => {
  const { told, beat } = watched()
  for (let seq = 1; seq <= 100; seq++) {
    const core = beat(seq % 2)
    core.enter(seq)
    vi.advanceTimersByTime(300)
    core.leave()
  }
  expect(told).toEqual([])
})

test('an event that ends before its time is over is not reported, and the next one counts from its own start', () => {
  const { told, beat } = watched()
  const core = beat(1)
  core.enter(1)
  vi.advanceTimersByTime(900)
  core.leave()
  core.enter(2)
  vi.advanceTimersByTime(900)
  core.leave()
  vi.advanceTimersByTime(5_000)
  expect(told).toEqual([])
})

test('what is closed reports nothing, and still shows where the core was', () => {
  const { told, watch, beat } = watched()
  beat(2).enter(9)
  watch.close()
  vi.advanceTimersByTime(5_000)
  expect(told).toEqual([])
  expect(watch.inside()).toEqual({ slot: 2, seq: 9 })
})
