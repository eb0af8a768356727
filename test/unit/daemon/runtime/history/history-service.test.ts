import { describe, expect, test } from 'vitest'
import type { NoticesQuery } from '../../../../../src/daemon/console/position-port.ts'
import type { Observation } from '../../../../../src/core/engine/model/observation.ts'
import { createHistoryService } from '../../../../../src/daemon/runtime/history/history-service.ts'
import { createHistoryReader } from '../../../../../src/daemon/runtime/history/reader-cache.ts'
import {
  appendTicks,
  durable,
  fillPosted,
  freshFolder,
  midChanged,
  openHere,
  tamper,
  valueOf,
} from '../../../store/store-fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const T = 1_700_000_040_000
const RATE = 10n ** 18n

async function storeWith(observations: readonly (readonly Observation[])[]): Promise<string> {
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  for (const [index, seen] of observations.entries()) {
    appendTicks(store, index + 1, index + 1)
    store.project(index + 1, seen)
  }
  await durable(store, observations.length)
  await store.close()
  return folder
}

const sample = (t: number, bidBps: number): Observation => ({
  type: 'sample',
  t,
  mid: 2_500n * RATE,
  fairValue: null,
  bidBps,
  askBps: 70,
  bestBidBps: null,
  bestAskBps: null,
  balances: { NTZS: 2_500n * RATE, USDC: 10n ** 18n, USDT: 0n, 'USDT.bnb': 0n },
  pnl: null,
})

const alert = (t: number, severity: 'info' | 'critical', message: string): Observation => ({
  type: 'alert',
  t,
  severity,
  code: 'x',
  message,
})

/** Bought one dollar for 2400 at a mid of 2500: four hundred bps of edge. */
const bought = (id: string, at: number): Observation => ({
  ...(fillPosted(id, {
    inAsset: 'USDC',
    amountIn: 10n ** 18n,
    outAsset: 'NTZS',
    amountOut: 2_400n * RATE,
    createdAt: at,
  }) as Extract<Observation, { type: 'fillPosted' }>),
  t: at,
  midAtFill: 2_500n * RATE,
  volumeUsd: RATE,
})

/** Sold it for 2600. */
const sold = (id: string, at: number): Observation => ({
  ...(fillPosted(id, {
    side: 'bid',
    inAsset: 'NTZS',
    amountIn: 2_600n * RATE,
    outAsset: 'USDC',
    amountOut: 10n ** 18n,
    createdAt: at,
  }) as Extract<Observation, { type: 'fillPosted' }>),
  t: at,
  midAtFill: 2_500n * RATE,
  volumeUsd: RATE,
})

/** What the ledger booked for such a fill, as far as the fee goes: nothing is posted where none was paid. */
const entryOf = (fillId: string, asset: 'NTZS' | 'USDC', fee: bigint): Observation => ({
  type: 'entryPosted',
  entry: {
    number: 1,
    t: T,
    kind: 'fill',
    reason: 'ask',
    fillId,
    postings: [
      { account: 'trading', asset, amount: 7n },
      ...(fee === 0n ? [] : [{ account: 'fees', asset, amount: fee } as const]),
    ],
  },
})

type Fills = { fills: { id: string; at: number; edgeBps: number; markoutBps: object }[]; next: string | null }
type Notices = { notices: { id: string; text: string; severity: string }[]; next: string | null }

const answer = (call: Parameters<ReturnType<typeof createHistoryReader>>[0]) => {
  const told = createHistoryReader()(call)
  if (!told.ok) throw new Error(told.error.message)
  return told.value
}

