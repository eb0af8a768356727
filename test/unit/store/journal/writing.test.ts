import { describe, expect, test } from 'vitest'
import { InvariantError } from '../../../../src/base/result.ts'
import type { Observation } from '../../../../src/core/engine/model/observation.ts'
import { openStore } from '../../../../src/store/journal/open-store.ts'
import { coreConfig } from '../../../support/core-config.ts'
import {
  appendTicks,
  durable,
  entryPosted,
  fillPosted,
  freshFolder,
  midChanged,
  openFresh,
  openHere,
  tableRows,
  tick,
  valueOf,
} from '../store-fixture.ts'

const PROJECTIONS = [
  'fills',
  'ledger_entries',
  'postings',
  'quotes',
  'rates',
  'quarantine',
  'notices',
] as const

/** One observation for every table. */
const OBSERVATIONS: readonly Observation[] = [
  fillPosted('f-1'),
  entryPosted(1),
  { type: 'rowQuarantined', t: 2, row: { id: null, reason: 'unknown token', raw: '{"x":1}' } },
  midChanged(3),
  {
    type: 'quoteConfirmed',
    t: 4,
    spread: { bidBps: 60, askBps: 70, quoteBid: true, quoteAsk: false, quotePairs: ['NTZS/USDC'] },
    by: 'read-back',
  },
  { type: 'tradingStateChanged', t: 5, from: 'ACTIVE', to: 'HALTED', why: 'drawdown' },
  { type: 'reconciliationChanged', t: 6, state: 'break', why: 'balances', unreconciled: { NTZS: -5n } },
]

function allTables(folder: string): Record<string, unknown> {
  return Object.fromEntries(PROJECTIONS.map((table) => [table, tableRows(folder, table)]))
}

