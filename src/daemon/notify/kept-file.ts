import { readFileSync } from 'node:fs'
import type { Ms } from '../../base/time.ts'
import { replaceFile } from '../../base/files/replace-file.ts'

/** State of notifications that survives restarts, in a file next to the journal. */
export type NotifyFile<Kept> = {
  /** Reads the state of the previous process. A missing, damaged or future file yields a fresh state. */
  readonly read: (now: Ms) => Kept
  /** Replaces the file atomically; rejects with the file system's error. */
  readonly write: (kept: Kept) => Promise<void>
}

/** `parse` returns null for invalid data; `fresh` creates the initial state. */
export function notifyFile<Kept>(
  path: string,
  parse: (written: unknown, now: Ms) => Kept | null,
  fresh: (now: Ms) => Kept,
): NotifyFile<Kept> {
  return {
    read(now) {
      try {
        return parse(JSON.parse(readFileSync(path, 'utf8')), now) ?? fresh(now)
      } catch {
        return fresh(now)
      }
    },
    write: (kept) => replaceFile(path, JSON.stringify(kept)),
  }
}
