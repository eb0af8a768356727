import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { openHistory } from '../../../../src/store/history/open-history.ts'
import {
  durable,
  errorOf,
  fillPosted,
  midChanged,
  openFresh,
  openHere,
  tableRows,
  tamper,
  valueOf,
} from '../store-fixture.ts'
import { MINUTE_MS, T, reading, sample, storeWith } from './sample-store.ts'

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
    const { folder, store } = await openFresh(1)
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
      `UPDATE fills SET amount_in = substr(amount_in, 1, length(amount_in) - 12);
       DROP TABLE samples; DROP INDEX rates_by_time; DROP INDEX fills_by_time; DROP INDEX notices_by_type;
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
