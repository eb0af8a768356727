import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LoadedNotify } from '../../../src/daemon/config/load/loaded-config.ts'
import { type LoadedAlert, NO_ALERT } from '../../../src/daemon/config/load/alert.ts'
import { Secret } from '../../../src/daemon/config/source/secret.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { createDailySummary, type DailySummary } from '../../../src/daemon/notify/daily-summary/summary.ts'
import { summaryFile } from '../../../src/daemon/notify/daily-summary/summary.ts'
import { positionNotice } from '../../../src/daemon/notify/notice.ts'
import {
  notifyPosition,
  type NotifyPositionParts,
  type PositionNotifier,
} from '../../../src/daemon/runtime/host/notifications/position-notifier.ts'
import { createLog } from '../../../src/daemon/telemetry/log/log.ts'
import { until } from '../daemon/until.ts'
import { TreasuryHarness } from '../../support/treasury-harness.ts'
import { coreConfig } from '../../support/core-config.ts'
import { receivingServer, type ReceivingServer } from '../../support/receiving-server.ts'
import { exampleView } from '../../unit/daemon/telemetry/example-view.ts'

const DAY_MS = 86_400_000
const KEY = 'a-key-of-enough-characters'

type Told = {
  readonly code: string
  readonly kind: string
  readonly severity: string
  readonly what: string
  readonly since: string
}

let server: ReceivingServer
let store: string
let log: string
let view: PositionView | null
const open: PositionNotifier[] = []

beforeEach(async () => {
  server = await receivingServer()
  store = mkdtempSync(join(tmpdir(), 'notified-'))
  log = ''
  view = exampleView({ now: Date.now() })
})
afterEach(async () => {
  for (const notifier of open.splice(0)) await notifier.stopped('the test is over', 3_000)
  await server.close()
})

function told(): Told[] {
  return server.received.map(({ body }) => JSON.parse(body) as Told)
}

function start(
  changes: Partial<LoadedNotify> = {},
  more: Pick<NotifyPositionParts, 'treasury'> = {},
  alert: LoadedAlert = NO_ALERT,
): PositionNotifier {
  const notify: LoadedNotify = {
    telegram: null,
    slack: null,
    webhook: {
      url: new Secret(`${server.url}/secret-part`),
      hmacKey: new Secret(KEY),
      minSeverity: 'info',
      maxPerHour: 1_000,
      summary: true,
    },
    groupMs: 20,
    remindMs: 3_600_000,
    quietHours: null,
    timezone: 'UTC',
    summaryAt: null,
    runbookUrl: 'docs/runbook.md',
    consoleUrl: null,
    ...changes,
  }
  const notifier = notifyPosition({
    config: {
      core: coreConfig(),
      file: '/etc/mizani/live.yaml',
      store: { path: store, keepJournalDays: 30, place: store, terms: null },
      alert,
    },
    notify,
    version: '0.1.0',
    look: () => Promise.resolve(view),
    ...more,
    log: createLog({
      position: 'desk-1',
      level: 'info',
      to: { write: (line: string) => void (log += line) },
    }),
  })
  open.push(notifier)
  notifier.started()
  return notifier
}

function remember(book: Partial<DailySummary>): Promise<void> {
  return summaryFile(join(store, 'notified.json')).write({
    ...createDailySummary(Date.now() - DAY_MS),
    ...book,
  })
}

function halted(): PositionView {
  return exampleView({ now: Date.now(), tradingState: 'HALTED', reasons: ['halted: the loss is too large'] })
}

describe('a halt that a start finds', () => {
  test('a halt found at the start raises one notice with its start time, and one at its end', async () => {
    const since = Date.UTC(2026, 2, 2, 9)
    await remember({ halted: { since, text: 'trading is halted' } })
    view = halted()
    const notifier = start()
    await until('it is notified', () => told().some(({ code }) => code === 'halted'))
    notifier.notify({
      t: Date.now(),
      kind: 'lifted',
      severity: 'info',
      code: 'halted',
      text: 'trading is ACTIVE again',
      since: null,
    })
    await until('the end is notified', () => told().some(({ kind }) => kind === 'lifted'))
    expect(told().filter(({ code }) => code === 'halted')).toMatchObject([
      {
        kind: 'reminder',
        severity: 'critical',
        since: '2026-03-02T09:00:00.000Z',
        what: expect.stringContaining('loss'),
      },
      { kind: 'lifted', what: 'trading is ACTIVE again' },
    ])
  })

  test('a halt whose end was not sent because the worker crashed is reported as over', async () => {
    await remember({ halted: { since: 1, text: 'trading is halted' } })
    start()
    await until('the end is notified', () =>
      told().some(({ kind, code }) => kind === 'lifted' && code === 'halted'),
    )
    expect(
      told()
        .filter(({ code }) => code === 'halted')
        .map(({ kind }) => kind),
    ).toEqual(['lifted'])
  })
})