describe('fills', () => {
  test('have the edge at the fill and what the mid did for us afterwards, ours positive on either side', async () => {
    const folder = await storeWith([
      [midChanged(T, 2_500n * RATE)],
      [bought('b', T + 1), sold('s', T + 1)],
      [midChanged(T + 4 * MINUTE_MS, 2_525n * RATE)],
      [midChanged(T + HOUR_MS, 2_450n * RATE)],
    ])
    const at = (now: number) =>
      (answer({ place: folder, now, what: 'fills', query: { after: null, limit: 10 } }) as Fills).fills
    expect(at(T + 2 * HOUR_MS)).toMatchObject([
      { id: 's', edgeBps: 400, markoutBps: { m5: -100, h1: 200, d1: null } },
      { id: 'b', edgeBps: 400, markoutBps: { m5: 100, h1: -200, d1: null } },
    ])
    expect(at(T + MINUTE_MS)[0]?.markoutBps).toEqual({ m5: null, h1: null, d1: null })
    expect(at(T + 2 * DAY_MS)[0]?.markoutBps).toEqual({ m5: -100, h1: 200, d1: 200 })
  })

  test('have the edge less the fee that the ledger booked with them, and none that someone else paid', async () => {
    const folder = await storeWith([
      [midChanged(T, 2_500n * RATE)],
      [
        bought('b', T + 1),
        entryOf('b', 'NTZS', 25n * RATE),
        sold('s', T + 1),
        entryOf('s', 'USDC', RATE / 500n),
      ],
      [bought('free', T + 2), entryOf('free', 'NTZS', 0n)],
    ])
    const query = { after: null, limit: 10 }
    const { fills } = answer({ place: folder, now: T + MINUTE_MS, what: 'fills', query }) as Fills
    expect(fills.map(({ id, edgeBps }) => [id, edgeBps])).toEqual([
      ['free', 400],
      ['s', 380],
      ['b', 300],
    ])
  })

  test('have no markout for a moment at which the daemon did not run', async () => {
    const folder = await storeWith([
      [midChanged(T, 2_500n * RATE), sample(T, 60)],
      [bought('b', T + 1)],
      [sample(T + 5 * MINUTE_MS, 60)],
      [midChanged(T + 2 * HOUR_MS, 2_600n * RATE), sample(T + 2 * HOUR_MS, 60)],
    ])
    const { fills } = answer({
      place: folder,
      now: T + DAY_MS,
      what: 'fills',
      query: { after: null, limit: 1 },
    }) as Fills
    expect(fills[0]?.markoutBps).toEqual({ m5: 0, h1: null, d1: null })
  })

  test('of a venue whose clock is not ours count from when they were booked', async () => {
    const early = { ...bought('b', T + 1), fill: { ...fillOf(bought('b', T + 1)), createdAt: T - DAY_MS } }
    const folder = await storeWith([[midChanged(T, 2_500n * RATE)], [early as Observation]])
    const query = { after: null, limit: 1 }
    const { fills } = answer({ place: folder, now: T + HOUR_MS, what: 'fills', query }) as Fills
    expect(fills[0]).toMatchObject({ at: T + 1, markoutBps: { m5: 0 } })
  })

  test('of one side or token come in pages of their own', async () => {
    const tether = { ...bought('t', T + 2), fill: { ...fillOf(bought('t', T + 2)), inAsset: 'USDT' } }
    const folder = await storeWith([[bought('b', T + 1), sold('s', T + 1)], [tether as Observation]])
    const ids = (query: object) =>
      (
        answer({ place: folder, now: T, what: 'fills', query: { after: null, limit: 9, ...query } }) as Fills
      ).fills.map(({ id }) => id)
    expect(ids({ side: 'ask' })).toEqual(['t', 'b'])
    expect(ids({ side: 'bid' })).toEqual(['s'])
    expect(ids({ asset: 'USDT' })).toEqual(['t'])
    expect(ids({ side: 'bid', asset: 'USDT' })).toEqual([])
  })

  test('come in pages without holes or repeats', async () => {
    const folder = await storeWith(
      Array.from({ length: 25 }, (_, n) => [bought(`a${n}`, T + n), sold(`b${n}`, T + n)]),
    )
    const ids: string[] = []
    let after: string | null = null
    do {
      const page: Fills = answer({
        place: folder,
        now: T,
        what: 'fills',
        query: { after, limit: 7 },
      }) as Fills
      ids.push(...page.fills.map(({ id }) => id))
      after = page.next
    } while (after !== null)
    expect(ids).toEqual(Array.from({ length: 25 }, (_, n) => [`b${24 - n}`, `a${24 - n}`]).flat())
  })
})

function fillOf(posted: Observation) {
  if (posted.type !== 'fillPosted') throw new Error('no fill')
  return posted.fill
}

