import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../src/engine/model/observation.ts'
import { openHistory, type HistoryReader } from '../../../../src/store/history/open-history.ts'
import { storeFiles } from '../../../../src/store/store-files.ts'
import {
  appendTicks,
  durable,
  errorOf,
  fillPosted,
  freshFolder,
  midChanged,
  openHere,
  tableRows,
  tamper,
  valueOf,
} from '../store-fixture.ts'

const MINUTE_MS = 60_000
const T = 1_700_000_000_000 - (1_700_000_000_000 % MINUTE_MS)

function sample(t: number, change: Partial<Extract<Observation, { type: 'sample' }>> = {}): Observation {
  return {
    type: 'sample',
    t,
    mid: 2_600_500_000_000_000_000_000n,
    fairValue: 2_601n * 10n ** 18n,
    bidBps: 40,
    askBps: null,
    bestBidBps: 55,
    bestAskBps: null,
    balances: { NTZS: 1_500_000_000_000_000_000n, USDC: 2_500_000n, USDT: 1n, 'USDT.bnb': 10n ** 18n },
    pnl: {
      tzs: {
        spreadCapture: 12n * 10n ** 36n,
        staleMid: -(10n ** 35n),
        inventory: 0n,
        costs: -(10n ** 36n),
        unreconciled: 0n,
      },
      totalUsd: 5n * 10n ** 53n,
    },
    ...change,
  }
}

/** A store with these observations, an event each. */
async function storeWith(observations: readonly Observation[]): Promise<string> {
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  for (const [index, observation] of observations.entries()) {
    appendTicks(store, index + 1, index + 1)
    store.project(index + 1, [observation])
  }
  await durable(store, observations.length)
  await store.close()
  return folder
}

async function reading<T>(folder: string, work: (reader: HistoryReader) => T): Promise<T> {
  const reader = valueOf(openHistory(folder))
  try {
    return work(reader)
  } finally {
    reader.close()
  }
}

describe('samples', () => {
  test('come back as plain numbers in whole tokens, unknown stays unknown', async () => {
    const folder = await storeWith([sample(T), sample(T + MINUTE_MS, { balances: null, pnl: null })])
    const rows = await reading(folder, ({ samplesAt }) => samplesAt([T, T + MINUTE_MS], MINUTE_MS))
    expect({ ...rows[0] }).toEqual({
      t: T,
      mid: 2600.5,
      fairValue: 2601,
      bidBps: 40,
      askBps: null,
      bestBidBps: 55,
      bestAskBps: null,
      ntzs: 1.5,
      usd: 3.500001,
      spreadCapture: 12,
      staleMid: -0.1,
      inventory: 0,
      costs: -1,
      unreconciled: 0,
      totalUsd: 0.5,
    })
    expect(rows[1]).toMatchObject({ ntzs: null, usd: null, spreadCapture: null, totalUsd: null })
  })

  test('are found as the last one at or before a moment, unless it is too old', async () => {
    const folder = await storeWith([sample(T, { bidBps: 1 }), sample(T + MINUTE_MS, { bidBps: 2 })])
    const bids = await reading(folder, ({ samplesAt }) =>
      samplesAt([T - 1, T, T + MINUTE_MS - 1, T + MINUTE_MS, T + 3 * MINUTE_MS], MINUTE_MS).map(
        (row) => row?.bidBps ?? null,
      ),
    )
    expect(bids).toEqual([null, 1, 1, 2, null])
  })

  test('are not in the notices, and one told twice is there once', async () => {
    const folder = freshFolder()
    const store = valueOf(await openHere(folder))
    appendTicks(store, 1, 1)
    store.project(1, [sample(T)])
    store.project(1, [sample(T, { bidBps: 99 })])
    await durable(store, 1)
    await store.close()
    expect(tableRows(folder, 'samples')).toHaveLength(1)
    expect(tableRows(folder, 'samples')[0]).toMatchObject({ t: T, seq: 1, bid_bps: 40 })
    expect(tableRows(folder, 'notices')).toEqual([])
  })
})

describe('a store from before there were samples', () => {
  test('is migrated when it is opened, keeps every row and has none from before', async () => {
    const folder = await storeWith([fillPosted('f-1'), midChanged(T)])
    const before = [tableRows(folder, 'fills'), tableRows(folder, 'journal')]
    tamper(
      folder,
      `DROP TABLE samples; DROP INDEX rates_by_time; DROP INDEX fills_by_time; DROP INDEX notices_by_type;
       DROP TABLE operator_actions; DELETE FROM meta WHERE key = 'actionsSince';
       DROP TABLE treasury_journal; DROP TABLE treasury_notices;
       DELETE FROM kysely_migration WHERE name != '0001-first-tables'; PRAGMA user_version = 1`,
    )
    expect(errorOf(openHistory(folder)).message).toContain('no store')
    const store = valueOf(await openHere(folder))
    expect(store.recover().lastSeq).toBe(2)
    await store.close()
    expect([tableRows(folder, 'fills'), tableRows(folder, 'journal')]).toEqual(before)
    expect(tableRows(folder, 'samples')).toEqual([])
    expect(await reading(folder, ({ firstSample }) => firstSample())).toBeNull()
  })
})