describe('the journal', () => {
  test('durable numbers rise, never run ahead of the disk, and reach the last one', async () => {
    const folder = freshFolder()
    const store = valueOf(await openStore(folder))
    const seen: number[] = []
    let ahead = 0
    store.onDurable((seq) => {
      seen.push(seq)
      const onDisk = tableRows(folder, 'journal').length
      if (onDisk < seq) ahead += 1
    })
    for (let turn = 0; turn < 20; turn++) {
      appendTicks(store, turn * 10 + 1, turn * 10 + 10)
      expect(store.durableSeq()).toBeLessThanOrEqual(turn * 10)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await durable(store, 200)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect([seen.at(-1), ahead, store.backlog()]).toEqual([200, 0, 0])
    await store.close()
  })

  test('a turn is one commit: its numbers become durable together', async () => {
    const store = valueOf(await openHere(freshFolder()))
    const seen: number[] = []
    store.onDurable((seq) => seen.push(seq))
    appendTicks(store, 1, 50)
    expect(store.backlog()).toBe(50)
    await durable(store, 50)
    appendTicks(store, 51, 80)
    await durable(store, 80)
    expect(seen).toEqual([50, 80])
    await store.close()
  })

  test('turns that queue up while the disk is busy are one commit', async () => {
    const store = valueOf(await openHere(freshFolder()))
    const seen: number[] = []
    store.onDurable((seq) => seen.push(seq))
    for (let seq = 1; seq <= 5; seq++) {
      store.append(seq, tick(seq))
      await Promise.resolve()
    }
    await durable(store, 5)
    expect(seen).toEqual([5])
    await store.close()
  })

  test('a number that leaves a hole is a bug of the caller', async () => {
    const store = valueOf(await openHere(freshFolder()))
    store.append(1, tick(1))
    expect(() => store.append(3, tick(3))).toThrow(InvariantError)
    expect(() => store.append(1, tick(1))).toThrow(InvariantError)
    expect(() => store.project(2, [])).toThrow('before the event')
    expect(() => store.saveSnapshot({ seq: 2, t: 2, state: '{}', digest: '' })).toThrow('before the event')
    await store.close()
    expect(() => store.append(2, tick(2))).toThrow('being closed')
  })

  test('an event with something that cannot be cloned is kept as its JSON', async () => {
    const { store } = await openFresh()
    const params = { half: 60, size: 5n, round: (x: number) => x }
    const config = coreConfig({ strategy: { use: 'own', params, sourceHash: 'h' } })
    store.append(1, { type: 'started', t: 1, version: '1', config })
    await durable(store, 1)
    const [record] = [...store.recover().tail]
    expect(record?.event).toMatchObject({ config: { strategy: { params: { half: 60, size: 5n } } } })
    expect(record?.event).not.toHaveProperty('config.strategy.params.round')
    await store.close()
  })

  test('an event that is no data at all is a failure, not a crash', async () => {
    const store = valueOf(await openHere(freshFolder()))
    const circle: { self?: unknown; f: () => void } = { f: () => undefined }
    circle.self = circle
    const failure = new Promise((resolve) => store.onFailure(resolve))
    const config = coreConfig({ strategy: { use: 'own', params: circle, sourceHash: 'h' } })
    store.append(1, { type: 'started', t: 1, version: '1', config })
    expect(await failure).toMatchObject({ kind: 'io' })
    await store.close()
  })
})

describe('the tables', () => {
  test('every observation finds its table, with book amounts as text', async () => {
    const { folder, store } = await openFresh(1)
    store.project(1, OBSERVATIONS)
    await store.close()
    expect(tableRows(folder, 'fills')).toMatchObject([
      {
        seq: 1,
        n: 0,
        venue_id: 'f-1',
        amount_in: '12345678000000000000',
        amount_out: '32100000000000000000001',
        fee: '32100000000000000000',
        fee_source: 'computed',
        mid_at_fill: '2612340000000000000000',
        formula: 'ask',
      },
    ])
    expect(tableRows(folder, 'postings').map((row) => row['amount'])).toEqual([
      '12345678000000000000',
      '-12345678000000000000',
    ])
    expect(tableRows(folder, 'quotes')).toMatchObject([
      { bid_bps: 60, quote_bid: 1, quote_ask: 0, quote_pairs: '["NTZS/USDC"]', confirmed_by: 'read-back' },
    ])
    expect(tableRows(folder, 'notices').map((row) => row['type'])).toEqual([
      'tradingStateChanged',
      'reconciliationChanged',
    ])
    expect(tableRows(folder, 'quarantine')).toMatchObject([{ reason: 'unknown token', raw: '{"x":1}' }])
  })

  test('projecting again changes nothing, in the same process and in the next', async () => {
    const { folder, store: first } = await openFresh(1)
    first.project(1, OBSERVATIONS)
    await durable(first, 1)
    const before = allTables(folder)
    first.project(1, OBSERVATIONS)
    await first.close()
    expect(allTables(folder)).toEqual(before)

    const second = valueOf(await openHere(folder))
    second.project(1, OBSERVATIONS)
    second.append(2, tick(2))
    second.project(2, [midChanged(2)])
    await second.close()
    expect(tableRows(folder, 'rates')).toHaveLength(2)
    expect({ ...allTables(folder), rates: null }).toEqual({ ...before, rates: null })
  })

  test('a replay that comes out differently does not mix into what was projected before', async () => {
    const { folder, store: first } = await openFresh(1)
    first.project(1, [midChanged(1)])
    await first.close()
    const second = valueOf(await openHere(folder))
    second.project(1, [midChanged(1), fillPosted('other code would have booked this')])
    await second.close()
    expect(tableRows(folder, 'fills')).toEqual([])
  })

  test('what a crash kept from the tables is projected by the restart', async () => {
    const { folder, store: first } = await openFresh(3)
    first.project(1, [midChanged(1)])
    await first.close()
    const second = valueOf(await openHere(folder))
    for (const { seq } of second.recover().tail) second.project(seq, [midChanged(seq)])
    await second.close()
    expect(tableRows(folder, 'rates').map((row) => row['seq'])).toEqual([1, 2, 3])
  })

  test('a venue id that comes back under another event is one fill, and the repetition is noted', async () => {
    const { folder, store } = await openFresh(2)
    store.project(1, [fillPosted('f-1')])
    store.project(2, [fillPosted('f-1')])
    await store.close()
    expect(tableRows(folder, 'fills')).toMatchObject([{ seq: 1, venue_id: 'f-1' }])
    expect(tableRows(folder, 'notices')).toMatchObject([{ seq: 2, type: 'fillRepeated' }])
  })

  test('a fill that the chain took back is no fill, and one that comes again is one, as it came then', async () => {
    const { folder, store } = await openFresh(3)
    store.project(1, [fillPosted('f-1'), entryPosted(1), fillPosted('f-2')])
    store.project(2, [entryPosted(2, 'fill-undone')])
    await store.close()
    expect(tableRows(folder, 'fills')).toMatchObject([{ seq: 1, venue_id: 'f-2' }])
    const again = valueOf(await openHere(folder))
    again.project(3, [fillPosted('f-1', { amountIn: 7n }), entryPosted(3)])
    await again.close()
    expect(tableRows(folder, 'fills')).toMatchObject([
      { seq: 1, venue_id: 'f-2' },
      { seq: 3, venue_id: 'f-1', amount_in: '7' },
    ])
    expect(tableRows(folder, 'ledger_entries').map(({ kind }) => kind)).toEqual([
      'fill',
      'fill-undone',
      'fill',
    ])
    expect(tableRows(folder, 'notices')).toEqual([])
  })

  test('the list of observations may be used again as soon as it is posted', async () => {
    const { folder, store } = await openFresh()
    const list: Observation[] = [midChanged(1)]
    store.append(1, tick(1))
    store.project(1, list)
    list.length = 0
    await store.close()
    expect(tableRows(folder, 'rates')).toHaveLength(1)
  })
})

describe('retention', () => {
  async function hundred(folder: string) {
    const store = valueOf(await openHere(folder))
    for (let seq = 1; seq <= 100; seq++) {
      store.append(seq, tick(seq))
      store.project(seq, [midChanged(seq)])
    }
    return store
  }

  test('journal rows go by age, the tables stay, and the store opens afterwards', async () => {
    const folder = freshFolder()
    const store = await hundred(folder)
    for (const seq of [60, 70, 80]) store.saveSnapshot({ seq, t: seq, state: '{}', digest: '' })
    expect(await store.prune(40)).toBe(39)
    expect(tableRows(folder, 'journal')[0]).toMatchObject({ seq: 40 })
    expect(tableRows(folder, 'rates')).toHaveLength(100)
    await store.close()
    const again = valueOf(await openHere(folder))
    expect([...again.recover().tail].map(({ seq }) => seq)[0]).toBe(81)
    await again.close()
  })

  test('nothing after the oldest kept snapshot is dropped, and nothing at all without one', async () => {
    const folder = freshFolder()
    const store = await hundred(folder)
    expect(await store.prune(1_000)).toBe(0)
    store.saveSnapshot({ seq: 30, t: 30, state: '{}', digest: '' })
    expect(await store.prune(1_000)).toBe(29)
    await store.close()
    const again = valueOf(await openHere(folder))
    expect([...again.recover().tail]).toHaveLength(70)
    await again.close()
  })

  test('a young row keeps everything after it, so that no hole appears', async () => {
    const { folder, store } = await openFresh()
    for (const [index, t] of [1, 2, 90, 3, 4, 100].entries()) store.append(index + 1, tick(t))
    store.saveSnapshot({ seq: 6, t: 100, state: '{}', digest: '' })
    expect(await store.prune(50)).toBe(2)
    await store.close()
    expect(tableRows(folder, 'journal').map((row) => row['seq'])).toEqual([3, 4, 5, 6])
  })

  test('a long journal is dropped in slices with writes in between, and closing ends it cleanly', async () => {
    const folder = freshFolder()
    const store = valueOf(await openHere(folder, { maxBacklog: 20_000 }))
    appendTicks(store, 1, 9_000)
    store.saveSnapshot({ seq: 9_000, t: 9_000, state: '{}', digest: '' })
    await durable(store, 9_000)
    const both = [store.prune(8_000), store.prune(8_500)]
    store.append(9_001, tick(9_001))
    await durable(store, 9_001)
    expect(tableRows(folder, 'journal').length).toBeGreaterThan(2_000)
    expect(await Promise.all(both)).toEqual([7_999, 500])
    const cut = store.prune(9_000)
    await store.close()
    expect(await cut).toBeLessThanOrEqual(500)
    expect(await store.prune(9_000)).toBe(0)
  })
})