describe('notices', () => {
  const query: NoticesQuery = { after: null, limit: 100, kinds: [], severities: [], text: null }

  test('are filtered by kind, severity and part of their sentence, in pages without holes or repeats', async () => {
    const folder = await storeWith(
      Array.from({ length: 900 }, (_, n) => [
        alert(T + n, n % 100 === 0 ? 'critical' : 'info', `Alert ${n}`),
        { type: 'midRefused', t: T + n, reason: 'zero' } as const,
      ]),
    )
    const all = (more: Partial<NoticesQuery>) => {
      const found: Notices['notices'] = []
      let after: string | null = null
      do {
        const page: Notices = answer({
          place: folder,
          now: T,
          what: 'notices',
          query: { ...query, ...more, after, limit: 30 },
        }) as Notices
        found.push(...page.notices)
        after = page.next
      } while (after !== null)
      return found
    }
    const everything = all({})
    expect(everything).toHaveLength(1_800)
    expect(new Set(everything.map(({ id }) => id)).size).toBe(1_800)
    expect(all({ severities: ['critical'] }).map(({ text }) => text)).toEqual(
      Array.from({ length: 9 }, (_, index) => `Alert ${800 - index * 100}`),
    )
    expect(all({ text: 'aLERT 82' }).map(({ text }) => text)).toEqual(
      [829, 828, 827, 826, 825, 824, 823, 822, 821, 820, 82].map((n) => `Alert ${n}`),
    )
    expect(all({ kinds: ['midRefused'] })).toHaveLength(900)
    expect(all({ kinds: ["alert') OR 1=1 --"] })).toEqual([])
    expect(all({ text: '%' })).toEqual([])
  })

  test('that are rare are searched for a bounded while, and the next page continues from there', async () => {
    const folder = await storeWith([[alert(T, 'critical', 'the needle')]])
    tamper(
      folder,
      `WITH RECURSIVE line(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM line WHERE i < 50000)
       INSERT INTO notices SELECT i, 0, t, type, replace(body, 'the needle', 'hay') FROM line, notices`,
    )
    const pages: Notices[] = []
    let after: string | null = null
    do {
      const asked = { ...query, after, text: 'needle', limit: 5 }
      pages.push(answer({ place: folder, now: T, what: 'notices', query: asked }) as Notices)
      after = pages.at(-1)?.next ?? null
    } while (after !== null)
    expect(pages.map(({ notices }) => notices.length)).toEqual([0, 0, 1])
  })
})

describe('days', () => {
  const NOTHING = { spreadCapture: 0n, staleMid: 0n, inventory: 0n, costs: 0n, unreconciled: 0n }
  const earned = (t: number, tzs: bigint, usd: bigint): Observation => ({
    ...(sample(t, 60) as Extract<Observation, { type: 'sample' }>),
    pnl: { tzs: { ...NOTHING, spreadCapture: tzs * 10n ** 36n }, totalUsd: usd * 10n ** 54n },
  })
  const midnight = Math.floor(T / DAY_MS) * DAY_MS

  test('earned their last total less the one before, and a day without a sample is unknown', async () => {
    const folder = await storeWith([
      [earned(midnight - 2 * DAY_MS + HOUR_MS, 1_000n, 1n)],
      [bought('b', midnight - 2 * DAY_MS + HOUR_MS), sold('s', midnight - 2 * DAY_MS + HOUR_MS)],
      [earned(midnight + HOUR_MS, 5_000n, 2n)],
      [bought('c', midnight + HOUR_MS)],
    ])
    const days = answer({ place: folder, now: midnight + 2 * HOUR_MS, what: 'days', query: { days: 4 } })
    const none = { pnlTzs: null, pnlUsd: null, fills: 0, volumeUsd: 0 }
    expect(days).toMatchObject({
      days: [
        { day: '2023-11-11', ...none },
        { day: '2023-11-12', pnlTzs: 1_000, pnlUsd: 1, fills: 2, volumeUsd: 2 },
        { day: '2023-11-13', ...none },
        { day: '2023-11-14', pnlTzs: 4_000, pnlUsd: 1, fills: 1, volumeUsd: 1 },
      ],
      pairs: [
        { side: 'ask', inAsset: 'USDC', outAsset: 'NTZS', fills: 2, volumeUsd: 2 },
        { side: 'bid', inAsset: 'NTZS', outAsset: 'USDC', fills: 1, volumeUsd: 1 },
      ],
    })
  })
})

