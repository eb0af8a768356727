import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Notice } from '../../../../../src/daemon/notify/notice.ts'
import { watchStandby } from '../../../../../src/daemon/runtime/worker/watch-standby.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => vi.useRealTimers())

function watched() {
  const notices: Notice[] = []
  const logged: string[] = []
  let isThere = false
  const line = (_: object, words: string) => void logged.push(words)
  const stop = watchStandby({
    isStoodBy: () => Promise.resolve(isThere),
    notify: (notice) => notices.push(notice),
    log: { warn: line, info: line } as never,
  })
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)
  const told = () => notices.map(({ kind, severity, code }) => `${kind} ${severity} ${code}`)
  return { notices, logged, stop, seconds, told, be: (there: boolean) => void (isThere = there) }
}

test('A position that never had a standby gets no notice about one', async () => {
  const { seconds, told } = watched()
  await seconds(3_600)
  expect(told()).toEqual([])
})

test('A standby that has been gone for a minute is reported once, with since when, and once that one is back', async () => {
  const { seconds, told, notices, logged, be } = watched()
  be(true)
  await seconds(30)
  be(false)
  await seconds(55)
  expect(told()).toEqual([])
  await seconds(10)
  expect(told()).toEqual(['raised warning standby-gone'])
  expect(notices[0]?.since).toBe((notices[0]?.t ?? 0) - 60_000)
  await seconds(3_600)
  be(true)
  await seconds(10)
  expect(told()).toEqual(['raised warning standby-gone', 'lifted info standby-gone'])
  expect(logged).toHaveLength(2)
  be(false)
  await seconds(70)
  expect(told()).toHaveLength(3)
})

test('A standby that is exchanged within a minute is no news, and the watch ends with the position', async () => {
  const { seconds, told, be, stop } = watched()
  for (let exchange = 0; exchange < 5; exchange += 1) {
    be(true)
    await seconds(20)
    be(false)
    await seconds(45)
  }
  expect(told()).toEqual([])
  stop()
  await seconds(3_600)
  expect(told()).toEqual([])
})
