import { statfsSync } from 'node:fs'
import { errorText } from '../base/result.ts'

/** SQLite's primary result codes (extended ones carry them in the low byte). Source: sqlite.org/rescode. */
const BUSY = 5
const CORRUPT = 11
const FULL = 13
const IO_ERROR = 10
const NOT_A_DATABASE = 26

/** With less free space than this, a failing write counts as a full disk: SQLite grows its files in such steps. */
const NO_SPACE_BYTES = 64 * 1024

/** Returns the failure of the store in `folder` for a caught error, with its remedy. */
export function storeFailureOf(error: unknown, folder: string): StoreFailure {
  const { code, errcode } = describeCode(error)
  const reason = errorText(error)
  const primary = errcode === null ? null : errcode & 0xff
  if (primary === CORRUPT || primary === NOT_A_DATABASE) return corruptStore(folder, reason)
  const full = primary === FULL || code === 'ENOSPC' || code === 'EDQUOT'
  if (full || (primary === IO_ERROR && hasNoSpace(folder))) {
    return {
      kind: 'disk-full',
      message: `no room to write to the store in ${folder} (${reason}): free some space, then start again`,
    }
  }
  const advice =
    primary === BUSY
      ? 'another program holds its files: close it and try again'
      : 'check that the folder exists, belongs to this user and is on a working disk'
  return { kind: 'io', message: `the store in ${folder} cannot be used (${reason}): ${advice}` }
}

/** Returns whether another program currently holds the database. */
export function isLockedError(error: unknown): boolean {
  const { errcode } = describeCode(error)
  return errcode !== null && (errcode & 0xff) === BUSY
}

/** Returns the failure of a store with untrustworthy content, which is never repaired silently. */
export function corruptStore(folder: string, reason: string): StoreFailure {
  return {
    kind: 'corrupt',
    message:
      `the store in ${folder} is damaged (${reason}): keep a copy of the folder, then restore it from a backup, ` +
      'or move it away and start afresh; a new store opens from the balances the venue shows',
  }
}

function describeCode(error: unknown): { readonly code: unknown; readonly errcode: number | null } {
  if (!(error instanceof Error)) return { code: null, errcode: null }
  const { code, errcode } = error as Error & { readonly code?: unknown; readonly errcode?: unknown }
  return { code, errcode: typeof errcode === 'number' ? errcode : null }
}

function hasNoSpace(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < NO_SPACE_BYTES
  } catch {
    // The folder itself is missing: an I/O failure, unrelated to free space.
    return false
  }
}

/**
 * The store became unreadable in the middle of an iteration. `exportRows` turns it into a value; other callers catch it
 * where they iterate.
 */
export class StoreReadError extends Error {
  override name = 'StoreReadError'
  readonly failure: StoreFailure

  constructor(failure: StoreFailure) {
    super(failure.message)
    this.failure = failure
  }
}

export type StoreFailure = {
  /** `locked`: another daemon holds it. `failed-over`: the server failed over, and it must be taken again. */
  readonly kind: 'locked' | 'failed-over' | 'newer-version' | 'disk-full' | 'corrupt' | 'io'
  /** What happened and the remedy. */
  readonly message: string
}

/** Returns the result of `read`; turns its exceptions into StoreReadError. */
export function readFrom<T>(
  store: { readonly failureOf: (error: unknown) => StoreFailure },
  read: () => T,
): T {
  try {
    return read()
  } catch (error) {
    throw new StoreReadError(store.failureOf(error))
  }
}