describe('history', () => {
  test('has each sample at its time up to its end, at most so many points, and unknown where nothing was sampled', async () => {
    const folder = await storeWith(
      [0, 1, 2, 3, 60, 61].map((minute) => [sample(T + minute * MINUTE_MS, minute), ...fillsAt(minute)]),
    )
    type History = { t: number[]; bidBps: (number | null)[]; usdShare: number[]; fills: { ask: number[] } }
    const history = (from: number, to: number, points: number) =>
      answer({ place: folder, now: to, what: 'history', query: { from, to, points } }) as History
    const fine = history(T, T + 10 * MINUTE_MS, 100)
    expect(fine.t.slice(0, 4)).toEqual([0, 1, 2, 3].map((minute) => T + minute * MINUTE_MS))
    expect([fine.t.length, fine.t.at(-1)]).toEqual([11, T + 10 * MINUTE_MS])
    expect(fine.bidBps).toEqual([0, 1, 2, 3, 3, 3, null, null, null, null, null])
    expect(fine.usdShare[0]).toBe(0.5)
    expect(fine.fills.ask.slice(0, 5)).toEqual([1, 1, 1, 1, 0])
    const coarse = history(T, T + 61 * MINUTE_MS, 3)
    expect(coarse.t.length).toBeLessThanOrEqual(3)
    expect(coarse.t.at(-1)).toBe(T + 61 * MINUTE_MS)
    expect(coarse.bidBps.at(-1)).toBe(61)
    expect(coarse.fills.ask.reduce((sum, count) => sum + count)).toBe(6)
  })
  const fillsAt = (minute: number) => [bought(`f${minute}`, T + minute * MINUTE_MS)]

  test('marks a halt, what lifted it, a reload by hand once, and critical alerts', async () => {
    const change = (t: number, from: 'ACTIVE' | 'HALTED', to: 'ACTIVE' | 'HALTED'): Observation => ({
      type: 'tradingStateChanged',
      t,
      from,
      to,
      why: 'x',
    })
    const loaded: Observation = { type: 'strategyLoaded', t: T + 3, use: 's', params: {}, sourceHash: '' }
    const told: Observation = {
      type: 'operator',
      t: T + 3,
      who: 'ann',
      why: 'calmer',
      command: 'reload',
      accepted: true,
      answer: 'quote.safeBps = 300',
    }
    const folder = await storeWith([
      [change(T + 1, 'ACTIVE', 'HALTED')],
      [change(T + 2, 'HALTED', 'ACTIVE')],
      [loaded, told],
      [alert(T + 4, 'critical', 'the key was rejected'), alert(T + 5, 'info', 'noted')],
    ])
    const { marks } = answer({
      place: folder,
      now: T,
      what: 'history',
      query: { from: T, to: T + MINUTE_MS, points: 5 },
    }) as { marks: unknown }
    expect(marks).toEqual([
      { t: T + 1, kind: 'halt', text: 'HALTED: x' },
      { t: T + 2, kind: 'resume', text: 'ACTIVE: x' },
      { t: T + 3, kind: 'reload', text: 'ann: reload accepted (calmer); quote.safeBps = 300' },
      { t: T + 4, kind: 'alert', text: 'the key was rejected' },
    ])
  })
})

describe('the desk', () => {
  const notices = { after: null, limit: 1, kinds: [], severities: [], text: null }

  test('answers several positions from one thread, and a store that is not there with a sentence', async () => {
    const folders = [await storeWith([[alert(T, 'info', 'a')]]), await storeWith([[alert(T, 'info', 'b')]])]
    const desk = createHistoryService()
    try {
      const told = await Promise.all(folders.map((folder) => desk.pastOf(folder).notices(notices)))
      expect(told.map((one) => one.ok && one.value.notices[0]?.text)).toEqual(['a', 'b'])
      const missing = await desk.pastOf(freshFolder()).notices(notices)
      expect(missing).toMatchObject({ ok: false, error: { kind: 'unreadable' } })
    } finally {
      await desk.close()
    }
  })

  test('the history service answers one request at a time, queues a few, and rejects more as busy', async () => {
    const desk = createHistoryService()
    const port = desk.pastOf(await storeWith([[alert(T, 'info', 'a')]]))
    try {
      const told = await Promise.all(Array.from({ length: 20 }, () => port.notices(notices)))
      const kinds = told.map((one) => (one.ok ? 'answered' : one.error.kind))
      expect(kinds.filter((kind) => kind === 'answered')).toHaveLength(9)
      expect(kinds.filter((kind) => kind === 'busy')).toHaveLength(11)
      expect((await port.notices(notices)).ok).toBe(true)
    } finally {
      await desk.close()
    }
  })

  test('gives up on what takes too long, and answers the next one from a new thread', async () => {
    const folder = await storeWith([[alert(T, 'info', 'a')]])
    // A thread cannot even start within a millisecond.
    const hasty = createHistoryService(1)
    expect(await hasty.pastOf(folder).notices(notices)).toMatchObject({ ok: false, error: { kind: 'slow' } })
    await hasty.close()
    const desk = createHistoryService()
    expect((await desk.pastOf(folder).notices(notices)).ok).toBe(true)
    await desk.close()
    expect(await desk.pastOf(folder).notices(notices)).toMatchObject({ ok: true })
    await desk.close()
  })

  test('a store that is damaged is a sentence, and does not end the thread', async () => {
    const [damaged, sound] = [
      await storeWith([[alert(T, 'info', 'a')]]),
      await storeWith([[alert(T, 'info', 'b')]]),
    ]
    tamper(damaged, `UPDATE notices SET body = '{"type":'`)
    const desk = createHistoryService()
    try {
      const told = await desk.pastOf(damaged).notices(notices)
      expect(told).toMatchObject({ ok: false, error: { kind: 'unreadable' } })
      expect((await desk.pastOf(sound).notices(notices)).ok).toBe(true)
    } finally {
      await desk.close()
    }
  })
})
