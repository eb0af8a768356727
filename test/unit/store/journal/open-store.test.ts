import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readLockState } from '../../../../src/store/store-lock.ts'
import { openStore } from '../../../../src/store/journal/open-store.ts'
import { storeFiles } from '../../../../src/store/store-files.ts'
import {
  appendTicks,
  durable,
  errorOf,
  freshFolder,
  midChanged,
  openFresh,
  openHere,
  tableRows,
  tamper,
  tick,
  valueOf,
} from '../store-fixture.ts'

describe('opening', () => {
  test('a folder that is not there becomes an empty store', async () => {
    const folder = join(freshFolder(), 'deep', 'data')
    const store = valueOf(await openStore(folder))
    const { snapshot, tail, suspensions, lastSeq } = store.recover()
    expect([snapshot, [...tail], suspensions, lastSeq, store.durableSeq()]).toEqual([null, [], [], 0, 0])
    await store.close()
  })

  test('what was durable is there after a restart: latest snapshot, journal after it, suspensions', async () => {
    const { folder, store: first } = await openFresh(5)
    first.saveSnapshot({ seq: 2, t: 2, state: '{"a":{"$n":"1"}}', digest: 'aa' })
    first.saveSnapshot({ seq: 3, t: 3, state: '{"a":{"$n":"2"}}', digest: 'bb' })
    first.saveSuspension({ seq: 5, reason: 'it hung' })
    await durable(first, 5)
    await first.close()

    const second = valueOf(await openHere(folder))
    const { snapshot, tail, suspensions, lastSeq } = second.recover()
    expect(snapshot).toEqual({ seq: 3, t: 3, state: '{"a":{"$n":"2"}}', digest: 'bb' })
    expect([...tail]).toEqual([
      { seq: 4, event: tick(4) },
      { seq: 5, event: tick(5) },
    ])
    expect(suspensions).toEqual([{ seq: 5, reason: 'it hung' }])
    expect([lastSeq, second.durableSeq()]).toEqual([5, 5])
    await second.close()
  })

  test('closing writes what was posted in the same turn', async () => {
    const folder = freshFolder()
    const store = valueOf(await openStore(folder))
    appendTicks(store, 1, 100)
    await store.close()
    expect(tableRows(folder, 'journal')).toHaveLength(100)
  })

  test('only the last three snapshots are kept', async () => {
    const { folder, store } = await openFresh(9)
    for (let seq = 1; seq <= 9; seq++) store.saveSnapshot({ seq, t: seq, state: '{}', digest: `${seq}` })
    await store.close()
    expect(tableRows(folder, 'snapshots').map((row) => row['seq'])).toEqual([7, 8, 9])
  })
})

describe('the lock', () => {
  test('a second daemon is refused and told who has the store, until the first one closes', async () => {
    const folder = freshFolder()
    const first = valueOf(await openStore(folder))
    const refusal = errorOf(await openStore(folder))
    expect(refusal.kind).toBe('locked')
    expect(refusal.message).toMatch(
      new RegExp(`held by process ${process.pid}, started \\d{4}-\\d\\d-\\d\\dT.*Z`),
    )
    const state = readLockState(folder)
    expect(state).toMatchObject({ ok: true, value: { held: true, holder: { pid: process.pid } } })
    await first.close()
    expect(readLockState(folder)).toEqual({ ok: true, value: { held: false, holder: null } })
    const third = valueOf(await openStore(folder))
    await third.close()
  })

  test('without its note the lock is still held, by another process', async () => {
    const { folder, store } = await openFresh()
    writeFileSync(storeFiles(folder).holder, 'not json')
    expect(readLockState(folder)).toEqual({ ok: true, value: { held: true, holder: null } })
    expect(errorOf(await openHere(folder)).message).toContain('another process')
    writeFileSync(storeFiles(folder).holder, '[]')
    expect(readLockState(folder)).toEqual({ ok: true, value: { held: true, holder: null } })
    await store.close()
  })

  test('a folder that never was a store is held by no one', () => {
    expect(readLockState(freshFolder())).toEqual({ ok: true, value: { held: false, holder: null } })
  })

  test('a lock that is no database is reported, not guessed', () => {
    const folder = freshFolder()
    writeFileSync(storeFiles(folder).lock, 'x'.repeat(4096))
    expect(readLockState(folder)).toMatchObject({ ok: false, error: { kind: 'corrupt' } })
  })

  test('a store that is refused lets go of its lock', async () => {
    const folder = freshFolder()
    writeFileSync(storeFiles(folder).database, 'this is not a database'.repeat(100))
    expect(errorOf(await openHere(folder)).kind).toBe('corrupt')
    expect(readLockState(folder)).toEqual({ ok: true, value: { held: false, holder: null } })
  })
})

