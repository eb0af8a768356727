import { err, ok, type Result } from '../../base/result.ts'
import { firstMessage, type NoMessage, workerUrl } from '../../base/threads/first-message.ts'
import { createSharedThread, type OwnerPort, type SharedThread } from '../../base/threads/shared-thread.ts'
import type { JournalInit, JournalMessage, JournalReply, LastNumbers } from '../journal-messages.ts'
import { createPostedStore, type PostedStore } from './posted-store.ts'
import { createJournalReader } from './reader.ts'
import type { Connection } from '../connection/connection.ts'
import { openConnection } from '../open-connection.ts'
import { type StoreFailure, storeFailureOf, StoreReadError } from '../failure.ts'
import { placeText, type StorePlace } from '../place.ts'
import { postgresFailureOf } from '../postgres/failure.ts'
import { prepareToAsk } from '../postgres/reading/ask.ts'
import type { StandBy } from '../postgres/take-position.ts'
import type { HoldTerms } from '../postgres/terms.ts'
import type { JournalRecord, RestartPoint } from '../store.ts'
import { type TreasuryRecord, readTreasuryRows } from '../treasury/journal.ts'

export type StoreOptions = {
  /** Maximum size of the database; reaching it counts as a full disk. Default: unlimited. */
  readonly maxBytes?: number | null
  /** The terms for holding a position in PostgreSQL. */
  readonly terms?: HoldTerms
  /** Waits as a standby if another daemon holds the position in PostgreSQL; absent = refuses. */
  readonly standBy?: StandBy
  /** See `JournalInit`. */
  readonly lease?: SharedArrayBuffer
  /** More unwritten events than this are a failure. */
  readonly maxBacklog?: number
  /** The thread that also writes other stores; absent = a separate thread that ends with the store. */
  readonly thread?: JournalThread
}

const WORKER = workerUrl(import.meta.url, './journal-worker')
/** A small nursery, because written data is garbage at once. */
const LIMITS = { maxYoungGenerationSizeMb: 6 }
const MAX_BACKLOG = 200_000
const BUSY_TIMEOUT_MS = 5_000

/** A thread that writes any number of stores; each commits separately. */
export type JournalThread = SharedThread<JournalInit, JournalMessage>

export function createJournalThread(): JournalThread {
  return createSharedThread(WORKER, { name: 'journal', resourceLimits: LIMITS })
}

/**
 * Opens a store for writing, creates it if missing, and holds its lock until `close` or the end of the process. Errors:
 * `locked` (names the holder), `newer-version`, `corrupt`, `disk-full`, `io`.
 */
export async function openStore(
  place: StorePlace,
  options: StoreOptions = {},
): Promise<Result<PostedStore, StoreFailure>> {
  const { thread } = options
  if (thread !== undefined) return openIn(thread, place, options)
  const own = createJournalThread()
  const opened = await openIn(own, place, options)
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
  place: StorePlace,
  options: StoreOptions,
): Promise<Result<PostedStore, StoreFailure>> {
  const port = thread.open({
    place,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    maxBytes: options.maxBytes ?? null,
    ...(options.terms === undefined ? {} : { terms: options.terms }),
    ...(options.lease === undefined ? {} : { lease: options.lease }),
    ...(options.standBy === undefined ? {} : { standsBy: true }),
  })
  const opened = openedWith(await openingReply(port, options.standBy), place)
  if (!opened.ok) return opened
  const reading = new Set<Connection>()
  const recover = () => recoverOnce(place, reading)
  return ok(
    createPostedStore({
      thread: port,
      isShared: typeof place !== 'string',
      reader: { recover, treasury: (from) => treasuryOnce(place, from) },
      closeReader: () => reading.forEach((db) => db.close()),
      last: opened.value,
      maxBacklog: options.maxBacklog ?? MAX_BACKLOG,
    }),
  )
}

/** Resolves with the first reply, or with the reply after the standby. */
async function openingReply(
  port: OwnerPort<JournalMessage>,
  standBy: StandBy | undefined,
): Promise<Result<JournalReply, NoMessage>> {
  const end = (): void => port.postMessage({ type: 'close' })
  standBy?.signal.addEventListener('abort', end)
  try {
    return await firstMessage<JournalReply>(port, null, (reply) => {
      if (reply.type !== 'standby') return false
      // Prepares the reader, which is used right after the grant.
      prepareToAsk()
      standBy?.onHeld(reply.held, reply.lives)
      return true
    })
  } finally {
    standBy?.signal.removeEventListener('abort', end)
  }
}

function connect(place: StorePlace): Connection {
  const opened = openConnection(place, BUSY_TIMEOUT_MS)
  if (!opened.ok) throw new StoreReadError(opened.error)
  if (opened.value !== null) return opened.value
  const message = `the store in ${placeText(place)} was removed while a daemon uses it: stop the daemon, and restore the store`
  throw new StoreReadError({ kind: 'io', message })
}

/** Uses a separate connection, closed after the tail was read, because the owner of a running store does not read it. */
function recoverOnce(place: StorePlace, reading: Set<Connection>): RestartPoint {
  const db = connect(place)
  reading.add(db)
  const point = createJournalReader(db).recover()
  return { ...point, tail: readThenClose(point.tail, db, reading) }
}

function* readThenClose(
  tail: RestartPoint['tail'],
  db: Connection,
  reading: Set<Connection>,
): Generator<JournalRecord> {
  yield* tail
  if (reading.delete(db)) db.close()
}

/** Returns the treasury's journal, read on a separate connection; its fold is the treasury's state. */
function treasuryOnce(place: StorePlace, from?: number): readonly TreasuryRecord[] {
  const db = connect(place)
  try {
    return [...readTreasuryRows(db, from)]
  } finally {
    db.close()
  }
}

/** Returns the numbers of the last events, or why the journal thread could not open the store. */
function openedWith(
  first: Result<JournalReply, NoMessage>,
  place: StorePlace,
): Result<LastNumbers, StoreFailure> {
  const failureOf = (error: unknown) =>
    err(typeof place === 'string' ? storeFailureOf(error, place) : postgresFailureOf(error, place))
  if (!first.ok) {
    const { error } = first
    const ended = new Error('the journal thread ended before it had opened the store')
    return failureOf(error.how === 'threw' ? error.error : ended)
  }
  const reply = first.value
  if (reply.type === 'opened') return ok({ lastSeq: reply.lastSeq, treasurySeq: reply.treasurySeq })
  if (reply.type === 'refused') return err(reply.failure)
  return failureOf(new Error(`the first message of the journal thread was '${reply.type}'`))
}