describe('the life of a daemon', () => {
  test('start, crash of the worker and stop raise notices, and an orderly stop is recorded as orderly', async () => {
    const notifier = start()
    notifier.restarting('restarting from the journal in 250 ms')
    await until('both are notified', () => told().length === 2)
    await notifier.stopped('desk-1: widened to the safe quote, confirmed by the venue', 2_000)
    expect(
      told()
        .map(({ code, severity }) => `${severity} ${code}`)
        .sort(),
    ).toEqual(['info daemon-start', 'info daemon-stop', 'warning worker-crash'])
    start()
    await until(
      'the next start is notified',
      () => told().filter(({ code }) => code === 'daemon-start').length === 2,
    )
    expect(told().at(-1)?.what).not.toContain('did not shut down cleanly')
  })

  test('the fourth start within ten minutes after a bad end is a crash loop', async () => {
    const now = Date.now()
    await remember({ isRunning: true, starts: [now - 3_000, now - 2_000, now - 1_000] })
    start()
    await until('both are notified', () => told().length === 2)
    expect(told()).toMatchObject([
      { code: 'crash-loop', severity: 'critical' },
      { code: 'daemon-start', what: expect.stringContaining('cleanly') },
    ])
  })

  test('a position that ends before it ran raises a notice, and the store of another process is not touched', async () => {
    const notifier = start()
    await until('the start is notified', () => told().length === 1)
    await until('it is on disk', () => existsSync(join(store, 'notified.json')))
    const kept = readFileSync(join(store, 'notified.json'), 'utf8')
    const other = notifyPosition({
      config: {
        core: coreConfig(),
        file: '/etc/mizani/live.yaml',
        store: { path: store, keepJournalDays: 30, place: store, terms: null },
        alert: { ...NO_ALERT, repeatMs: 1_000 },
      },
      notify: { ...NOBODY, webhook: { ...RULES, url: new Secret(server.url), hmacKey: new Secret(KEY) } },
      version: '0.1.0',
      look: () => Promise.resolve(null),
      log: createLog({ position: 'desk-1', level: 'silent' }),
    })
    other.terminated('the store is held by process 1')
    await until('it is notified', () => told().some(({ code }) => code === 'daemon-gone'))
    expect(told().at(-1)).toMatchObject({
      severity: 'critical',
      what: expect.stringContaining('process 1'),
    })
    await until('people are reminded of it', () => told().at(-1)?.kind === 'reminder')
    await other.stopped('', 3_000)
    expect(readFileSync(join(store, 'notified.json'), 'utf8')).toBe(kept)
    expect(existsSync(join(store, 'alerts.json'))).toBe(false)
    await notifier.stopped('desk-1: done', 1_000)
  })

  test('a position that has ended is repeated while its process lives, until someone has it in hand, which people hear', async () => {
    const gone = () => told().filter(({ code }) => code === 'daemon-gone')
    const notifier = start({}, {}, { ...NO_ALERT, repeatMs: 1_000 })
    await until('the start is notified', () => told().length === 1)
    notifier.terminated('crashed five times within ten minutes')
    await until(
      'people are reminded twice',
      () => gone().filter(({ kind }) => kind === 'reminder').length >= 2,
    )
    expect(gone()[0]).toMatchObject({ kind: 'raised', what: 'crashed five times within ten minutes' })
    expect(await notifier.alerts?.acknowledge(['daemon-gone'], 'anna', 'I look')).toEqual(['daemon-gone'])
    await until('people know who has it', () => gone().at(-1)?.kind === 'acknowledged')
    const before = gone().length
    await notifier.stopped('', 3_000)
    expect(gone()).toHaveLength(before)
  })
})

test('the summary of a day in which the daemon restarted counts from the day before and has what went wrong since', async () => {
  const before = {
    tzs: {
      spreadCapture: '20.5',
      staleMid: '-20',
      inventory: '7',
      costs: '-1.5',
      unreconciled: '0',
      total: '6',
    },
    usd: { edge: '0.01', inventory: '-0.01', costs: '0', unreconciled: '0', total: '0' },
    volumeUsd: '0',
    bid: 0,
    ask: 0,
  }
  const incidents = { 'quote-stuck': { severity: 'critical', count: 2 } } as const
  await remember({ before, incidents, summaryAt: Date.now() - 2 * DAY_MS, lookedAt: Date.now() - DAY_MS })
  start({ summaryAt: { hour: 8, minute: 0 } })
  const summary = await until('it is notified', () => told().find(({ code }) => code === 'daily-summary'))
  expect(summary.what).toContain('PnL +100 TZS (in total +106)')
  expect(summary.what).toContain('2 x quote-stuck')
  await until('the new day has begun on disk', () => {
    const { before: figures, incidents: counted } = summaryFile(join(store, 'notified.json')).read(Date.now())
    return figures?.tzs.total === '106' && counted['quote-stuck'] === undefined
  })
})

