import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { liftedNotice, raisedNotice, type Notice } from '../../../../../../src/daemon/notify/notice.ts'
import {
  openAlerts,
  type OpenAlerts,
} from '../../../../../../src/daemon/runtime/host/notifications/open-alerts.ts'

const MINUTE_MS = 60_000
const START = Date.UTC(2026, 2, 2, 3)
let folder: string
let path: string
const received: Record<'all' | 'first' | 'second', Notice[]> = { all: [], first: [], second: [] }
const warned: string[] = []
const opened: OpenAlerts[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mizani-alerts-'))
  path = join(folder, 'alerts.json')
  vi.useFakeTimers({ now: START, toFake: ['Date', 'setInterval', 'clearInterval'] })
})

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  vi.useRealTimers()
  for (const list of [received.all, received.first, received.second, warned]) list.length = 0
})

/** The process of a position; `starts` once it runs. */
function open(starts = true): OpenAlerts {
  const channels = { telegram: null, slack: null, webhook: null }
  const alerts = openAlerts({
    rules: {
      repeatMs: 15 * MINUTE_MS,
      escalation: [
        { afterMs: 10 * MINUTE_MS, channels },
        { afterMs: 30 * MINUTE_MS, channels },
      ],
    },
    path,
    everybody: { tell: (notice) => void received.all.push(notice) },
    steps: [received.first, received.second].map((list) => ({
      tell: (notice: Notice) => void list.push(notice),
    })),
    log: { warn: (_: unknown, text: string) => void warned.push(text) } as never,
  })
  opened.push(alerts)
  if (starts) alerts.start()
  return alerts
}

const halted = () => raisedNotice(Date.now(), 'halted', 'trading is halted: the loss is too large')
const pass = (minutes: number) => vi.advanceTimersByTime(minutes * MINUTE_MS)
const kinds = (list: readonly Notice[]) => list.map(({ kind }) => kind)

describe('people of a position', () => {
  test('are reminded, and the next ones learn of it, until someone has it in hand', async () => {
    const alerts = open()
    alerts.take(halted())
    pass(16)
    expect(kinds(received.all)).toEqual(['reminder'])
    expect(received.all[0]).toMatchObject({ severity: 'critical', code: 'halted', since: START })
    expect(received.all[0]?.text).toContain('reminder 1')
    expect(kinds(received.first)).toEqual(['raised', 'reminder'])
    expect(received.first[0]?.text).toContain('within 10 min')
    expect(await alerts.acknowledge(['halted'], 'anna', 'I look')).toEqual(['halted'])
    expect(kinds(received.all)).toEqual(['reminder', 'acknowledged'])
    expect(received.first.at(-1)?.text).toMatch(/anna.*\(I look\)/)
    expect(received.second).toEqual([])
    pass(600)
    expect(received.all).toHaveLength(2)
  })

  test('only the people of the steps that received an alert are notified of its end', () => {
    const alerts = open()
    alerts.take(halted())
    pass(12)
    alerts.take(liftedNotice(Date.now(), 'halted', 'trading is ACTIVE again'))
    expect(kinds(received.first)).toEqual(['raised', 'lifted'])
    pass(600)
    expect([kinds(received.all), kinds(received.second)]).toEqual([[], []])
  })
})

describe('a restart', () => {
  test('keeps who has it in hand, and the clock of what no one has', async () => {
    const before = open()
    before.take(halted())
    before.take(raisedNotice(Date.now(), 'crash-loop', 'started 4 times'))
    await before.acknowledge(['halted'], 'anna', 'I look')
    pass(8)
    await before.close()
    const after = open()
    expect(after.list()).toMatchObject([
      { code: 'halted', ack: { who: 'anna' } },
      { code: 'crash-loop', ack: null },
    ])
    pass(2)
    expect(received.first.map(({ code }) => code)).toEqual(['crash-loop'])
    pass(600)
    expect(received.all.every(({ code, kind }) => code === 'crash-loop' || kind === 'acknowledged')).toBe(
      true,
    )
  })

  test('ends what a running position proves to be over, and what was raised while it started holds', async () => {
    const before = open()
    before.take(raisedNotice(Date.now(), 'daemon-gone', 'it cannot start'))
    before.take(halted())
    await before.acknowledge(['halted'], 'anna', 'I look')
    await before.close()
    const after = open(false)
    after.take(halted())
    after.start()
    expect(after.list()).toMatchObject([{ code: 'halted', ack: null }])
  })

  test('takes a damaged or foreign file for none, and a store that is not ours is not written', async () => {
    for (const text of ['', '{', '[]', '{"alerts":[{"code":7}]}', 'null']) {
      writeFileSync(path, text)
      expect(open().list()).toEqual([])
    }
    rmSync(path)
    const waiting = open(false)
    waiting.take(halted())
    await waiting.close()
    expect(existsSync(path)).toBe(false)
  })

  test('a disk that takes nothing is logged, and people are reminded all the same', async () => {
    rmSync(folder, { recursive: true })
    const alerts = open()
    alerts.take(halted())
    await alerts.acknowledge([], 'anna', 'nothing')
    expect(warned.join()).toContain('(ENOENT)')
    pass(15)
    expect(kinds(received.all)).toEqual(['reminder'])
  })
})

test('an acknowledgement is on disk when it is answered', async () => {
  const alerts = open()
  alerts.take(halted())
  await alerts.acknowledge(['halted'], 'anna', 'I look')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ alerts: [{ ack: { who: 'anna' } }] })
})
