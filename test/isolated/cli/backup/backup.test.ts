import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { backup, restore } from '../../../../src/cli/backup/backup.ts'
import { backUpStore, keepBackups, readBackup, restoreStore } from '../../../../src/store/backup.ts'
import { copyStore } from '../../../../src/store/copy/copy-store.ts'
import { openReader } from '../../../../src/store/open-reader.ts'
import { storeFiles } from '../../../../src/store/store-files.ts'
import { backupDesk } from '../../../support/backup-desk.ts'
import { captured } from '../../../support/captured.ts'
import {
  appendTicks,
  durable,
  errorOf,
  freshFolder,
  openHere,
  tamper,
  valueOf,
} from '../../../unit/store/store-fixture.ts'

afterEach(() => {
  process.exitCode = 0
  vi.restoreAllMocks()
})

function lastSeqOf(folder: string): number {
  const reader = valueOf(openReader(folder))
  const last = reader.lastSeq()
  reader.close()
  return last
}

const made = (store: string, into: string, now: number) => {
  const backedUp = backUpStore(store, 'desk-1', into, now)
  if (!backedUp.ok) throw new Error(backedUp.error)
  return backedUp.value
}

describe('a backup', () => {
  test('has what is on disk while a daemon writes on, and is restored only where no store is', async () => {
    const { path, store, out } = await backupDesk()
    const { folder, manifest } = made(path, out, 1_000)
    expect(manifest).toMatchObject({ position: 'desk-1', firstSeq: 1, lastSeq: 40 })
    appendTicks(store, 41, 50)
    await store.close()
    expect([lastSeqOf(path), lastSeqOf(folder)]).toEqual([50, 40])
    const read = readBackup(folder)
    if (!read.ok) throw new Error(read.error)
    expect(restoreStore(read.value, path)).toMatchObject({
      ok: false,
      error: expect.stringContaining('folder away') as string,
    })
    rmSync(path, { recursive: true })
    expect(restoreStore(read.value, path).ok).toBe(true)
    const again = valueOf(await openHere(path))
    expect(again.recover().lastSeq).toBe(40)
    await again.close()
  })

  test('is not restored beside the log of a database that was moved away, whose events would get into it', async () => {
    const { path, store, out } = await backupDesk()
    const { folder } = made(path, out, 1_000)
    const killed = `${path}-killed`
    // What kill -9 leaves: the newest events are in the file beside the database.
    appendTicks(store, 41, 50)
    await durable(store, 50)
    cpSync(path, killed, { recursive: true })
    await store.close()
    const { database } = storeFiles(killed)
    renameSync(database, `${killed}.db`)
    expect(readdirSync(killed)).toContain('mizani.db-wal')
    expect(restoreStore({ folder }, killed)).toMatchObject({
      ok: false,
      error: expect.stringContaining(`${killed} has mizani.db-wal`) as string,
    })
    expect(errorOf(await copyStore(path, killed)).message).toContain('Move them')
    for (const end of ['-wal', '-shm']) renameSync(`${database}${end}`, `${killed}.db${end}`)
    expect(restoreStore({ folder }, killed).ok).toBe(true)
    expect(lastSeqOf(killed)).toBe(40)
  })

  test('that was altered by one byte, is of no store, or lost its manifest is not used', async () => {
    const { path, store, out } = await backupDesk()
    await store.close()
    const { folder } = made(path, out, 1_000)
    const { database } = storeFiles(folder)
    const bytes = readFileSync(database)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(database, bytes)
    const why = () => {
      const read = readBackup(folder)
      return read.ok ? '' : read.error
    }
    expect(why()).toContain('was changed')
    writeFileSync(join(folder, 'backup.json'), '{"format":"mizani-backup/9"}')
    expect(why()).toContain('not a backup of')
    rmSync(join(folder, 'backup.json'))
    expect(why()).toContain('is not a backup (')
    expect(backUpStore(freshFolder(), 'desk-1', out, 2_000).ok).toBe(false)
  })

  test('is not restored beside a running daemon', async () => {
    const { path, store, out } = await backupDesk()
    const backedUp = made(path, out, 1_000)
    expect(restoreStore(backedUp, path)).toMatchObject({
      ok: false,
      error: expect.stringContaining('stop it first') as string,
    })
    await store.close()
  })

  test('leaves when newer ones are as many as are kept, and no other folder does', async () => {
    const { path, store, out } = await backupDesk()
    await store.close()
    const folders = [1_000, 2_000, 3_000].map((now) => made(path, out, now).folder)
    const other = backUpStore(path, 'desk-2', out, 500)
    expect(keepBackups(out, 'desk-1', 2)).toEqual([folders[0]])
    expect(readdirSync(out)).toHaveLength(3)
    expect(other.ok && existsSync(other.value.folder)).toBe(true)
  })
})

