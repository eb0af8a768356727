import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { err, ok, type Result } from '../../base/result.ts'
import type { JournalInit, JournalReply } from './messages.ts'
import { createPostedStore, type PostedStore } from './posted-store.ts'
import { createJournalReader } from './reader.ts'
import { type StoreFailure, storeFailureOf } from '../failure.ts'
import { storeFiles } from '../store-files.ts'

export type StoreOptions = {
  /** The database may not grow beyond this many bytes; reaching it is a full disk. Default: the disk's own end. */
  readonly maxBytes?: number | null
  /** How many events may wait to be written before that is a failure. */
  readonly maxBacklog?: number
}

/** A small nursery: what is written is gone at once. */
const LIMITS = { maxYoungGenerationSizeMb: 6 }
const MAX_BACKLOG = 200_000
const BUSY_TIMEOUT_MS = 5_000

/**
 * Opens the store in `folder` for writing, makes it if there is none, and holds its lock until `close` or
 * the end of the process. Errors: `locked` (says by whom), `newer-version`, `corrupt`, `disk-full`, `io`.
 */
export async function openStore(
  folder: string,
  options: StoreOptions = {},
): Promise<Result<PostedStore, StoreFailure>> {
  const birth: JournalInit = {
    folder,
    pid: process.pid,
    startedAt: new Date().toISOString(),
    maxBytes: options.maxBytes ?? null,
  }
  const worker = new Worker(journalWorkerUrl(), {
    workerData: birth,
    name: 'journal',
    resourceLimits: LIMITS,
  })
  const opened = await firstReply(worker, folder)
  if (!opened.ok) return opened
  let db: DatabaseSync
  try {
    db = new DatabaseSync(storeFiles(folder).database, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  } catch (error) {
    await worker.terminate()
    return err(storeFailureOf(error, folder))
  }
  return ok(
    createPostedStore({
      thread: { send: worker.postMessage.bind(worker), on: worker.on.bind(worker) },
      memory: createJournalReader(db, folder),
      closeMemory: () => db.close(),
      lastSeq: opened.value,
      maxBacklog: options.maxBacklog ?? MAX_BACKLOG,
    }),
  )
}

/** `.ts` in a checkout; in a bundle the worker is built beside the file that holds this function. */
function journalWorkerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./journal-worker.ts', import.meta.url)
    : new URL('./journal-worker.js', import.meta.url)
}

function firstReply(worker: Worker, folder: string): Promise<Result<number, StoreFailure>> {
  return new Promise((resolve) => {
    const dead = (error: unknown) => resolve(err(storeFailureOf(error, folder)))
    const ended = () => dead(new Error('the journal thread ended before it had opened the store'))
    worker.once('error', dead)
    worker.once('exit', ended)
    worker.once('message', (reply: JournalReply) => {
      worker.off('error', dead)
      worker.off('exit', ended)
      if (reply.type === 'opened') resolve(ok(reply.lastSeq))
      else if (reply.type === 'refused') resolve(err(reply.failure))
      else dead(new Error(`the journal thread began with '${reply.type}'`))
    })
  })
}
