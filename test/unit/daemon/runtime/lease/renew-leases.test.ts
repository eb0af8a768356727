import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { err, ok, type Result } from '../../../../../src/base/result.ts'
import type { LoadedGuard } from '../../../../../src/daemon/config/load/guard.ts'
import type {
  GuardAnswer,
  GuardSilence,
  openGuardClient,
} from '../../../../../src/daemon/guard/protocol/ask-guard.ts'
import {
  type PositionAnswer,
  PROTOCOL_VERSION,
  RENEW_PATH,
  type Renewal,
} from '../../../../../src/daemon/guard/protocol/renewal.ts'
import { DEFAULT_TERMS } from '../../../../../src/core/lease/terms.ts'
import { createRenewals } from '../../../../../src/daemon/runtime/lease/renew-leases.ts'
import {
  type LeaseFacts,
  type LeaseNews,
  positionSide,
} from '../../../../../src/daemon/runtime/lease/shared-lease.ts'

const URL_OF_GUARD = 'http://127.0.0.1:9465'
const FACTS: LeaseFacts = {
  quote: { bidBps: 60, askBps: 70 },
  isActive: true,
  worse: 'ask',
  isReconciled: true,
  hasLeft: false,
  isHandedOver: false,
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

type Reply = Result<GuardAnswer, GuardSilence>
const nobody: Reply = err({ kind: 'nobody', words: 'no answer (ECONNREFUSED)' })
const granted = (name: string, fence: number): PositionAnswer => ({
  name,
  fence,
  refusal: null,
  words: '',
  writes: [],
  requestsAgoMs: [],
})
const answer = (...positions: PositionAnswer[]): Reply =>
  ok({ status: 200, body: { version: PROTOCOL_VERSION, positions } })

/** Renewals to a guard that answers like `guard.reply`. */
function renewing() {
  const asked: { path: string; body: Renewal; timeoutMs: number }[] = []
  const guard = { reply: nobody as Reply | Promise<Reply>, isClosed: false }
  const lines: string[] = []
  const client: ReturnType<typeof openGuardClient> = {
    ask(_method, path, body, timeoutMs) {
      asked.push({ path, body: body as Renewal, timeoutMs })
      return Promise.resolve(guard.reply)
    },
    close: () => void (guard.isClosed = true),
  }
  const log = {
    info: (_fields: object, line: string) => void lines.push(`info ${line}`),
    warn: (_fields: object, line: string) => void lines.push(`warn ${line}`),
  }
  const renewals = createRenewals({
    guard: { terms: DEFAULT_TERMS, url: URL_OF_GUARD, ca: null } as LoadedGuard & { url: string },
    token: () => 'token',
    log: log as never,
    openClient: () => client,
  })
  onTestFinished(renewals.close)
  const news = new Map<string, LeaseNews[]>()
  /** A position that counts with each look at its side, as a living loop does. */
  const add = (name: string) => {
    const received: LeaseNews[] = []
    news.set(name, received)
    const side = positionSide(renewals.register(name, (one) => void received.push(one)))
    side.count(FACTS)
    return side
  }
  const start = async (name: string) => {
    const side = add(name)
    renewals.started(name)
    await vi.advanceTimersByTimeAsync(0)
    return side
  }
  return {
    renewals,
    guard,
    asked,
    lines,
    received: (name: string) => news.get(name) ?? [],
    add,
    /** Starts a position and lets its first renewal be answered. */
    start,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

describe('The renewals of a process', () => {
  test('ask no one while no position runs, and look for a guard every 2 s while none has ever answered', async () => {
    const { asked, received, pass, lines, start } = renewing()
    await pass(10_000)
    expect(asked).toEqual([])
    await start('one')
    expect(received('one')).toMatchObject([
      { kind: 'absent', words: 'no answer (ECONNREFUSED)', fence: null },
    ])
    await pass(6_000)
    expect(asked).toHaveLength(4)
    // The same news is notified once, and a guard that was never there is no change.
    expect(received('one')).toHaveLength(1)
    expect(lines).toEqual([])
  })

  test('carry all positions in one request a second, each with what its own loop shows', async () => {
    const { renewals, add, asked, guard, received, pass, lines } = renewing()
    guard.reply = answer(granted('one', 4), granted('two', 9))
    const one = add('one')
    add('two')
    renewals.started('one')
    await pass(0)
    one.count({ ...FACTS, quote: null })
    await pass(3_000)
    expect(asked).toHaveLength(4)
    expect(asked[0]).toMatchObject({
      path: RENEW_PATH,
      timeoutMs: DEFAULT_TERMS.roundTripMs,
      body: { version: PROTOCOL_VERSION, deadlineMs: DEFAULT_TERMS.deadlineMs },
    })
    expect(asked[0]?.body.holder).toMatch(/^[0-9a-f]{32}$/)
    // Which lease each knows of: what the guard hands over with one is reported again until then.
    expect(asked[0]?.body.positions).toMatchObject([{ fence: null }, { fence: null }])
    expect(asked[1]?.body.positions).toMatchObject([
      { name: 'one', count: 2, fence: 4, quote: null, isLeaving: false },
      { name: 'two', count: 1, fence: 9, quote: { bidBps: 60, askBps: 70 } },
    ])
    expect(received('one')).toMatchObject([{ kind: 'granted', fence: 4 }])
    expect(one.renewed().fence).toBe(4)
    expect(lines).toEqual(['info a guard answers'])
  })

  test('show a loop that has never counted as one that does not vouch', async () => {
    const { renewals, asked, pass } = renewing()
    renewals.register('still', () => undefined)
    renewals.started('still')
    await pass(0)
    expect(asked[0]?.body.positions).toMatchObject([{ name: 'still', count: null }])
  })

  test('count from the moment before the request was sent, however late the answer comes', async () => {
    const { renewals, add, guard, pass } = renewing()
    let reply: (one: Reply) => void = () => undefined
    guard.reply = new Promise((resolve) => (reply = resolve))
    const one = add('one')
    const before = Number(process.hrtime.bigint()) / 1e6
    renewals.started('one')
    const sent = Number(process.hrtime.bigint()) / 1e6
    await pass(400)
    reply(answer(granted('one', 1)))
    await pass(0)
    const { steadyMs } = one.renewed().sentAt
    expect(steadyMs).toBeGreaterThanOrEqual(Math.floor(before))
    expect(steadyMs).toBeLessThanOrEqual(sent)
  })

  test.each([
    ['drained', 'drained'],
    ['unknown', 'drained'],
    ['terms', 'drained'],
    ['held', 'held'],
    ['guarding', 'refused'],
    ['latched', 'refused'],
    ['person', 'refused'],
  ] as const)('tell a position whose lease is refused with %s that it is %s', async (refusal, kind) => {
    const { guard, received, pass, start } = renewing()
    guard.reply = answer({ ...granted('one', 0), fence: null, refusal, words: 'for a reason' })
    await start('one')
    await pass(2_500)
    expect(received('one')).toMatchObject([{ kind, words: 'for a reason', fence: null }])
  })

  test('tell nothing to a position whose loop has not counted: its lease runs out by itself', async () => {
    const { guard, received, pass, start } = renewing()
    guard.reply = answer({ ...granted('one', 0), fence: null, refusal: 'not-vouched' })
    await start('one')
    await pass(2_500)
    expect(received('one')).toEqual([])
  })

  test('hand on every request of the guard, and its writes once, however often they are reported', async () => {
    const { guard, received, pass, start } = renewing()
    const writes = [{ what: 'deactivation', agoMs: 5 }] as const
    guard.reply = answer({ ...granted('one', 2), writes, requestsAgoMs: [5] })
    await start('one')
    guard.reply = answer({ ...granted('one', 2), writes, requestsAgoMs: [70, 20] })
    await pass(1_000)
    guard.reply = answer(granted('one', 2))
    await pass(1_000)
    expect(received('one')).toMatchObject([
      { kind: 'granted', writes, requestsAgoMs: [5] },
      { kind: 'granted', writes: [], requestsAgoMs: [70, 20] },
    ])
  })

  test('tell of a guard that falls silent and of one that is back, and log both', async () => {
    const { guard, received, pass, lines, start } = renewing()
    guard.reply = answer(granted('one', 1))
    await start('one')
    await pass(1_000)
    guard.reply = nobody
    await pass(2_000)
    guard.reply = answer(granted('one', 2))
    await pass(1_000)
    expect(received('one').map(({ kind, fence }) => [kind, fence])).toEqual([
      ['granted', 1],
      ['absent', null],
      ['granted', 2],
    ])
    expect(lines).toEqual([
      'info a guard answers',
      'warn the guard does not answer: no answer (ECONNREFUSED)',
      'info a guard answers',
    ])
  })

  test.each([
    ['a status', ok({ status: 500, body: {} }), 'the guard answers 500'],
    ['another version', ok({ status: 200, body: { version: 99, positions: [] } }), 'the guard answers 200'],
    ['no list', ok({ status: 200, body: { version: PROTOCOL_VERSION } }), 'the guard answers 200'],
    ['null', ok({ status: 200, body: null }), 'the guard answers 200'],
  ] as const)('take %s for no answer of a guard', async (_, reply, words) => {
    const { guard, received, start } = renewing()
    guard.reply = reply as Reply
    await start('one')
    expect(received('one')).toMatchObject([{ kind: 'absent', words }])
  })

  test('tell a thread that was started anew how it stands, though nothing has changed', async () => {
    const { renewals, guard, received, pass, start } = renewing()
    guard.reply = answer(granted('one', 1))
    await start('one')
    await pass(1_000)
    renewals.started('one')
    await pass(0)
    renewals.started('not-there')
    expect(received('one').map(({ kind }) => kind)).toEqual(['granted', 'granted'])
  })

  test('keep the buffer of a position over its restarts: its counter never goes back', () => {
    const { renewals } = renewing()
    const first = renewals.register('one', () => undefined)
    expect(renewals.register('one', () => undefined)).toBe(first)
  })

  test('renew at once for a position that starts while a renewal is under way', async () => {
    const { renewals, add, guard, asked, pass } = renewing()
    let reply: (one: Reply) => void = () => undefined
    guard.reply = new Promise((resolve) => (reply = resolve))
    add('one')
    renewals.started('one')
    add('two')
    renewals.started('two')
    expect(asked).toHaveLength(1)
    guard.reply = nobody
    reply(nobody)
    await pass(0)
    expect(asked.map(({ body }) => body.positions.map(({ name }) => name))).toEqual([['one'], ['one', 'two']])
  })

  test('end with one message about those that have left as configured, and none after it', async () => {
    const { renewals, add, guard, asked, pass, start } = renewing()
    guard.reply = answer(granted('one', 1), granted('two', 1))
    add('two')
    const one = await start('one')
    one.count({ ...FACTS, hasLeft: true })
    await renewals.leave(['one', 'two', 'not-there'])
    expect(asked.at(-1)?.body.positions).toMatchObject([{ name: 'one', isLeaving: true }])
    const sent = asked.length
    await pass(10_000)
    expect(asked).toHaveLength(sent)
    renewals.close()
    expect(guard.isClosed).toBe(true)
  })

  test('hold the lease of one that was handed over out to the next holder', async () => {
    const { renewals, guard, asked, start } = renewing()
    guard.reply = answer(granted('one', 1))
    const one = await start('one')
    one.count({ ...FACTS, hasLeft: true, isHandedOver: true })
    await renewals.leave(['one'])
    expect(asked.at(-1)?.body.positions).toMatchObject([{ isLeaving: true, isHandedOver: true }])
  })

  test('tell no one of leaving where no guard has ever answered', async () => {
    const { renewals, asked, start } = renewing()
    const one = await start('one')
    one.count({ ...FACTS, hasLeft: true })
    await renewals.leave(['one'])
    expect(asked).toHaveLength(1)
  })
})
