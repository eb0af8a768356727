import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../base/result.ts'

const SQLITE_BUSY = 5
const LOCK_FILE = 'writer.lock'

/**
 * Takes the folder of a tape for this writer. The lock is an exclusive transaction that is never ended: the
 * operating system releases it with the process, so kill -9 leaves nothing to clean up. Throws what SQLite
 * throws for anything but a second writer.
 */
export function holdTapeLock(folder: string): Result<() => void, string> {
  const db = new DatabaseSync(join(folder, LOCK_FILE))
  try {
    db.exec('BEGIN EXCLUSIVE')
    return ok(() => db.close())
  } catch (error) {
    db.close()
    if ((error as { readonly errcode?: unknown }).errcode !== SQLITE_BUSY) throw error
    return err(`${folder} is written to by another process: a tape has one writer at a time`)
  }
}
