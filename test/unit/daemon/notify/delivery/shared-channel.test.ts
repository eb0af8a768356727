import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createSharedChannels,
  joinMessages,
} from '../../../../../src/daemon/notify/delivery/shared-channel.ts'
import type { Channel, Delivery, Message } from '../../../../../src/daemon/notify/message/message.ts'

const SETTINGS = { collectMs: 20, stormMs: 400 }

function message(position: string, changes: Partial<Message> = {}): Message {
  const received = { t: 1_000, text: 'the venue does not answer\nsince noon' }
  return {
    id: position,
    position,
    mode: 'live',
    kind: 'raised',
    severity: 'warning',
    code: 'error-cycles',
    count: 1,
    first: received,
    last: received,
    since: null,
    title: 'Requests to the venue fail in a row',
    also: [],
    atRisk: null,
    live: null,
    did: null,
    advice: null,
    runbook: null,
    console: null,
    ...changes,
  }
}

function receivingChannel(answer: () => Promise<Delivery> = async () => ({ outcome: 'sent' })) {
  const sent: Message[] = []
  let closed = 0
  const channel: Channel = {
    send(one) {
      sent.push(one)
      return answer()
    },
    async close() {
      closed += 1
    },
  }
  return { sent, closed: () => closed, open: () => channel }
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `desk-${n}`)

/** So many positions that share one channel. */
function sharing(count: number, receiver = receivingChannel()) {
  const shared = createSharedChannels(SETTINGS)
  const ways = names(count).map(() => shared.share('chat', receiver.open))
  const sendAll = (changes: (n: number) => Partial<Message> = () => ({})) =>
    Promise.all(ways.map((way, n) => way.send(message(`desk-${n}`, changes(n)))))
  /** Sends what all report, and lets the time pass in which it is collected. */
  const tellAll: typeof sendAll = async (changes) => {
    const all = sendAll(changes)
    await vi.advanceTimersByTimeAsync(SETTINGS.collectMs)
    return all
  }
  return { ...receiver, shared, ways, sendAll, tellAll }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('a channel that positions share', () => {
  test('sends at once and unchanged what its only position reports', async () => {
    const { sent, ways } = sharing(1)
    const one = message('desk-0')
    const promise = ways[0]?.send(one)
    expect(sent).toEqual([one])
    expect(await promise).toEqual({ outcome: 'sent' })
  })

  test('sends what a few report one by one, in order', async () => {
    const { sent, tellAll } = sharing(5)
    await tellAll()
    expect(sent.map(({ position, kind }) => [position, kind])).toEqual(
      names(5).map((name) => [name, 'raised']),
    )
  })

  test('makes one message of a storm of five hundred, with the gravest first and its advice', async () => {
    const { sent, tellAll } = sharing(500)
    const grave = {
      severity: 'critical',
      code: 'halted',
      advice: 'see why in `mizani status`',
      runbook: 'r#halted',
      console: 'https://desk.example/#/desk-7/treasury',
    } as const
    const deliveries = await tellAll((n) => (n % 100 === 7 ? grave : {}))
    expect(deliveries.filter(({ outcome }) => outcome === 'sent')).toHaveLength(500)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      position: '500 positions',
      kind: 'held',
      severity: 'critical',
      code: 'halted',
      count: 500,
      advice: grave.advice,
      runbook: 'r#halted',
      // It would lead to one of the five hundred.
      console: null,
    })
    expect(sent[0]?.last.text.split('\n')).toEqual([
      'critical: halted at desk-7, desk-107, desk-207, desk-307, desk-407: the venue does not answer',
      'warning: error-cycles at desk-0, desk-1, desk-2, desk-3, desk-4, desk-5, desk-6, desk-8 and 487 more positions: the venue does not answer',
    ])
  })

  test('sends one message in the time of a storm however long it lasts, and then one by one again', async () => {
    const { sent, sendAll, tellAll, ways } = sharing(50)
    await tellAll()
    const second = sendAll()
    await vi.advanceTimersByTimeAsync(100)
    const third = sendAll((n) => ({ code: n % 2 === 0 ? 'mid-age' : 'review' }))
    await vi.advanceTimersByTimeAsync(SETTINGS.stormMs - 101)
    expect(sent.map(({ count }) => count)).toEqual([50])
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all([second, third])
    expect(sent.map(({ count }) => count)).toEqual([50, 100])
    await vi.advanceTimersByTimeAsync(SETTINGS.stormMs)
    const single = ways[3]?.send(message('desk-3'))
    await vi.advanceTimersByTimeAsync(SETTINGS.collectMs)
    await single
    expect(sent.at(-1)).toMatchObject({ position: 'desk-3', kind: 'raised' })
  })

  test('returns the outcome of a merged message to every position that it covers', async () => {
    const refused: Delivery = { outcome: 'refused', why: 'no such chat', isContent: false }
    const { tellAll } = sharing(
      9,
      receivingChannel(async () => refused),
    )
    expect(await tellAll()).toEqual(names(9).map(() => refused))
    const failing = sharing(
      9,
      receivingChannel(() => Promise.reject(new Error('broken'))),
    )
    expect((await failing.tellAll()).map(({ outcome }) => outcome)).toEqual(names(9).map(() => 'refused'))
  })

  test('does not wait for the end of a storm when the process leaves', async () => {
    const { sent, tellAll } = sharing(30)
    await tellAll()
    await tellAll(() => ({ code: 'daemon-stop', severity: 'info' }))
    expect(sent.map(({ code }) => code)).toEqual(['error-cycles', 'daemon-stop'])
  })

  test('sends what waits when a position closes, and is closed with the last one', async () => {
    const { sent, closed, ways, tellAll, shared, open } = sharing(8)
    await tellAll()
    const waiting = ways[2]?.send(message('desk-2'))
    await ways[2]?.close()
    expect(await waiting).toEqual({ outcome: 'sent' })
    expect(sent.at(-1)).toMatchObject({ position: 'desk-2' })
    expect(closed()).toBe(0)
    for (const [n, way] of ways.entries()) if (n !== 2) await way.close()
    expect(closed()).toBe(1)
    const opened = vi.fn(open)
    shared.share('chat', opened)
    expect(opened).toHaveBeenCalledTimes(1)
  })

  test('keeps another chat apart, and answers a test to the person who asked', async () => {
    const one = receivingChannel()
    const other = receivingChannel()
    const shared = createSharedChannels(SETTINGS)
    const [a, b] = [shared.share('one', one.open), shared.share('other', other.open)]
    await Promise.all([a.send(message('a')), b.send(message('b'))])
    expect([one.sent.length, other.sent.length]).toEqual([1, 1])
    shared.share('one', one.open)
    const asked = a.send(message('a', { kind: 'test', code: 'test' }))
    expect(one.sent.at(-1)).toMatchObject({ kind: 'test' })
    await asked
  })
})

test('the daily summaries of many positions are one message with a line each, as far as a person reads', () => {
  const all = names(40).map((name) =>
    message(name, {
      kind: 'summary',
      severity: 'info',
      code: 'daily-summary',
      last: { t: 9, text: `${name} earned 1 USD\nmore` },
    }),
  )
  const lines = joinMessages(all).last.text.split('\n')
  expect(lines.slice(0, 2)).toEqual(['desk-0: desk-0 earned 1 USD', 'desk-1: desk-1 earned 1 USD'])
  expect(lines).toHaveLength(16)
  expect(lines.at(-1)).toBe('and 25 other lines')
})
