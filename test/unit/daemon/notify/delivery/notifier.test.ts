import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SendOutcome } from '../../../../../src/daemon/notify/delivery/channel-queue.ts'
import {
  createNotifier,
  type ChannelPlan,
  type Notifier,
  type NotifierParts,
} from '../../../../../src/daemon/notify/delivery/notifier.ts'
import type { Channel } from '../../../../../src/daemon/notify/message/message.ts'
import { webhookChannel } from '../../../../../src/daemon/notify/channels/webhook.ts'
import { receivingServer, type ReceivingServer } from '../../../../support/receiving-server.ts'
import { exampleNotice, NOON } from '../example-message.ts'

type Sent = {
  readonly code: string
  readonly kind: string
  readonly severity: string
  readonly count: number
  readonly what: string
  readonly firstWhat: string
  readonly text: string
  readonly advice: string | null
  readonly runbook: string | null
  readonly console: string | null
}
type Desk = {
  readonly server: ReceivingServer
  readonly notifier: Notifier
  readonly sent: () => Sent[]
  readonly outcomes: readonly (readonly [SendOutcome, number])[]
  /** Resolves once this holds; looks at it after each outcome. */
  readonly when: (holds: () => boolean) => Promise<void>
  /** Of the notifier's clock. */
  time: number
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

const QUICK = { firstMs: 10, longestMs: 40, refusedMs: 40 }

async function desk(plan: Partial<ChannelPlan> = {}, parts: Partial<NotifierParts> = {}): Promise<Desk> {
  const server = await receivingServer()
  const outcomes: [SendOutcome, number][] = []
  let wake = () => {}
  const channel = webhookChannel({
    url: () => server.url,
    hmacKey: () => 'a-key-of-enough-characters',
    timezone: 'UTC',
    timeoutMs: 5_000,
  })
  const notifier = createNotifier({
    position: 'desk-1',
    mode: 'live',
    channels: [{ name: 'webhook', channel, minSeverity: 'warning', maxPerHour: 30, summary: true, ...plan }],
    groupMs: 60,
    quietHours: null,
    timezone: 'UTC',
    configFile: '/etc/mizani/live.yaml',
    runbookUrl: 'docs/runbook.md',
    consoleUrl: null,
    backoff: QUICK,
    now: () => self.time + performance.now(),
    onOutcome(_channel, outcome, messages) {
      outcomes.push([outcome, messages])
      setImmediate(() => wake())
    },
    ...parts,
  })
  const self: Desk = {
    server,
    notifier,
    outcomes,
    async when(holds) {
      while (!holds()) await new Promise<void>((resolve) => (wake = resolve))
    },
    time: NOON,
    sent: () => server.received.map(({ body }) => JSON.parse(body) as Sent),
  }
  closing.push(async () => {
    await notifier.close(0)
    await server.close()
  })
  return self
}

const halt = (text = 'trading is halted') => exampleNotice({ severity: 'critical', code: 'halted', text })

describe('grouping', () => {
  test('ten thousand alerts are a handful of messages: the first at once, the rest with count, first and last', async () => {
    const { notifier, sent, outcomes, when } = await desk()
    const before = process.memoryUsage().heapUsed
    for (let i = 1; i <= 10_000; i += 1) {
      notifier.tell(
        exampleNotice({ t: NOON + i, severity: 'critical', code: 'quote-stuck', text: `failure ${i}` }),
      )
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000)
    await when(() => outcomes.length === 2)
    expect(sent()).toMatchObject([
      { count: 1, what: 'failure 1' },
      { count: 9_999, firstWhat: 'failure 2', what: 'failure 10000' },
    ])
    expect(sent()[1]?.text).toContain('9999 times from')
    expect(outcomes).toEqual([
      ['sent', 1],
      ['sent', 9_999],
    ])
    expect(notifier.pending()).toEqual({ webhook: 0 })
  })

  test('a warning waits for its window, and several of one code are one message', async () => {
    const { notifier, sent, when } = await desk()
    notifier.tell(exampleNotice({ text: 'first' }))
    notifier.tell(exampleNotice({ text: 'second', t: NOON + 5 }))
    expect(sent()).toEqual([])
    await when(() => sent().length > 0)
    expect(sent()).toMatchObject([{ count: 2, firstWhat: 'first', what: 'second', severity: 'warning' }])
  })

  test('a warning that lifts before it is sent reaches only channels with minSeverity info', async () => {
    const quiet = await desk()
    const curious = await desk({ minSeverity: 'info' })
    for (const { notifier } of [quiet, curious]) {
      notifier.tell(exampleNotice())
      notifier.tell(exampleNotice({ kind: 'lifted', severity: 'info', t: NOON + 2_000, text: 'it lifted' }))
    }
    await curious.when(() => curious.sent().length > 0)
    expect(curious.sent()).toMatchObject([
      { severity: 'info', what: 'the mid is old; it lifted by itself within 2 s' },
    ])
    expect(quiet.sent()).toEqual([])
  })

  test('a lasting storm of notices is sent at growing intervals', async () => {
    vi.useFakeTimers({ now: NOON })
    const told: { readonly atMs: number; readonly count: number }[] = []
    const channel: Channel = {
      send: ({ count }) => {
        told.push({ atMs: Date.now() - NOON, count })
        return Promise.resolve({ outcome: 'sent' })
      },
      close: () => Promise.resolve(),
    }
    const { notifier } = await desk({ channel }, { groupMs: 20, now: Date.now })
    for (let i = 0; i < 60; i += 1) {
      notifier.tell(halt(`number ${i}`))
      await vi.advanceTimersByTimeAsync(10)
    }
    const closed = notifier.close(1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    await closed
    // At once, then at the end of windows of 20, 40, 80, 160 and 320 ms; the rest at the end.
    expect(told.map(({ atMs }) => atMs)).toEqual([0, 20, 60, 140, 300, 600])
    expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(60)
  })
})

describe('a channel with minSeverity', () => {
  test('a channel receives notices from minSeverity up, and the end of each one that it received', async () => {
    const { notifier, sent } = await desk({ minSeverity: 'critical' })
    notifier.tell(exampleNotice())
    notifier.tell(exampleNotice({ severity: 'info', code: 'operator', text: 'anna: resume' }))
    notifier.tell(halt())
    notifier.tell(
      exampleNotice({ kind: 'lifted', severity: 'info', code: 'halted', text: 'trading is ACTIVE again' }),
    )
    notifier.tell(
      exampleNotice({ kind: 'lifted', severity: 'info', code: 'crossed', text: 'no one was notified' }),
    )
    await notifier.close(1_000)
    expect(sent().map(({ code, kind }) => `${kind} ${code}`)).toEqual(['raised halted', 'lifted halted'])
  })

  test("the treasury's alerts lead to its page of the console where its address is known, and nothing else does", async () => {
    const linksOf = async (parts: Partial<NotifierParts>) => {
      const { notifier, sent } = await desk({}, parts)
      notifier.tell(exampleNotice({ code: 'treasury-approval-waiting' }))
      notifier.tell(halt())
      notifier.tell(exampleNotice({ kind: 'lifted', code: 'treasury-approval-waiting' }))
      notifier.tell(exampleNotice({ code: 'treasury-new-payee', text: 'landlord is new' }))
      await notifier.close(1_000)
      for (const { text, console } of sent())
        expect(text.split(/\s/).filter((word) => word.includes('/#/'))).toEqual(
          console === null ? [] : [console],
        )
      return sent().flatMap(({ code, console }) => (console === null ? [] : [[code, console]]))
    }
    const page = 'https://desk.example/ops/#/a%2Fb%20c/treasury'
    const known = await linksOf({ consoleUrl: 'https://desk.example/ops/', position: 'a/b c' })
    expect(known).toContainEqual(['treasury-new-payee', page])
    expect(known.every(([code, link]) => code?.startsWith('treasury-') === true && link === page)).toBe(true)
    expect(await linksOf({})).toEqual([])
  })

  test('a beginning says what to do, and its end asks for nothing', async () => {
    const { notifier, sent } = await desk()
    notifier.tell(halt())
    notifier.tell(exampleNotice({ kind: 'lifted', severity: 'info', code: 'halted', text: 'ACTIVE again' }))
    await notifier.close(1_000)
    expect(sent()).toMatchObject([
      { advice: expect.stringContaining('mizani resume'), runbook: 'docs/runbook.md#halted' },
      { kind: 'lifted', advice: null, runbook: null },
    ])
    expect(sent()[1]?.text).toMatch(/^INFO desk-1: Over: .*ACTIVE again.* \(halted\)\n/)
    expect(sent()[1]?.text).not.toContain('Do:')
  })

  test('the daily summary goes to who wants it, whatever the severity', async () => {
    const summary = exampleNotice({ kind: 'summary', severity: 'info', code: 'daily-summary', text: 'a\nb' })
    const yes = await desk({ minSeverity: 'critical' })
    const no = await desk({ summary: false, minSeverity: 'info' })
    for (const { notifier } of [yes, no]) {
      notifier.tell(summary)
      await notifier.close(1_000)
    }
    expect(yes.sent()).toMatchObject([{ kind: 'summary', what: 'a\nb' }])
    expect(no.sent()).toEqual([])
  })

  test('in quiet hours only what is critical; the rest comes as one summary afterwards', async () => {
    const hours = { fromMinute: 12 * 60, toMinute: 13 * 60 }
    const one = await desk({}, { quietHours: hours })
    one.notifier.tell(exampleNotice({ text: 'at night' }))
    await one.when(() => one.outcomes.some(([outcome]) => outcome === 'held'))
    one.notifier.tell(halt())
    await one.when(() => one.outcomes.some(([outcome]) => outcome === 'sent'))
    expect(one.notifier.pending()).toEqual({ webhook: 1 })
    one.time = NOON + 2 * 3_600_000
    one.notifier.tell(exampleNotice({ code: 'crossed', text: 'in the morning' }))
    await one.when(() => one.sent().length === 3)
    expect(one.sent().map(({ code }) => code)).toEqual(['halted', 'held-back', 'crossed'])
    expect(one.sent()[1]?.what).toMatch(/1 x mid-age, .*at night/)
  })
})

describe('the limit of an hour', () => {
  test('holds warnings back first, keeps a fifth for what is critical, and tells of all the rest in one summary', async () => {
    const one = await desk({ maxPerHour: 10 })
    const codes = Array.from({ length: 30 }, (_, i) => `code-${i}`)
    for (const code of codes) one.notifier.tell(exampleNotice({ code, text: `about ${code}` }))
    await one.when(() => one.sent().length === 8)
    for (const code of codes.slice(0, 5))
      one.notifier.tell(exampleNotice({ code, severity: 'critical', text: 'grave' }))
    await one.when(() => one.sent().length === 10)
    await one.when(() => one.notifier.pending()['webhook'] === 25)
    one.time += 3_600_001
    one.notifier.tell(halt())
    await one.when(() => one.notifier.pending()['webhook'] === 0)
    const [, summary] = one
      .sent()
      .slice(10)
      .toSorted((a, b) => a.code.length - b.code.length)
    expect(summary).toMatchObject({ kind: 'held', severity: 'critical', count: 25 })
    expect(summary?.what).toMatch(/^25 .*\ncritical: 1 x code-2, last: grave\n[^]*\d+ of \d+ other codes$/)
    expect(one.notifier.pending()).toEqual({ webhook: 0 })
  })
})

describe('a channel in trouble', () => {
  test('a channel in trouble is retried in order: the first notice arrives first, and each arrives once', async () => {
    const { server, notifier, sent, outcomes, when } = await desk()
    let failures = 3
    server.respond = (response) => {
      failures -= 1
      response.writeHead(failures >= 0 ? 500 : 200).end()
    }
    for (const code of ['a', 'b', 'c'])
      notifier.tell(exampleNotice({ code, severity: 'critical', text: code }))
    await when(() => outcomes.filter(([outcome]) => outcome === 'sent').length === 3)
    expect(sent().map(({ code }) => code)).toEqual(['a', 'a', 'a', 'a', 'b', 'c'])
  })

  test('that asks for patience is left alone for that long', async () => {
    vi.useFakeTimers({ now: NOON })
    const triedAt: number[] = []
    const channel: Channel = {
      send() {
        triedAt.push(Date.now() - NOON)
        return Promise.resolve(
          triedAt.length === 1 ? { outcome: 'retry', why: 'too many', afterMs: 1_000 } : { outcome: 'sent' },
        )
      },
      close: () => Promise.resolve(),
    }
    const { notifier } = await desk({ channel }, { now: Date.now })
    notifier.tell(halt())
    await vi.advanceTimersByTimeAsync(2_000)
    expect(triedAt).toEqual([0, 1_000])
  })

  test('that is down for long costs bounded memory and hears everything critical as a summary when it is back', async () => {
    const one = await desk({ maxPerHour: 1_000 })
    one.server.respond = (response) => void response.destroy()
    for (let i = 0; i < 200; i += 1) {
      one.notifier.tell(
        exampleNotice({ code: `code-${i % 80}-${i}`, severity: 'critical', text: `number ${i}` }),
      )
    }
    await one.when(() => one.outcomes.some(([outcome]) => outcome === 'failed'))
    expect(one.notifier.pending()).toEqual({ webhook: 200 })
    one.server.received.length = 0
    one.server.respond = (response) => void response.end('ok')
    await one.when(() => one.notifier.pending()['webhook'] === 0)
    const told = one.sent().reduce((sum, { count }) => sum + count, 0)
    expect(told).toBeGreaterThanOrEqual(200)
    expect(one.server.received.length).toBeLessThanOrEqual(55)
    expect(one.sent().some(({ kind }) => kind === 'held')).toBe(true)
  })

  test('that refuses one message still gets the next', async () => {
    const { server, notifier, outcomes, when } = await desk()
    server.respond = (response, { body }) =>
      void response.writeHead((JSON.parse(body) as Sent).code === 'bad' ? 400 : 200).end()
    notifier.tell(exampleNotice({ code: 'bad', severity: 'critical' }))
    notifier.tell(exampleNotice({ code: 'good', severity: 'critical' }))
    await when(() => outcomes.some(([outcome]) => outcome === 'sent'))
    expect(outcomes[0]).toEqual(['refused', 1])
  })

  test('that refuses what was held back as well, for what is in it, still gets the warnings that come', async () => {
    // Long enough that nothing but the order of things decides.
    const patient = { ...QUICK, refusedMs: 60_000 }
    const { server, notifier, sent, outcomes, when } = await desk({ maxPerHour: 10 }, { backoff: patient })
    server.respond = (response, { body }) =>
      void response.writeHead(body.includes('bad words') ? 422 : 200).end()
    notifier.tell(exampleNotice({ code: 'bad', text: 'bad words' }))
    await when(() => sent().some(({ kind }) => kind === 'held'))
    for (const code of ['one', 'two', 'three']) notifier.tell(exampleNotice({ code, text: code }))
    await when(() => outcomes.filter(([outcome]) => outcome === 'sent').length === 3)
    expect(notifier.pending()).toEqual({ webhook: 1 })
  })

  test('does not keep a process from leaving: close is over in time and says how much was lost', async () => {
    const { server, notifier, outcomes } = await desk()
    const asked = new Promise<void>((resolve) => (server.respond = () => resolve()))
    for (const code of ['a', 'b', 'c']) notifier.tell(exampleNotice({ code, severity: 'critical' }))
    await asked
    await notifier.close(50)
    expect(outcomes).toContainEqual(['lost', 3])
    notifier.tell(halt())
    expect(notifier.pending()).toEqual({ webhook: 3 })
  })

  test('whose message cannot even be written loses that one and sends the next', async () => {
    const { notifier, sent, outcomes, when } = await desk()
    notifier.tell(exampleNotice({ t: Number.NaN, severity: 'critical', code: 'odd' }))
    notifier.tell(halt())
    await when(() => sent().some(({ code }) => code === 'halted'))
    expect(outcomes[0]?.[0]).toBe('refused')
  })
})
