import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { err, errorText, ok, type Result } from '../result.ts'
import type { Ms } from '../time.ts'

export type FileLock = { readonly release: () => void }

/** Keeps held locks reachable: garbage collection of a handle would release its lock. */
const held = new Set<DatabaseSync>()

const SQLITE_BUSY = 5
const POLL_MS = 25
const LONGEST_WAIT_MS = 30_000

/**
 * Takes a lock that all processes on this machine share; errors if another holder has it. The lock is an exclusive
 * SQLite transaction on `file` that never ends. The operating system releases it with the process, so kill -9 leaves
 * nothing to clean up. It works between containers that share the folder, where process ids mean nothing. The file
 * remains; open it only through SQLite, because closing any other handle on it drops all locks of the process. Throws
 * SQLite's error for anything except a second holder.
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
 * Runs `work` while no other process or caller does so for the same file. Waits for the current holder. Errors if the
 * file cannot be created or the wait takes too long.
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
    await pause(POLL_MS)
  }
}

/** Null = another holder has the lock. */
function tryLock(file: string): Result<FileLock | null, string> {
  try {
    const lock = takeFileLock(file)
    return ok(lock.ok ? lock.value : null)
  } catch (error) {
    return err(`${file} cannot be locked (${errorText(error)})`)
  }
}

/** Returns whether a SQLite error means that another process holds the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as Error & { readonly errcode?: unknown }).errcode === SQLITE_BUSY
}
