import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { JournalReply } from '../../../../src/store/journal-messages.ts'
import { createPostedStore } from '../../../../src/store/journal/posted-store.ts'
import { openReader } from '../../../../src/store/open-reader.ts'
import { openStore } from '../../../../src/store/journal/open-store.ts'
import { type StoreFailure, storeFailureOf } from '../../../../src/store/failure.ts'
import {
  appendTicks,
  durable,
  entryPosted,
  freshFolder,
  midChanged,
  openFresh,
  openHere,
  tableRows,
  tick,
  valueOf,
} from '../store-fixture.ts'

/** An event of about a kilobyte. */
function bulky(t: number) {
  return { type: 'account', t, request: t, isActive: true, walletAddress: 'w'.repeat(1_000) } as const
}

describe('a disk that fills up', () => {
  test('is reported once, and nothing is acknowledged afterwards', async () => {
    const folder = freshFolder()
    const store = valueOf(await openStore(folder, { maxBytes: 300_000 }))
    const failures: StoreFailure[] = []
    const acknowledgedAfter: number[] = []
    store.onDurable((seq) => failures.length > 0 && acknowledgedAfter.push(seq))
    const failed = new Promise<void>((resolve) => {
      store.onFailure((failure) => {
        failures.push(failure)
        resolve()
      })
    })
    // One event by itself first: a group that fills the disk is refused whole.
    let seq = 1
    store.append(seq, bulky(seq))
    store.project(seq, [midChanged(seq), entryPosted(seq)])
    await durable(store, seq)
    while (failures.length === 0) {
      for (let i = 0; i < 20; i++) store.append(++seq, bulky(seq))
      store.project(seq, [midChanged(seq), entryPosted(seq)])
      await new Promise((resolve) => setImmediate(resolve))
    }
    await failed
    const acknowledged = store.durableSeq()
    for (let i = 0; i < 100; i++) store.append(++seq, bulky(seq))
    store.project(seq, [midChanged(seq)])
    expect(await store.prune(Number.MAX_SAFE_INTEGER)).toBe(0)
    await store.close()

    expect(failures.map(({ kind }) => kind)).toEqual(['disk-full'])
    expect(failures[0]?.message).toContain('free some space')
    expect(acknowledgedAfter).toEqual([])
    expect(store.durableSeq()).toBe(acknowledged)
    // Every commit is whole: what is on disk is what was acknowledged, and the tables never run ahead.
    expect(tableRows(folder, 'journal')).toHaveLength(acknowledged)
    expect(tableRows(folder, 'rates').at(-1)?.['seq']).toBe(acknowledged)

    const again = valueOf(await openStore(folder))
    expect(again.recover().lastSeq).toBe(acknowledged)
    again.append(acknowledged + 1, tick(1))
    await durable(again, acknowledged + 1)
    await again.close()
  })

  test('that had room for a part of its tables only opens as if nothing had been there, once there is room', async () => {
    const pageBytes = 4_096
    for (let pages = 2; pages < 100; pages += 3) {
      const folder = freshFolder()
      const half = await openHere(folder, { maxBytes: pages * pageBytes })
      if (half.ok) return await half.value.close()
      await valueOf(await openHere(folder)).close()
    }
    expect.fail('the tables never had room')
  })

  test('refuses to open a store that has no room for its tables', async () => {
    expect(await openHere(freshFolder(), { maxBytes: 8_192 })).toMatchObject({
      ok: false,
      error: { kind: 'disk-full' },
    })
  })

  test('who asks late learns of the failure too', async () => {
    const store = valueOf(await openHere(freshFolder(), { maxBytes: 150_000 }))
    await new Promise<unknown>((resolve) => {
      store.onFailure(resolve)
      for (let seq = 1; seq <= 300; seq++) store.append(seq, bulky(seq))
    })
    const late = await new Promise<StoreFailure>((resolve) => store.onFailure(resolve))
    expect(late.kind).toBe('disk-full')
    expect(store.durableSeq()).toBe(0)
    await store.close()
  })
})

