import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { storeFiles } from '../../../src/store/store-files.ts'

/**
 * The venue remembers 100 fills of a position, and a daemon that finds more than these missing halts, as it must. How long starts take
 * is the machine's: takers wait while so many of their fills are in no journal.
 */
const MOST_UNREAD = 60
const COUNT_EVERY_MS = 50

/** Whether takers should wait until the position's store has read more of the fills that the venue made. */
export function holdsUnread(made: () => number, store: string): () => boolean {
  let countedAt = Number.NEGATIVE_INFINITY
  let stored = 0
  return () => {
    const now = performance.now()
    if (now - countedAt > COUNT_EVERY_MS) {
      stored = storedFills(storeFiles(store).database)
      countedAt = now
    }
    return made() - stored >= MOST_UNREAD
  }
}

function storedFills(file: string): number {
  if (!existsSync(file)) return 0
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const hasTable = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'fills'`).get() !== undefined
    return hasTable ? Number(db.prepare('SELECT count(*) AS n FROM fills').get()?.['n']) : 0
  } finally {
    db.close()
  }
}
