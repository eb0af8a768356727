import { expect, test } from 'vitest'
import { openReader } from '../../../src/store/open-reader.ts'
import { StoreReadError } from '../../../src/store/failure.ts'
import { readActionChain } from '../../../src/store/tables/operator-actions.ts'
import {
  appendTicks,
  durable,
  entryPosted,
  errorOf,
  fillPosted,
  midChanged,
  tick,
  valueOf,
} from '../../unit/store/store-fixture.ts'
import { change, freshPlace, open, type StoreKind } from './both-stores.ts'

const snapshotAt = (seq: number) => ({ seq, t: seq, state: `{"at":${seq}}`, digest: `d${seq}` })

/** Adds the tests that a store passes whichever database keeps it. */
export function testStore(kind: StoreKind): void {
  test('gives back after a restart what was durable: bigints to the last unit, the latest snapshot, suspensions', async () => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    const rate = { type: 'rate', t: 3, mid: 2_612_345_678_901_234_567_890n } as never
    appendTicks(store, 1, 2)
    store.append(3, rate)
    store.saveSnapshot(snapshotAt(2))
    store.saveSuspension({ seq: 4, reason: "it hung; isn't it '\\' clear" })
    await durable(store, 3)
    await store.close()
    const again = valueOf(await open(place))
    const { snapshot, tail, suspensions, lastSeq } = again.recover()
    expect({ snapshot, tail: [...tail], suspensions, lastSeq }).toEqual({
      snapshot: snapshotAt(2),
      tail: [{ seq: 3, event: rate }],
      suspensions: [{ seq: 4, reason: "it hung; isn't it '\\' clear" }],
      lastSeq: 3,
    })
    expect(again.durableSeq()).toBe(3)
  })

  test('reports durable numbers that rise to the last one, and commits what waits together', async () => {
    const store = valueOf(await open(freshPlace(kind)))
    const received: number[] = []
    store.onDurable((seq) => received.push(seq))
    appendTicks(store, 1, 5_000)
    await durable(store, 5_000)
    expect(received).toEqual([...received].sort((a, b) => a - b))
    expect(received.at(-1)).toBe(5_000)
    expect(received.length).toBeLessThan(50)
    expect(store.backlog()).toBe(0)
  })

  test('forgets what was posted in the turn of a crash, and continues without a hole', async () => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    appendTicks(store, 1, 3)
    await durable(store, 3)
    appendTicks(store, 4, 9)
    await store.abandon()
    const again = valueOf(await open(place))
    expect(again.durableSeq()).toBe(3)
    appendTicks(again, 4, 4)
    await durable(again, 4)
  })

  test('keeps three snapshots, and prunes no event that the oldest of them needs', async () => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    appendTicks(store, 1, 50)
    for (const seq of [10, 20, 30, 40]) store.saveSnapshot(snapshotAt(seq))
    await durable(store, 50)
    expect(await store.prune(15)).toBe(14)
    expect(await store.prune(45)).toBe(5)
    expect(await store.prune(1_000)).toBe(0)
    const reader = valueOf(openReader(place))
    expect([reader.firstSeq(), reader.oldestSnapshot()?.seq, reader.lastSeq()]).toEqual([20, 20, 50])
    expect(() => [...reader.journal(5)]).toThrow(/events from 20 on/)
    reader.close()
  })

  test('prunes nothing before the first snapshot', async () => {
    const store = valueOf(await open(freshPlace(kind)))
    appendTicks(store, 1, 20)
    await durable(store, 20)
    expect(await store.prune(1_000)).toBe(0)
  })

  test('has a fill once, lists a repeated id, and takes back a fill that a reorganisation undid', async () => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    appendTicks(store, 1, 4)
    store.project(1, [fillPosted('f-1'), entryPosted(1)])
    store.project(1, [fillPosted('f-1'), entryPosted(1)])
    store.project(2, [fillPosted('f-1')])
    store.project(3, [entryPosted(2, 'fill-undone')])
    store.project(4, [fillPosted('f-1'), fillPosted('f-2')])
    await durable(store, 4)
    await store.close()
    const reader = valueOf(openReader(place))
    const fills = [...reader.rows('fills')].map(({ id, seq, amountOut }) => [id, seq, amountOut])
    expect(fills).toEqual([
      ['f-1', 4, '32100.000000000000000001'],
      ['f-2', 4, '32100.000000000000000001'],
    ])
    expect([...reader.rows('ledger')].map(({ entry, amount }) => [entry, amount])).toEqual([
      [1, '12.345678'],
      [1, '-12.345678'],
      [2, '12.345678'],
      [2, '-12.345678'],
    ])
    reader.close()
  })

  test('projects an event once: a replay by other code mixes nothing into history', async () => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    appendTicks(store, 1, 1)
    store.project(1, [midChanged(1_000)])
    await durable(store, 1)
    await store.close()
    const again = valueOf(await open(place))
    again.project(1, [midChanged(1_000), midChanged(2_000)])
    appendTicks(again, 2, 2)
    again.project(2, [midChanged(3_000)])
    await durable(again, 2)
    await again.close()
    const reader = valueOf(openReader(place))
    expect([...reader.rows('rates')].map(({ seq }) => seq)).toEqual([1, 2])
    reader.close()
  })

  test("chains operators' actions, over restarts, so that a changed row shows", async () => {
    const place = freshPlace(kind)
    const action = (who: string, t: number) =>
      ({ type: 'operator', t, who, why: 'test', command: 'pause', accepted: true, answer: 'paused' }) as const
    for (const [index, who] of ['anna', 'juma', 'zuri'].entries()) {
      const store = valueOf(await open(place))
      store.append(index + 1, { type: 'operator', t: index, who, why: 'test', command: { name: 'pause' } })
      store.project(index + 1, [action(who, index)])
      await durable(store, index + 1)
      await store.close()
    }
    const chain = valueOf(readActionChain(place))
    expect(chain.problems).toEqual([])
    expect(chain.actions.map(({ who }) => who)).toEqual(['anna', 'juma', 'zuri'])
    await change(place, "UPDATE operator_actions SET body = replace(body, 'juma', 'jama') WHERE seq = 2")
    expect(valueOf(readActionChain(place)).problems.join()).toContain('event 2 was changed')
  })

  test("keeps the treasury's journal beside that of the position, with numbers of its own", async () => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    const record = (seq: number) => ({ seq, t: seq, type: 'tick', body: `{"seq":${seq}}` })
    appendTicks(store, 1, 2)
    store.treasury.append(record(1))
    store.treasury.append(record(2))
    store.treasury.note(2, [{ t: 2, type: 'intentMoved', body: '{"intent":"i1","to":"approved"}' }])
    await store.close()
    const again = valueOf(await open(place))
    expect([...again.treasury.recover()]).toEqual([record(1), record(2)])
    expect(again.treasury.lastSeq()).toBe(2)
    const reader = valueOf(openReader(place))
    expect([...reader.rows('treasury')]).toMatchObject([{ event: 'intentMoved', to: 'approved', seq: 2 }])
    reader.close()
  })

  test('keeps texts that a venue may send, whatever is in them', async () => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    const odd = `a'b"c\\d;--$1 ?\u0000 \ud800 \u{1F600}`
    store.append(1, { ...tick(1), note: odd } as never)
    store.project(1, [
      fillPosted('f-1', { earnedText: odd, raw: JSON.stringify(odd) }),
      { type: 'rowQuarantined', t: 1, row: { id: odd, reason: odd, raw: JSON.stringify(odd) } } as never,
    ])
    await durable(store, 1)
    const [first] = store.recover().tail
    expect(first?.event).toEqual({ ...tick(1), note: odd })
    const reader = valueOf(openReader(place))
    const [fill] = reader.rows('fills')
    expect(String(fill?.['earned'])).toContain(`a'b"c\\d;--$1 ?`)
    expect(JSON.parse(String(fill?.['raw']))).toBe(odd)
    reader.close()
  })

  test('refuses a second writer while the first one lives, and names it', async () => {
    const place = freshPlace(kind)
    valueOf(await open(place))
    const second = errorOf(await open(place))
    expect(second.kind).toBe('locked')
    expect(second.message).toContain(`process ${process.pid}`)
  })

  test('refuses tables of a newer mizani and changes nothing of them', async () => {
    const place = freshPlace(kind)
    await valueOf(await open(place)).close()
    await change(
      place,
      kind === 'SQLite'
        ? 'PRAGMA user_version = 99'
        : "UPDATE meta SET value = '99' WHERE key = 'schemaVersion'",
    )
    expect(errorOf(await open(place))).toMatchObject({ kind: 'newer-version' })
    expect(errorOf(openReader(place))).toMatchObject({ kind: 'newer-version' })
  })

  test.each([
    ['DELETE FROM journal WHERE seq = 2', 'the journal has a hole'],
    ['DELETE FROM journal WHERE seq > 2', 'a hole between event 3 and event 0'],
    ["UPDATE snapshots SET state = '{'", 'the snapshot of event 3 does not parse'],
    ['DELETE FROM treasury_journal WHERE seq = 1', "the treasury's journal has a hole"],
  ])('that someone changed (%s) is a damaged store', async (sql, why) => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    appendTicks(store, 1, 4)
    for (const seq of [1, 2]) store.treasury.append({ seq, t: seq, type: 'tick', body: '{}' })
    if (!sql.includes('seq = 2')) store.saveSnapshot(snapshotAt(3))
    await durable(store, 4)
    await store.close()
    await change(place, sql)
    const failure = errorOf(await open(place))
    expect(failure).toMatchObject({ kind: 'corrupt' })
    expect(failure.message).toContain(why)
  })

  test('that has never been opened is no store to a reader', () => {
    const place = freshPlace(kind)
    expect(errorOf(openReader(place)).message).toContain('no store in')
    expect(readActionChain(place)).toMatchObject({ ok: false })
  })

  test('ends a reader in the middle with an error of its own where rows have gone', async () => {
    const place = freshPlace(kind)
    const store = valueOf(await open(place))
    appendTicks(store, 1, 5)
    await store.close()
    await change(place, 'DELETE FROM journal WHERE seq = 4')
    const reader = valueOf(openReader(place))
    expect(() => [...reader.journal(1)]).toThrow(StoreReadError)
    reader.close()
  })
}
