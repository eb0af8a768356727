import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { err, ok, type Result } from '../base/result.ts'
import { type FileLock, isBusy, takeFileLock } from '../base/lock/file-lock.ts'
import { type StoreFailure, storeFailureOf } from './failure.ts'
import { type StoreFiles, storeFiles } from './store-files.ts'
import { DatabaseSync } from 'node:sqlite'

export type StoreLock = { readonly release: () => void }

/** `inspectLock` holds the lock for some microseconds, which must not refuse a daemon's start. */
const PATIENCE_MS = 250

/** Locks the store for this process, or returns a failure that names the holder. */
export function takeStoreLock(files: StoreFiles, holder: LockHolder): Result<StoreLock, StoreFailure> {
  let held: FileLock | null = null
  try {
    const lock = takeFileLock(files.lock, PATIENCE_MS)
    if (!lock.ok) return err(lockedBy(files))
    held = lock.value
    writeFileSync(files.holder, `${JSON.stringify(holder)}\n`)
    return ok({
      release() {
        // Removes the note before the lock: the other order could remove the next holder's note.
        rmSync(files.holder, { force: true })
        held?.release()
      },
    })
  } catch (error) {
    held?.release()
    return err(storeFailureOf(error, files.folder))
  }
}

/** Returns a sentence that names the process that holds the store; null = free, or it cannot be read. */
export function storeInUse(folder: string): string | null {
  const lock = readLockState(folder)
  return lock.ok && lock.value.held ? lockedBy(storeFiles(folder)).message : null
}

function lockedBy(files: StoreFiles): StoreFailure {
  const holder = readLockHolder(files.holder)
  const who = holder === null ? 'another process' : `process ${holder.pid}, started ${holder.startedAt}`
  return {
    kind: 'locked',
    message: `the store in ${files.folder} is held by ${who}: one daemon per store; stop that one first, or give this one another store`,
  }
}

type LockState = {
  /** Whether a daemon has the store open. */
  readonly held: boolean
  /** Null when the lock is free, or when the note is missing. */
  readonly holder: LockHolder | null
}

/** Reads the lock itself, not the note, so that a daemon killed with -9 does not count as running. */
export function readLockState(folder: string): Result<LockState, StoreFailure> {
  const files = storeFiles(folder)
  if (!existsSync(files.lock)) return ok({ held: false, holder: null })
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(files.lock, { readOnly: true })
    db.prepare('SELECT count(*) FROM sqlite_master').get()
    return ok({ held: false, holder: null })
  } catch (error) {
    if (isBusy(error)) return ok({ held: true, holder: readLockHolder(files.holder) })
    return err(storeFailureOf(error, folder))
  } finally {
    db?.close()
  }
}

/** The process that opened the store, from the note next to the lock. A killed process leaves its note behind. */
type LockHolder = { readonly pid: number; readonly startedAt: string }

/** Reads the note; null if it is missing or was not written by a daemon. */
function readLockHolder(file: string): LockHolder | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // The file is information only: the lock itself shows whether it is held.
    return null
  }
  if (typeof parsed !== 'object' || parsed === null) return null
  const { pid, startedAt } = parsed as { readonly pid?: unknown; readonly startedAt?: unknown }
  return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null
}
