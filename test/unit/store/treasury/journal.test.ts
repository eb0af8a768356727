import { describe, expect, test } from 'vitest'
import { encodeJson } from '../../../../src/base/codec.ts'
import { openReader } from '../../../../src/store/open-reader.ts'
import { openStore } from '../../../../src/store/journal/open-store.ts'
import type { PostedStore } from '../../../../src/store/journal/posted-store.ts'
import { exportRows } from '../../../../src/store/export/export-rows.ts'
import {
  appendTicks,
  durable,
  errorOf,
  freshFolder,
  openFresh,
  openHere,
  tamper,
  valueOf,
} from '../store-fixture.ts'

function record(seq: number, body: unknown = { seq }) {
  return { seq, t: 1_000 + seq, type: 'tick', body: encodeJson(body) }
}

function treasuryDurable({ treasury }: PostedStore, seq: number): Promise<void> {
  return new Promise((resolve) => {
    if (treasury.durableSeq() >= seq) return resolve()
    treasury.onDurable((now) => now >= seq && resolve())
  })
}

const NOTICES = [
  {
    t: 1_001,
    type: 'intentMoved',
    body: encodeJson({ intent: 'i1', leg: null, from: 'planned', to: 'approved', why: '=1+1' }),
  },
  {
    t: 1_001,
    type: 'booked',
    body: encodeJson({
      intent: 'i1',
      reason: 'sent',
      postings: [
        { account: 'treasury', asset: 'NTZS', amount: -5n * 10n ** 18n },
        { account: 'transit:i1', asset: 'NTZS', amount: 5n * 10n ** 18n },
      ],
    }),
  },
]

describe("the treasury's journal", () => {
  test('has numbers of its own beside those of the position, each reported once it is durable', async () => {
    const store = valueOf(await openHere(freshFolder()))
    const received: number[] = []
    store.treasury.onDurable((seq) => received.push(seq))
    expect(store.treasury.lastSeq()).toBe(0)
    appendTicks(store, 1, 5)
    store.treasury.append(record(1))
    appendTicks(store, 6, 7)
    store.treasury.append(record(2))
    await durable(store, 7)
    await treasuryDurable(store, 2)
    expect([store.durableSeq(), store.treasury.durableSeq(), received.at(-1)]).toEqual([7, 2, 2])
    await store.close()
  })

  test('is whole after a restart, however much of the position was dropped by then', async () => {
    const { folder, store: first } = await openFresh(20)
    for (let seq = 1; seq <= 1_200; seq += 1) first.treasury.append(record(seq, { seq, amount: 10n ** 24n }))
    first.saveSnapshot({ seq: 20, t: 20, state: '{}', digest: 'd' })
    await treasuryDurable(first, 1_200)
    await first.prune(1_000_000)
    await first.close()
    const second = valueOf(await openHere(folder))
    const recovered = [...second.treasury.recover()]
    expect(second.treasury.lastSeq()).toBe(1_200)
    expect(recovered).toHaveLength(1_200)
    expect(recovered[7]).toEqual(record(8, { seq: 8, amount: 10n ** 24n }))
    second.treasury.append(record(1_201))
    await treasuryDurable(second, 1_201)
    await second.close()
    const reader = valueOf(openReader(folder))
    expect([...reader.treasury()].at(-1)?.seq).toBe(1_201)
    reader.close()
  })

  test('is lost with what was posted in the turn of a crash, and then has no number of it', async () => {
    const folder = freshFolder()
    const store = valueOf(await openStore(folder))
    store.treasury.append(record(1))
    await treasuryDurable(store, 1)
    store.treasury.append(record(2))
    await store.abandon()
    const again = valueOf(await openStore(folder))
    expect([...again.treasury.recover()].map(({ seq }) => seq)).toEqual([1])
    await again.close()
  })

  test('refuses a number that leaves a gap', async () => {
    const store = valueOf(await openHere(freshFolder()))
    expect(() => store.treasury.append(record(2))).toThrow('event 2 follows 0')
    expect(() => store.treasury.note(1, NOTICES)).toThrow('before the event')
    await store.close()
  })

  test.each([
    ['DELETE FROM treasury_journal WHERE seq = 2', 'has a hole'],
    ["UPDATE treasury_journal SET body = '{' WHERE seq = 2", 'are not JSON'],
  ])('that someone changed (%s) is a damaged store', async (sql, said) => {
    const { folder, store } = await openFresh()
    for (const seq of [1, 2, 3]) store.treasury.append(record(seq))
    await treasuryDurable(store, 3)
    await store.close()
    tamper(folder, sql)
    const failure = errorOf(await openHere(folder))
    expect(failure.kind).toBe('corrupt')
    expect(failure.message).toContain(said)
  })

  test('is empty in a store from before there was a treasury, which a reader opens without changing it', async () => {
    const { folder, store } = await openFresh(1)
    await durable(store, 1)
    await store.close()
    tamper(
      folder,
      `DROP TABLE treasury_journal; DROP TABLE treasury_notices;
       DELETE FROM kysely_migration WHERE name >= '0005-treasury'; PRAGMA user_version = 4`,
    )
    const reader = valueOf(openReader(folder))
    expect([...reader.treasury()]).toEqual([])
    expect([...reader.rows('treasury')]).toEqual([])
    reader.close()
    const migrated = valueOf(await openHere(folder))
    migrated.treasury.append(record(1))
    await treasuryDurable(migrated, 1)
    await migrated.close()
  })

  test('is exported a row a step and a row a posting, once however often it is written', async () => {
    const { folder, store } = await openFresh()
    store.treasury.append(record(1))
    store.treasury.note(1, NOTICES)
    store.treasury.note(1, NOTICES)
    await treasuryDurable(store, 1)
    await store.close()
    const reader = valueOf(openReader(folder))
    const rows = [...reader.rows('treasury')]
    expect(rows).toMatchObject([
      { event: 'intentMoved', intent: 'i1', from: 'planned', to: 'approved', why: '=1+1', account: null },
      { event: 'booked', reason: 'sent', account: 'treasury', asset: 'NTZS', amount: '-5' },
      { event: 'booked', account: 'transit:i1', amount: '5', seq: 1, n: 1 },
    ])
    let csv = ''
    valueOf(await exportRows(reader, 'treasury', 'csv', (text) => void (csv += text)))
    expect(csv).toContain("'=1+1")
    reader.close()
  })
})