describe('what cannot be opened', () => {
  async function storeOfTen(folder: string): Promise<void> {
    const store = valueOf(await openHere(folder))
    appendTicks(store, 1, 10)
    store.project(10, [midChanged(10)])
    store.saveSnapshot({ seq: 4, t: 4, state: '{}', digest: 'x' })
    await store.close()
  }

  test('a store of a newer version is refused and left as it is', async () => {
    const folder = freshFolder()
    await storeOfTen(folder)
    tamper(folder, 'PRAGMA user_version = 7')
    const failure = errorOf(await openStore(folder))
    expect(failure.kind).toBe('newer-version')
    expect(failure.message).toMatch(/version 7 .* up to 6/)
    expect(tableRows(folder, 'journal')).toHaveLength(10)
  })

  test.each([
    ['a hole in the journal', 'DELETE FROM journal WHERE seq = 7', 'hole between event 4 and event 10'],
    ['a journal that begins too late', 'DELETE FROM journal WHERE seq < 6', 'hole between event 4'],
    [
      'an event that is no JSON',
      "UPDATE journal SET body = '{' WHERE seq = 9",
      '1 journal rows are not JSON',
    ],
    ['a snapshot that is cut off', "UPDATE snapshots SET state = '{'", 'snapshot of event 4 does not parse'],
    ['a lost journal', 'DELETE FROM journal', 'hole'],
    [
      'a snapshot from the future',
      "INSERT INTO snapshots VALUES (12, 12, '{}', 'x', 1)",
      'ends before the snapshot of event 12',
    ],
  ])('%s is refused as damage, with what to do', async (_what, sql, reason) => {
    const folder = freshFolder()
    await storeOfTen(folder)
    tamper(folder, sql)
    const failure = errorOf(await openHere(folder))
    expect(failure.kind).toBe('corrupt')
    expect(failure.message).toContain(reason)
    expect(failure.message).toMatch(/from a backup/)
  })

  test('a file that is no database is refused as damage by the real thread too', async () => {
    const folder = freshFolder()
    writeFileSync(storeFiles(folder).database, 'garbage '.repeat(1_000))
    const failure = errorOf(await openStore(folder))
    expect(failure.kind).toBe('corrupt')
    expect(failure.message).toContain(folder)
  })

  test('a path that cannot be a folder is an I/O failure that names it', async () => {
    const folder = join(freshFolder(), 'file')
    writeFileSync(folder, '')
    const failure = errorOf(await openHere(join(folder, 'data')))
    expect(failure.kind).toBe('io')
    expect(failure.message).toContain(join(folder, 'data'))
  })

  test('a database that is a folder is an I/O failure', async () => {
    const folder = freshFolder()
    mkdirSync(storeFiles(folder).database)
    expect(errorOf(await openHere(folder)).kind).toBe('io')
    mkdirSync(join(folder, 'other'))
    mkdirSync(storeFiles(join(folder, 'other')).lock)
    expect(errorOf(await openHere(join(folder, 'other'))).kind).toBe('io')
    expect(readLockState(join(folder, 'other'))).toMatchObject({ ok: false, error: { kind: 'io' } })
  })
})
