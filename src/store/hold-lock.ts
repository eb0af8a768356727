import { rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../base/result.ts'
import { readLockHolder, type LockHolder } from './lock-holder.ts'
import { storeFailureOf } from './store-failure-of.ts'
import type { StoreFiles } from './store-files.ts'
import type { StoreFailure } from './store.ts'

export type HeldLock = { readonly release: () => void }

const SQLITE_BUSY = 5
/** `inspectLock` touches the lock for some microseconds: wait that out rather than refuse a daemon's start. */
const PATIENCE_MS = 250

/**
 * Takes the store for this process, or says who has it. The lock is an exclusive transaction that is never
 * ended: the operating system releases it with the process, so kill -9 leaves nothing to clean up.
 */
export function holdLock(files: StoreFiles, holder: LockHolder): Result<HeldLock, StoreFailure> {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(files.lock, { timeout: PATIENCE_MS })
    db.exec('BEGIN EXCLUSIVE')
    writeFileSync(files.holder, `${JSON.stringify(holder)}\n`)
  } catch (error) {
    db?.close()
    return err(isBusy(error) ? lockedBy(files) : storeFailureOf(error, files.folder))
  }
  const held = db
  return ok({
    release() {
      // First the note, then the lock: the other way round could remove the next holder's note.
      rmSync(files.holder, { force: true })
      held.close()
    },
  })
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as Error & { readonly errcode?: unknown }).errcode === SQLITE_BUSY
}

function lockedBy(files: StoreFiles): StoreFailure {
  const holder = readLockHolder(files.holder)
  const who = holder === null ? 'another process' : `process ${holder.pid}, started ${holder.startedAt}`
  return {
    kind: 'locked',
    message: `the store in ${files.folder} is held by ${who}: one daemon per store; stop that one first, or give this one a store of its own`,
  }
}
