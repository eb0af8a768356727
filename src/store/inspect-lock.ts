import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../base/result.ts'
import { isBusy } from '../lock/file-lock.ts'
import { readLockHolder, type LockHolder } from './lock-holder.ts'
import { storeFailureOf } from './store-failure-of.ts'
import { storeFiles } from './store-files.ts'
import type { StoreFailure } from './store.ts'

export type LockState = {
  /** Whether a daemon has the store open now. */
  readonly held: boolean
  /** Who; null when nobody, or when the note is missing. */
  readonly holder: LockHolder | null
}

/** Asks the lock itself, not the note beside it: a daemon killed with -9 is told from a living one. */
export function inspectLock(folder: string): Result<LockState, StoreFailure> {
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
