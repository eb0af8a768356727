import { DatabaseSync } from 'node:sqlite'
import { err, ok, type Result } from '../../base/result.ts'
import { firstMessage, type NoMessage, workerUrl } from '../../threads/first-message.ts'
import { createSharedThread, type SharedThread } from '../../threads/shared-thread.ts'
import type { JournalInit, JournalMessage, JournalReply, LastNumbers } from './messages.ts'
import { createPostedStore, type PostedStore } from './posted-store.ts'
import { createJournalReader } from './reader.ts'
import { readOrThrow, type StoreFailure, storeFailureOf } from '../failure.ts'
import type { JournalRecord, RestartPoint } from '../store.ts'
import { storeFiles } from '../store-files.ts'
import type { TreasuryRecord } from '../treasury/journal.ts'
import { readTreasury } from '../treasury/rows.ts'

export type StoreOptions = {
  /** The database may not grow beyond this many bytes; reaching it is a full disk. Default: the disk's own end. */
  readonly maxBytes?: number | null
  /** How many events may wait to be written before that is a failure. */
  readonly maxBacklog?: number
  /** Writes the store beside others; absent = a thread of its own, which ends with it. */
  readonly thread?: JournalThread
}

const WORKER = workerUrl(import.meta.url, './journal-worker')
/** A small nursery: what is written is garbage at once. */
const LIMITS = { maxYoungGenerationSizeMb: 6 }
const MAX_BACKLOG = 200_000
const BUSY_TIMEOUT_MS = 5_000

/** A thread that writes any number of stores; each commits by itself. */
export type JournalThread = SharedThread<JournalInit, JournalMessage>

export function createJournalThread(): JournalThread {
  return createSharedThread(WORKER, { name: 'journal', resourceLimits: LIMITS })
}

/**
 * Opens the store in `folder` for writing, makes it if there is none, and holds its lock until `close` or
 * the end of the process. Errors: `locked` (names the holder), `newer-version`, `corrupt`, `disk-full`, `io`.
 */
export async function openStore(
  folder: string,
  options: StoreOptions = {},
): Promise<Result<PostedStore, StoreFailure>> {
  const { thread } = options
  if (thread !== undefined) return openIn(thread, folder, options)
  const own = createJournalThread()
  const opened = await openIn(own, folder, options)
  if (!opened.ok) {
    await own.close()
    return opened
  }
  const store = opened.value
  const endThread = async () => void (await own.close())
  return ok({
    ...store,
    close: () => store.close().then(endThread),
    abandon: () => store.abandon().then(endThread),
  })
}

async function openIn(
  thread: JournalThread,
  folder: string,
  options: StoreOptions,
): Promise<Result<PostedStore, StoreFailure>> {
  const port = thread.open({
    folder,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    maxBytes: options.maxBytes ?? null,
  })
  const opened = openedWith(await firstMessage<JournalReply>(port), folder)
  if (!opened.ok) return opened
  const reading = new Set<DatabaseSync>()
  const recover = () => recoverOnce(folder, reading)
  return ok(
    createPostedStore({
      thread: port,
      reader: { recover, treasury: () => treasuryOnce(folder) },
      closeReader: () => reading.forEach((db) => db.close()),
      last: opened.value,
      maxBacklog: options.maxBacklog ?? MAX_BACKLOG,
    }),
  )
}

/** On a connection of its own, which is closed when the tail was read: a store that runs is not read by its owner. */
function recoverOnce(folder: string, reading: Set<DatabaseSync>): RestartPoint {
  const db = readOrThrow(folder, () => {
    const { database } = storeFiles(folder)
    return new DatabaseSync(database, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  })
  reading.add(db)
  const point = createJournalReader(db, folder).recover()
  return { ...point, tail: readThenClose(point.tail, db, reading) }
}

function* readThenClose(
  tail: RestartPoint['tail'],
  db: DatabaseSync,
  reading: Set<DatabaseSync>,
): Generator<JournalRecord> {
  yield* tail
  if (reading.delete(db)) db.close()
}

/** The treasury's whole journal, read at once on a connection of its own: its fold is the state. */
function treasuryOnce(folder: string): readonly TreasuryRecord[] {
  const { database } = storeFiles(folder)
  const db = readOrThrow(folder, () => {
    return new DatabaseSync(database, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  })
  try {
    return [...readTreasury(db, folder)]
  } finally {
    db.close()
  }
}

/** The numbers of the last events, or why the journal thread could not open the store. */
function openedWith(
  first: Result<JournalReply, NoMessage>,
  folder: string,
): Result<LastNumbers, StoreFailure> {
  if (!first.ok) {
    const { error } = first
    const ended = new Error('the journal thread ended before it had opened the store')
    return err(storeFailureOf(error.how === 'threw' ? error.error : ended, folder))
  }
  const reply = first.value
  if (reply.type === 'opened') return ok({ lastSeq: reply.lastSeq, treasurySeq: reply.treasurySeq })
  if (reply.type === 'refused') return err(reply.failure)
  return err(storeFailureOf(new Error(`the journal thread began with '${reply.type}'`), folder))
}
