import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LoadedConfig } from '../../../../../src/daemon/config/load/loaded-config.ts'
import type { Notice } from '../../../../../src/daemon/notify/notice.ts'
import { watchDisk } from '../../../../../src/daemon/runtime/worker/watch-disk.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => vi.useRealTimers())

test('a disk with under 500 MB for the store or the tape is reported once, and so is its room', async () => {
  const notices: Notice[] = []
  const free: Record<string, number | null> = { '/store': 9e9, '/tape': null }
  const line = () => undefined
  const stop = watchDisk({
    config: { store: { path: '/store' }, record: { path: '/tape' } } as LoadedConfig,
    notify: (notice) => notices.push(notice),
    log: { warn: line, info: line } as never,
    free: (path) => Promise.resolve(free[path] ?? null),
  })
  const minutesWith = async (store: number, tape: number | null) => {
    Object.assign(free, { '/store': store, '/tape': tape })
    await vi.advanceTimersByTimeAsync(180_000)
  }
  await minutesWith(9e9, null)
  expect(notices).toEqual([])
  await minutesWith(9e9, 499.9e6)
  expect(notices).toMatchObject([
    { kind: 'raised', severity: 'warning', code: 'disk-low', text: '499 MB are left for the tape in /tape' },
  ])
  await minutesWith(550e6, 550e6)
  expect(notices).toHaveLength(1)
  await minutesWith(650e6, 650e6)
  expect(notices[1]).toMatchObject({ kind: 'lifted', code: 'disk-low' })
  await minutesWith(10e6, 650e6)
  expect(notices[2]?.text).toBe('10 MB are left for the store in /store')
  stop()
  await minutesWith(9e9, 9e9)
  expect(notices).toHaveLength(3)
})
