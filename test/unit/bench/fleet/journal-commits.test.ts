import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitsBetween, commitsOf, readSizes, readWals } from '../../../../bench/fleet/journal-commits.ts'

test('the commits of a store are those that SQLite made, whatever each of them wrote', () => {
  const stores = mkdtempSync(join(tmpdir(), 'mizani-wal-'))
  mkdirSync(join(stores, 'one'))
  const db = new DatabaseSync(join(stores, 'one', 'mizani.db'))
  try {
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (text TEXT); CREATE TABLE journal (seq INTEGER)')
    db.exec('INSERT INTO journal VALUES (41)')
    const before = readWals(stores, ['one'])
    const sizeBefore = readSizes(stores, ['one'])
    const insert = db.prepare('INSERT INTO rows VALUES (?)')
    for (let nth = 0; nth < 7; nth++) {
      db.exec('BEGIN')
      // Several pages a transaction, so that frames without a commit are among them.
      for (let row = 0; row <= nth; row++) insert.run('x'.repeat(5_000))
      db.exec('COMMIT')
    }
    const after = readWals(stores, ['one'])
    const size = readSizes(stores, ['one'])
    expect(size.events).toBe(41)
    // Also what is in the write-ahead log alone: 28 rows of 5,000 bytes.
    expect(size.bytes - sizeBefore.bytes).toBeGreaterThan(140_000)
    expect(commitsBetween(before, after)).toBe(7)
    db.exec('PRAGMA wal_checkpoint(RESTART)')
    insert.run('one more')
    expect(commitsBetween(after, readWals(stores, ['one']))).toBeNull()
    expect(readWals(stores, ['one']).get('one')?.commits).toBe(1)
  } finally {
    db.close()
    rmSync(stores, { recursive: true })
  }
})

test('a write-ahead log that is empty or cut off inside a frame has the commits before', () => {
  expect(commitsOf(new Uint8Array())).toEqual({ salts: '', commits: 0 })
  expect(commitsOf(new Uint8Array(40))).toMatchObject({ commits: 0 })
})
