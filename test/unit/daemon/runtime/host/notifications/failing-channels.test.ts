import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../../../../src/base/time.ts'
import { createNotifier } from '../../../../../../src/daemon/notify/delivery/notifier.ts'
import type { Channel, Message } from '../../../../../../src/daemon/notify/message/message.ts'
import { positionNotice, type Notice } from '../../../../../../src/daemon/notify/notice.ts'
import { watchChannels } from '../../../../../../src/daemon/runtime/host/notifications/channels.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')
const NO_SERVICE = 'it answered 404 (no_service)'

function watch(kept: Readonly<Record<string, number>> = {}) {
  const clock = { now: NOON }
  const told: Notice[] = []
  const channels = watchChannels(
    (notice) => told.push(notice),
    () => clock.now,
  )
  channels.restore(kept)
  return { clock, told, ...channels }
}

test('a channel that fails for an hour is raised once with since when and its last answer, and lifts with the first message', () => {
  const { clock, told, record, look, list } = watch()
  record('slack', 'retry', 1, 'no answer (ECONNREFUSED)')
  clock.now += 59 * MINUTE_MS
  record('slack', 'refused', 1, NO_SERVICE)
  look()
  expect([told, list()]).toEqual([[], []])
  clock.now += MINUTE_MS
  look()
  look()
  expect(told).toHaveLength(1)
  const text = `slack has accepted no message since 2026-03-02T12:00:00.000Z: ${NO_SERVICE}`
  expect(told[0]).toMatchObject({ kind: 'raised', severity: 'warning', code: 'channel-failing', text })
  expect(list()).toEqual([text])
  record('slack', 'sent', 1, null)
  expect(told[1]).toMatchObject({ kind: 'lifted', code: 'channel-failing' })
  expect(list()).toEqual([])
})

test('a channel that holds messages back, or takes one in between, does not fail for an hour', () => {
  const { clock, told, record, look } = watch()
  record('telegram', 'held', 3, 'it is within quietHours')
  record('slack', 'failed', 1, NO_SERVICE)
  clock.now += 50 * MINUTE_MS
  record('slack', 'sent', 1, null)
  record('slack', 'failed', 1, NO_SERVICE)
  clock.now += 50 * MINUTE_MS
  look()
  expect(told).toEqual([])
})

test('a second channel that fails is raised with the first, and the last one that recovers lifts both', () => {
  const { clock, told, record, look } = watch()
  record('slack', 'failed', 1, NO_SERVICE)
  clock.now += MINUTE_MS
  record('webhook', 'failed', 1, 'it answered 500')
  clock.now += HOUR_MS - MINUTE_MS
  look()
  clock.now += MINUTE_MS
  look()
  expect(told.map(({ text }) => text.split('\n').map((line) => line.split(' ')[0]))).toEqual([
    ['slack'],
    ['slack', 'webhook'],
  ])
  record('webhook', 'sent', 1, null)
  expect(told).toHaveLength(2)
  record('slack', 'sent', 1, null)
  expect(told[2]).toMatchObject({ kind: 'lifted' })
})

test('a restart keeps since when a channel fails, and raises it with the first failure of the new process', () => {
  const before = watch()
  before.record('slack', 'failed', 1, NO_SERVICE)
  const { clock, told, record, look } = watch(before.since())
  clock.now += 2 * HOUR_MS
  look()
  expect(told).toEqual([])
  record('slack', 'retry', 1, NO_SERVICE)
  look()
  expect(told[0]?.text).toContain('since 2026-03-02T12:00:00.000Z')
})

test('the alert goes to the other channels, and not to the one that fails', async () => {
  const sent: string[] = []
  const channel = (name: string, takes: boolean): Channel => ({
    send: ({ code }: Message) => {
      sent.push(`${name} ${code}`)
      return Promise.resolve(
        takes ? { outcome: 'sent' } : { outcome: 'refused', why: NO_SERVICE, isContent: false },
      )
    },
    close: () => Promise.resolve(),
  })
  const plan = { minSeverity: 'warning', maxPerHour: 30, summary: false } as const
  const notifier = createNotifier({
    position: 'desk-1',
    mode: 'live',
    channels: [
      { ...plan, name: 'slack', channel: channel('slack', false) },
      { ...plan, name: 'telegram', channel: channel('telegram', true) },
    ],
    groupMs: 1,
    quietHours: null,
    timezone: 'UTC',
    configFile: 'live.yaml',
    runbookUrl: null,
    consoleUrl: null,
    onOutcome: () => undefined,
  })
  notifier.tell(positionNotice('store', 'the disk is full'))
  await new Promise(setImmediate)
  notifier.tell({ ...positionNotice('channel-failing', 'slack has taken no message'), severity: 'critical' })
  await notifier.close(1_000)
  expect(sent).toContain('telegram channel-failing')
  expect(sent).not.toContain('slack channel-failing')
})
