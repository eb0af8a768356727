import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** The commits in a write-ahead log of SQLite since it was begun anew, and which beginning that is. */
export type WalCommits = { readonly salts: string; readonly commits: number }

/**
 * Counts the commits in the bytes of a write-ahead log: a frame that ends a transaction names the size of the database,
 * every other one has 0 there. A store is opened with `synchronous = FULL`, so each commit is one fsync of the log.
 * Frames of an earlier beginning, which lie behind the valid ones, have other salts. Source: SQLite's file format, section 4.
 */
export function commitsOf(wal: Uint8Array): WalCommits {
  const view = new DataView(wal.buffer, wal.byteOffset, wal.byteLength)
  if (wal.byteLength < HEADER_BYTES) return { salts: '', commits: 0 }
  const pageBytes = view.getUint32(8)
  const salts = saltsAt(view, 16)
  let commits = 0
  for (
    let at = HEADER_BYTES;
    at + FRAME_HEADER_BYTES <= wal.byteLength;
    at += FRAME_HEADER_BYTES + pageBytes
  ) {
    if (saltsAt(view, at + 8) !== salts) break
    if (view.getUint32(at + 4) !== 0) commits += 1
  }
  return { salts, commits }
}

function saltsAt(view: DataView, at: number): string {
  return `${view.getUint32(at)}-${view.getUint32(at + 4)}`
}

/** The write-ahead logs of some of the stores, by position. */
export function readWals(stores: string, positions: readonly string[]): ReadonlyMap<string, WalCommits> {
  const known = new Map<string, WalCommits>()
  for (const name of positions) {
    const wal = readdirSync(join(stores, name)).find((file) => file.endsWith('-wal'))
    if (wal !== undefined) known.set(name, commitsOf(readFileSync(join(stores, name, wal))))
  }
  return known
}

/** Commits of one position between two readings, on average; null where every log was begun anew in between. */
export function commitsBetween(
  before: ReadonlyMap<string, WalCommits>,
  after: ReadonlyMap<string, WalCommits>,
): number | null {
  let [commits, positions] = [0, 0]
  for (const [name, now] of after) {
    const then = before.get(name)
    if (then === undefined || then.salts !== now.salts) continue
    commits += now.commits - then.commits
    positions += 1
  }
  return positions === 0 ? null : commits / positions
}

/** Events and bytes of some stores together; the bytes are those of the database once its log is written into it. */
export type StoreSizes = { readonly events: number; readonly bytes: number }

export function readSizes(stores: string, positions: readonly string[]): StoreSizes {
  let [events, bytes] = [0, 0]
  for (const name of positions) {
    const db = new DatabaseSync(join(stores, name, 'mizani.db'), { readOnly: true })
    try {
      const ask = (sql: string, column: string) => Number(db.prepare(sql).get()?.[column])
      events += ask('SELECT max(seq) AS seq FROM journal', 'seq')
      bytes += ask('PRAGMA page_count', 'page_count') * ask('PRAGMA page_size', 'page_size')
    } finally {
      db.close()
    }
  }
  return { events, bytes }
}