describe('the summary of a position with a treasury', () => {
  const due = { before: null, summaryAt: Date.now() - 2 * DAY_MS, lookedAt: Date.now() - DAY_MS }
  const whatIsTold = async (treasury: NotifyPositionParts['treasury']) => {
    await remember({ ...due, treasuryCosts: '2' })
    start({ summaryAt: { hour: 8, minute: 0 } }, treasury === undefined ? {} : { treasury })
    const summary = await until('it is notified', () => told().find(({ code }) => code === 'daily-summary'))
    return summary.what
  }

  test('has where its tokens are and what it cost since the last one, and remembers that figure', async () => {
    const { state, now } = new TreasuryHarness()
    const what = await whatIsTold(() =>
      Promise.resolve({ now, state, plan: null, webhooks: null, bankFormats: {} }),
    )
    expect(what).toContain('70,000,000 NTZS, 25,000 USDC')
    expect(what).toContain('costs -2 TZS')
    const file = summaryFile(join(store, 'notified.json'))
    await until('it is on disk', () => file.read(Date.now()).treasuryCosts === '0')
  })

  test('the summary is sent without a treasury that does not answer, and has no treasury line without a treasury', async () => {
    expect(await whatIsTold(() => Promise.resolve(null))).toContain('treasury: unknown')
    // Two daemons at one store write the same file.
    await open.at(-1)?.stopped('desk-1: done', 1_000)
    server.received.splice(0)
    expect(await whatIsTold(undefined)).not.toContain('treasury')
  })
})

test('counts show what was sent and what waits, and no log line or metric has a secret', async () => {
  server.respond = (response) => void response.writeHead(503).end()
  const notifier = start()
  notifier.notify(positionNotice('store', 'no room'))
  await until('it was tried', () => log.includes('webhook did not accept a message: it answered 503'))
  const text = JSON.stringify(await notifier.metrics())
  expect(text).toContain('channel=\\"webhook\\",outcome=\\"retry\\",position=\\"desk-1\\"} 1')
  expect(text).toMatch(/_pending\{channel=\\"webhook\\",position=\\"desk-1\\"\} [1-9]/)
  for (const secret of [KEY, 'secret-part', server.url]) expect(text + log).not.toContain(secret)
  server.respond = (response) => void response.end()
  await until('it is notified', () => log.includes('webhook accepts messages again'))
})

test('a channel that failed before a restart is raised on the others with that time, and the time stays on disk', async () => {
  await using slack = await receivingServer()
  slack.respond = (response) => void response.writeHead(404).end('no_service')
  const file = summaryFile(join(store, 'notified.json'))
  const since = Date.now() - 2 * 3_600_000
  await file.write({ ...createDailySummary(Date.now()), failing: { slack: since } })
  const webhookUrl = new Secret(`${slack.url}/services/T1/B1/another-secret`)
  const notifier = start({ slack: { webhookUrl, minSeverity: 'info', maxPerHour: 30, summary: false } })
  notifier.started()
  await until('the webhook has it', () => told().some(({ code }) => code === 'channel-failing'))
  const one = told().find(({ code }) => code === 'channel-failing')
  const text = `slack has accepted no message since ${new Date(since).toISOString()}: it answered 404 (no_service)`
  expect(one?.what).toContain(text.replace(/:\d\d\.\d+Z.*/, ''))
  expect(notifier.failing()).toEqual([expect.stringContaining(text)])
  expect(slack.received.some(({ body }) => body.includes('channel-failing'))).toBe(false)
  expect(file.read(Date.now()).failing).toEqual({ slack: since })
}, 70_000)

const RULES = { minSeverity: 'info', maxPerHour: 30, summary: true } as const
const NOBODY: LoadedNotify = {
  telegram: null,
  slack: null,
  webhook: null,
  groupMs: 20,
  remindMs: null,
  quietHours: null,
  timezone: 'UTC',
  summaryAt: null,
  runbookUrl: 'docs/runbook.md',
  consoleUrl: null,
}