describe('pages', () => {
  test('of fills and notices run from the newest to the oldest without holes or repeats', async () => {
    const alert = (n: number): Observation =>
      n % 3 === 0
        ? { type: 'midRefused', t: T + n, reason: `number ${n}` }
        : { type: 'alert', t: T + n, severity: 'info', code: 'x', message: `number ${n}` }
    const observations = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? fillPosted(`f-${n}`) : alert(n)))
    const folder = await storeWith(observations)
    const seen = await reading(folder, (reader) => {
      const walk = (page: typeof reader.fills | typeof reader.notices) => {
        const seqs: number[] = []
        let before: { seq: number; n: number } | null = null
        for (;;) {
          const rows: readonly { seq: number; n: number }[] =
            page === reader.fills ? reader.fills(before, 7) : reader.notices(before, [], 7)
          seqs.push(...rows.map(({ seq }) => seq))
          before = rows.at(-1) ?? null
          if (rows.length < 7) return seqs
        }
      }
      return { fills: walk(reader.fills), notices: walk(reader.notices) }
    })
    const numbers = Array.from({ length: 60 }, (_, index) => 60 - index)
    expect(seen.fills).toEqual(numbers.filter((seq) => seq % 2 === 1))
    expect(seen.notices).toEqual(numbers.filter((seq) => seq % 2 === 0))
    const refused = await reading(folder, ({ notices }) => notices(null, ['midRefused'], 100))
    expect(refused.every(({ type }) => type === 'midRefused')).toBe(true)
    expect(refused).toHaveLength(10)
  })

  test('of marks have changes to and from HALTED and reloads, and nothing else', async () => {
    const change = (t: number, from: string, to: string) =>
      ({ type: 'tradingStateChanged', t, from, to, why: 'x' }) as Observation
    const told = (t: number, command: string, accepted = true): Observation => ({
      type: 'operator',
      t,
      who: 'ann',
      why: 'y',
      command,
      accepted,
      answer: 'z',
    })
    const folder = await storeWith([
      change(T, 'ACTIVE', 'REDUCING'),
      change(T + 1, 'REDUCING', 'HALTED'),
      change(T + 2, 'HALTED', 'ACTIVE'),
      told(T + 3, 'pause'),
      told(T + 4, 'reload'),
      told(T + 6, 'reload', false),
      { type: 'strategyLoaded', t: T + 5, use: 'a', params: {}, sourceHash: '0' },
    ])
    const at = await reading(folder, ({ marks }) => marks(T, T + 10, 10).map(({ t }) => t - T))
    expect(at).toEqual([1, 2, 4, 5])
    expect(await reading(folder, ({ marks }) => marks(T + 2, T + 4, 10).length)).toBe(2)
    expect(await reading(folder, ({ marks }) => marks(T, T + 10, 2).map(({ t }) => t - T))).toEqual([4, 5])
  })

  test('of fills are counted by the step that ends at or after them', async () => {
    const at = (id: string, t: number): Observation => ({ ...fillPosted(id), t }) as Observation
    const folder = await storeWith([at('a', 100), at('b', 101), at('c', 200), at('d', 201), at('e', 300)])
    const counts = await reading(folder, ({ countFills }) =>
      countFills({ from: 50, to: 300, end: 100, stepMs: 100 }),
    )
    expect(counts).toEqual([
      { step: 0, side: 'ask', count: 1 },
      { step: 1, side: 'ask', count: 2 },
      { step: 2, side: 'ask', count: 2 },
    ])
  })
})

describe('a year of minutes', () => {
  const MINUTES = 525_600
  const DAYS = 365

  test('is 525,600 rows of under 150 bytes, and a thousand points of it take less than 300 ms', async () => {
    const folder = await storeWith([sample(T)])
    const db = new DatabaseSync(storeFiles(folder).database)
    db.exec(`WITH RECURSIVE minute(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM minute WHERE i < ${MINUTES - 1})
      INSERT INTO samples SELECT t + i * ${MINUTE_MS} + i % 40, seq + i, mid + i / 7e3, fair_value, bid_bps,
      ask_bps, best_bid_bps, best_ask_bps, ntzs + i, usdc + i / 3e0, usdt, usdt_bnb, posted_spread + i / 7e0,
      stale_mid - i / 9e0, inventory + i / 11e0, costs, unexplained, total_usd + i / 13e0 FROM samples, minute`)
    const { pages } = db.prepare('SELECT count(*) AS pages FROM dbstat WHERE name = ?').get('samples') as {
      pages: number
    }
    db.close()
    expect(pages * 4_096).toBeLessThan(150 * MINUTES)
    const took = await reading(folder, ({ samplesAt }) => {
      const step = (DAYS * 24 * 60 * MINUTE_MS) / 1_000
      const moments = Array.from({ length: 1_000 }, (_, index) => T + (index + 1) * step)
      samplesAt(moments.slice(0, 10), step)
      const began = performance.now()
      const rows = samplesAt(moments, step)
      const ms = performance.now() - began
      expect(rows.every((row) => row !== null)).toBe(true)
      return ms
    })
    expect(took).toBeLessThan(300)
  }, 60_000)
})
