import { readFileSync } from 'node:fs'
import type { Ms } from '../../base/time.ts'
import { replaceFile } from '../../base/files/replace-file.ts'

/** What notifications remember over restarts, in a file beside the journal. */
export type NotifyFile<Kept> = {
  /** As a process before this one left it. One that is missing, damaged or of the future begins anew. */
  readonly read: (now: Ms) => Kept
  /** Writes it whole or leaves it as it was; rejects with what the file system says. */
  readonly write: (kept: Kept) => Promise<void>
}

/** `parse` returns null for anything else; `fresh` is how it begins. */
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
