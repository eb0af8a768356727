import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Ms } from '../base/time.ts'

export type FileLock = { readonly release: () => void }

/** A handle that nobody refers to any more is collected, and its lock with it: those that are held stay reachable. */
const held = new Set<DatabaseSync>()

const SQLITE_BUSY = 5
const LOOK_MS = 25
const LONGEST_WAIT_MS = 30_000

/**
 * Takes a lock that processes on this machine share, or says that another one has it. The lock is an exclusive
 * SQLite transaction on `file` that is never ended: the operating system releases it with the process, so
 * kill -9 leaves nothing to clean up, and it holds between containers that share the folder, where a process
 * number means nothing. The file stays; nobody may open it other than through SQLite, because closing any
 * handle of a process drops all its locks. Throws what SQLite throws for anything but a second holder.
 */
export function takeFileLock(file: string, patienceMs: Ms = 0): Result<FileLock, 'held'> {
  const db = new DatabaseSync(file, { timeout: patienceMs })
  try {
    db.exec('BEGIN EXCLUSIVE')
    held.add(db)
    const release = () => {
      if (held.delete(db)) db.close()
    }
    return ok({ release })
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw error
    return err('held')
  }
}

/**
 * Runs `work` while no other process, and nothing else of this one, does so for the same file. Waits for
 * whoever has the lock. Errors where the file cannot be made, or the other one takes too long.
 */
export async function withFileLock<T>(
  file: string,
  work: () => Promise<T>,
  longestWaitMs: Ms = LONGEST_WAIT_MS,
): Promise<Result<T, string>> {
  const until = performance.now() + longestWaitMs
  for (;;) {
    const lock = tryLock(file)
    if (!lock.ok) return lock
    if (lock.value !== null) {
      try {
        return ok(await work())
      } finally {
        lock.value.release()
      }
    }
    if (performance.now() >= until) return err(`${file} is held by another process`)
    await pause(LOOK_MS)
  }
}

/** Null = somebody has it. */
function tryLock(file: string): Result<FileLock | null, string> {
  try {
    const lock = takeFileLock(file)
    return ok(lock.ok ? lock.value : null)
  } catch (error) {
    return err(`${file} cannot be locked (${errorText(error)})`)
  }
}

/** Whether SQLite says that somebody else has the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as Error & { readonly errcode?: unknown }).errcode === SQLITE_BUSY
}
