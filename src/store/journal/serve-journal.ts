import { mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { MessagePort } from 'node:worker_threads'
import { err, ok, type Result } from '../../base/result.ts'
import { SQLITE } from '../connection/sqlite.ts'
import { checkQueries, checkStore, type CheckedRows } from '../check-store.ts'
import { takeStoreLock, type StoreLock } from '../store-lock.ts'
import type {
  JournalInit,
  JournalMessage,
  JournalReply,
  JournalWrite,
  LastNumbers,
} from '../journal-messages.ts'
import { createJournalWriter, type JournalWriter } from './writer.ts'
import { migrateStore } from '../schema.ts'
import { corruptStore, isLockedError, type StoreFailure, storeFailureOf } from '../failure.ts'
import { storeFiles } from '../store-files.ts'

type OpenJournal = { readonly db: DatabaseSync; readonly lock: StoreLock; readonly writer: JournalWriter }

/** A reader that recovers the log after a crash briefly holds the database. */
const BUSY_TIMEOUT_MS = 5_000
/** How long a database locked by another program may delay the thread's other stores. */
const TURN_TIMEOUT_MS = 250
/** A commit is retried for this long, and effects wait meanwhile. */
const LOCKED_GRACE_MS = 30_000
/** Maximum number of writes per transaction, which bounds memory and keeps `durable` coming. */
const MAX_GROUP = 20_000
/** Journal rows dropped between two groups of writes. */
const PRUNE_ROWS = 2_000
/** KB; rows are appended to their tables, and one process may have hundreds of stores open. */
const PAGE_CACHE_KB = 512
const JOURNAL_SIZE_LIMIT = 64 * 1024 * 1024

/**
 * Opens the store and serves it over `port` until asked to close. Everything received in one turn of the thread goes
 * into one transaction, and its last number is reported once it is on disk. The first error is final.
 */
export async function serveJournal(port: MessagePort, init: JournalInit): Promise<void> {
  const { place } = init
  if (typeof place !== 'string') {
    // Loads PostgreSQL's client only if needed.
    const { servePostgres } = await import('../postgres/serve.ts')
    return servePostgres(port, init, place)
  }
  const opened = await openJournal(init, place)
  if (!opened.ok) {
    send(port, { type: 'refused', failure: opened.error })
    port.close()
    return
  }
  send(port, { type: 'opened', ...opened.value.writer.last() })
  serve(port, opened.value, place)
}

async function openJournal(init: JournalInit, folder: string): Promise<Result<OpenJournal, StoreFailure>> {
  const files = storeFiles(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    return err(storeFailureOf(error, folder))
  }
  const lock = takeStoreLock(files, { pid: init.pid, startedAt: init.startedAt })
  if (!lock.ok) return lock
  let db: DatabaseSync | null = null
  let failure: StoreFailure
  try {
    db = new DatabaseSync(files.database, { timeout: BUSY_TIMEOUT_MS })
    configure(db, init.maxBytes)
    const migrated = await migrateStore(db, folder)
    const checked = migrated.ok ? checkDatabase(db, folder) : migrated
    if (checked.ok) {
      db.exec(`PRAGMA busy_timeout = ${TURN_TIMEOUT_MS}`)
      return ok({ db, lock: lock.value, writer: createJournalWriter(db, checked.value) })
    }
    failure = checked.error
  } catch (error) {
    failure = storeFailureOf(error, folder)
  }
  db?.close()
  lock.value.release()
  return err(failure)
}

function checkDatabase(db: DatabaseSync, folder: string): Result<LastNumbers, StoreFailure> {
  const [snapshots, journal, treasury] = checkQueries(SQLITE.countBroken)
  const rows = {
    snapshots: db.prepare(snapshots).all(),
    journal: db.prepare(journal).get(),
    treasury: db.prepare(treasury).get(),
  }
  return checkStore(rows as unknown as CheckedRows, (reason) => corruptStore(folder, reason))
}

function configure(db: DatabaseSync, maxBytes: number | null): void {
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = FULL')
  db.exec(`PRAGMA cache_size = -${PAGE_CACHE_KB}`)
  db.exec(`PRAGMA journal_size_limit = ${JOURNAL_SIZE_LIMIT}`)
  if (maxBytes === null) return
  const pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`)
}

function serve(port: MessagePort, journal: OpenJournal, folder: string): void {
  const { db, lock, writer } = journal
  let group: JournalWrite[] = []
  let failed = false

  let lockedSince: number | null = null

  /** Returns whether another program has locked the database, so that the work must be retried. */
  function guard(work: () => void): boolean {
    if (failed) return false
    try {
      work()
      lockedSince = null
    } catch (error) {
      lockedSince ??= performance.now()
      if (isLockedError(error) && performance.now() - lockedSince < LOCKED_GRACE_MS) return true
      failed = true
      send(port, { type: 'failed', failure: storeFailureOf(error, folder) })
    }
    return false
  }

  /** Commits one group and returns whether more is waiting. */
  function commitGroup(): boolean {
    const writes = group.length > MAX_GROUP ? group.splice(0, MAX_GROUP) : group
    if (writes === group) group = []
    if (writes.length > 0 && guard(() => send(port, durableOf(writer.write(writes)))))
      group = [...writes, ...group]
    return group.length > 0
  }

  const pruning = createPruning(port, writer, guard)

  function close(): void {
    pruning.end()
    db.close()
    lock.release()
    send(port, { type: 'closed' })
    port.close()
  }

  port.on('message', (message: JournalMessage) => {
    if (!('type' in message)) {
      for (const write of message) group.push(write)
      takeTurns(commitGroup)
      return
    }
    // A request commits the writes before it immediately instead of waiting for a turn.
    while (commitGroup());
    if (message.type === 'close') close()
    else if ('keepFromMs' in message.call) pruning.begin(message.id, message.call.keepFromMs)
    // A folder has no standby.
    else send(port, { type: 'answer', id: message.id, answer: 0 })
  })
}

/** Pending commits of this thread, at most one per store and turn. */
const waiting = new Set<() => boolean>()

/**
 * Calls `work` in the next turn of the thread, and once per turn while it returns true. The thread reads messages
 * between turns, so a busy store has one transaction per turn like every other store.
 */
function takeTurns(work: () => boolean): void {
  if (waiting.size === 0) setImmediate(turn)
  waiting.add(work)
}

function turn(): void {
  const all = [...waiting]
  waiting.clear()
  for (const work of all) if (work()) takeTurns(work)
}

type Pruning = { readonly begin: (id: number, keepFromMs: number) => void; readonly end: () => void }

/** Prunes in slices, so that housekeeping does not delay writes. */
function createPruning(
  port: MessagePort,
  writer: JournalWriter,
  guard: (work: () => void) => boolean,
): Pruning {
  const waiting: { readonly id: number; readonly keepFromMs: number; rows: number }[] = []

  function slice(): void {
    const [prune] = waiting
    if (prune === undefined) return
    let rows = 0
    guard(() => (rows = writer.prune(prune.keepFromMs, PRUNE_ROWS)))
    prune.rows += rows
    if (rows === 0) {
      waiting.shift()
      send(port, { type: 'answer', id: prune.id, answer: prune.rows })
    }
    if (waiting.length > 0) setImmediate(slice)
  }

  return {
    begin(id, keepFromMs) {
      waiting.push({ id, keepFromMs, rows: 0 })
      if (waiting.length === 1) setImmediate(slice)
    },
    end() {
      for (const { id, rows } of waiting.splice(0)) send(port, { type: 'answer', id, answer: rows })
    },
  }
}

function durableOf({ lastSeq, treasurySeq }: LastNumbers): JournalReply {
  return { type: 'durable', seq: lastSeq, treasurySeq }
}

function send(port: MessagePort, reply: JournalReply): void {
  port.postMessage(reply)
}