describe('a writer that cannot go on', () => {
  test('more events than allowed without being durable is a failure', async () => {
    const store = valueOf(await openHere(freshFolder(), { maxBacklog: 10 }))
    const failures: StoreFailure[] = []
    store.onFailure((failure) => failures.push(failure))
    appendTicks(store, 1, 10)
    expect(failures).toEqual([])
    appendTicks(store, 11, 12)
    expect(failures).toMatchObject([{ kind: 'io' }])
    expect(failures[0]?.message).toContain('11 events wait')
    await store.close()
    expect(store.durableSeq()).toBe(0)
  })

  test('a journal thread that dies is a failure, and closing does not wait for it', async () => {
    for (const [name, value, said] of [
      ['error', new Error('out of memory'), 'died: out of memory'],
      ['exit', 1, 'ended by itself'],
    ] as const) {
      const thread = new EventEmitter()
      const store = createPostedStore({
        thread: { postMessage: () => undefined, on: thread.on.bind(thread) as never },
        reader: {} as never,
        closeReader: () => undefined,
        last: { lastSeq: 0, treasurySeq: 0 },
        maxBacklog: 10,
      })
      const failures: StoreFailure[] = []
      const received: number[] = []
      store.onFailure((failure) => failures.push(failure))
      store.onDurable((seq) => received.push(seq))
      const pruned = store.prune(5)
      thread.emit(name, value)
      thread.emit('exit', 1)
      thread.emit('message', { type: 'durable', seq: 4, treasurySeq: 0 } satisfies JournalReply)
      expect(failures).toMatchObject([{ kind: 'io' }])
      expect(failures[0]?.message).toContain(said)
      expect([await pruned, received, store.durableSeq()]).toEqual([0, [], 0])
      await store.close()
    }
  })

  test('tables changed by another program under our hands are a failure that says so', async () => {
    const { folder, store } = await openFresh()
    const reader = valueOf(openReader(folder))
    store.append(1, tick(1))
    await durable(store, 1)
    const failure = new Promise<StoreFailure>((resolve) => store.onFailure(resolve))
    const { DatabaseSync } = await import('node:sqlite')
    const intruder = new DatabaseSync(`${folder}/mizani.db`)
    intruder.exec("INSERT INTO journal VALUES (2, 2, 'tick', '{}')")
    store.append(2, tick(2))
    expect(await failure).toMatchObject({ kind: 'io' })
    expect(store.durableSeq()).toBe(1)
    reader.close()
    // Final, also when the cause goes away: what was posted meanwhile was never promised.
    intruder.exec('DELETE FROM journal WHERE seq = 2')
    intruder.close()
    store.saveSuspension({ seq: 2, reason: 'late' })
    await store.close()
    expect(tableRows(folder, 'suspensions')).toEqual([])
  })
})

describe('errors become failures', () => {
  const sqlite = (errcode: number) => Object.assign(new Error('words'), { code: 'ERR_SQLITE_ERROR', errcode })
  test.each([
    [sqlite(11), 'corrupt'],
    [sqlite(26), 'corrupt'],
    [sqlite(11 + 256), 'corrupt'],
    [sqlite(13), 'disk-full'],
    [sqlite(10), 'io'],
    [sqlite(5), 'io'],
    [Object.assign(new Error('no space'), { code: 'ENOSPC' }), 'disk-full'],
    [Object.assign(new Error('quota'), { code: 'EDQUOT' }), 'disk-full'],
    [Object.assign(new Error('denied'), { code: 'EACCES' }), 'io'],
    ['a thrown text', 'io'],
  ])('%s is %s', (error, kind) => {
    const folder = freshFolder()
    const failure = storeFailureOf(error, folder)
    expect(failure.kind).toBe(kind)
    expect(failure.message).toContain(folder)
  })

  test('an I/O error in a folder that is gone is not taken for a full disk', () => {
    expect(storeFailureOf(sqlite(10), '/no/such/folder').kind).toBe('io')
  })
})