describe('the commands', () => {
  test('back up with a drill that controls finds, keep as many as asked, and restore', async () => {
    const { file, path, store, out } = await backupDesk()
    const first = await captured(() => backup({ config: file, out, keep: 1, drill: true }))
    expect(first).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('40 events') as string,
    })
    const second = await captured(() => backup({ config: file, out, keep: 1, json: true }))
    const { folder, removed } = JSON.parse(second.text) as { folder: string; removed: readonly string[] }
    expect(removed).toHaveLength(1)
    expect(readdirSync(join(out, 'desk-1'))).toHaveLength(1)
    const drills = JSON.parse(readFileSync(join(path, 'drills.json'), 'utf8')) as unknown
    expect(drills).toMatchObject([{ name: 'restore', passed: true, noticeMs: null }])
    await store.close()
    expect(await captured(() => restore({ config: file, from: folder }))).toMatchObject({ exitCode: 1 })
    rmSync(path, { recursive: true })
    const restored = await captured(() => restore({ config: file, from: folder }))
    expect(restored).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('event 40') as string,
    })
    expect(lastSeqOf(path)).toBe(40)
  })

  test('report a backup that cannot be restored, and keep the older ones', async () => {
    const { file, path, store, out } = await backupDesk()
    await captured(() => backup({ config: file, out }))
    await store.close()
    tamper(path, 'DELETE FROM journal WHERE seq = 20')
    const { text, exitCode } = await captured(() => backup({ config: file, out, keep: 1, drill: true }))
    expect([exitCode, text]).toEqual([1, expect.stringContaining('cannot be restored')])
    expect(readdirSync(join(out, 'desk-1'))).toHaveLength(2)
    expect(readFileSync(join(path, 'drills.json'), 'utf8')).toContain('"passed":false')
  })

  test('do not restore the backup of another position', async () => {
    const { file, path, store, out } = await backupDesk()
    await store.close()
    const other = backUpStore(path, 'desk-2', out, 1_000)
    if (!other.ok) throw new Error(other.error)
    rmSync(path, { recursive: true })
    expect(await captured(() => restore({ config: file, from: other.value.folder }))).toMatchObject({
      exitCode: 1,
      text: 'the backup is of desk-2, and the configuration of desk-1\n',
    })
  })

  test('back up the signer’s file with the store, and restore it where none is', async () => {
    const { file, path, store, out } = await backupDesk()
    const { signer } = storeFiles(path)
    // A signer that runs: what it counted last is in the log beside its file.
    const db = new DatabaseSync(signer)
    const count = (to: string) =>
      db.exec(
        `PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS signed (salt TEXT); INSERT INTO signed VALUES ('${to}')`,
      )
    count('one')
    const { out: printed } = await captured(() => backup({ config: file, out, drill: true, json: true }))
    const made = JSON.parse(printed) as { folder: string; signer: { sha256: string } }
    expect(made.signer.sha256).toMatch(/^[0-9a-f]{64}$/)
    count('two')
    db.close()
    await store.close()
    const counted = () => {
      const reading = new DatabaseSync(signer, { readOnly: true })
      const rows = reading.prepare('SELECT salt FROM signed').all()
      reading.close()
      return rows.map(({ salt }) => salt)
    }
    rmSync(join(path, 'mizani.db'))
    expect(await captured(() => restore({ config: file, from: made.folder }))).toMatchObject({ exitCode: 0 })
    expect(counted()).toEqual(['one', 'two'])
    rmSync(path, { recursive: true })
    expect(await captured(() => restore({ config: file, from: made.folder }))).toMatchObject({ exitCode: 0 })
    expect(counted()).toEqual(['one'])
    const copy = storeFiles(made.folder).signer
    const bytes = readFileSync(copy)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(copy, bytes)
    expect(readBackup(made.folder)).toMatchObject({
      ok: false,
      error: expect.stringContaining('was changed') as string,
    })
  })
})
