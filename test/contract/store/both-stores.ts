import { mkdtempSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import type { Result } from '../../../src/base/result.ts'
import type { StoreFailure } from '../../../src/store/failure.ts'
import { type JournalThread, openStore, type StoreOptions } from '../../../src/store/journal/open-store.ts'
import type { PostedStore } from '../../../src/store/journal/posted-store.ts'
import { serveJournal } from '../../../src/store/journal/serve-journal.ts'
import { schemaOf, type PostgresPlace, type StorePlace } from '../../../src/store/place.ts'
import { storeFiles } from '../../../src/store/store-files.ts'
import { needs } from '../../support/needs.ts'
import { type PostgresServer, postgresSurroundings, startPostgres } from '../../support/postgres.ts'

export type StoreKind = 'SQLite' | 'PostgreSQL'

let server: PostgresServer | null = null
let places = 0

/** For `beforeAll`: the server of the tests of one file, null where PostgreSQL is not installed. */
export async function startServer(): Promise<PostgresServer | null> {
  if (!needs('initdb', postgresSurroundings())) server = await startPostgres()
  return server
}

export function stopServer(): void {
  server?.stop()
  server = null
}

/** A place of the test's own, gone afterwards. */
export function freshPlace(kind: StoreKind): StorePlace {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-both-'))
  if (kind === 'SQLite') return folder
  if (server === null) throw new Error('the server was not started')
  return { url: server.url, position: `desk-${++places}`, folder }
}

/** A holder that is waited for shortly and gives up late: the machine that tests is busy. */
export const PATIENT = { renewMs: 200, roundTripMs: 500, giveUpMs: 10_000, waitMs: 1_000 }

/** Serves journals in this very thread: the same code as in the worker, where a coverage report can see it. */
export const SERVED_HERE: JournalThread = {
  open(init) {
    const { port1, port2 } = new MessageChannel()
    void serveJournal(port2, init)
    return {
      postMessage: (message) => port1.postMessage(message),
      on: port1.on.bind(port1) as never,
      once: port1.once.bind(port1) as never,
    }
  },
  close: () => Promise.resolve(),
}

/** Opens a store that is closed with the test. */
export async function open(
  place: StorePlace,
  options: StoreOptions = {},
): Promise<Result<PostedStore, StoreFailure>> {
  const opened = await openStore(place, { terms: PATIENT, thread: SERVED_HERE, ...options })
  if (opened.ok) onTestFinished(() => opened.value.close())
  return opened
}

/** What another program does to a store behind its back. */
export async function change(place: StorePlace, sql: string): Promise<void> {
  if (typeof place === 'string') {
    const db = new DatabaseSync(storeFiles(place).database)
    db.exec(sql)
    db.close()
    return
  }
  await asAdministrator(place, `SET search_path TO "${schemaOf(place)}"; ${sql}`)
}

export async function asAdministrator(
  { url }: Pick<PostgresPlace, 'url'>,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const results: unknown = await client.query(sql)
    const [last] = [results].flat().slice(-1) as { rows: Record<string, unknown>[] }[]
    return last?.rows ?? []
  } finally {
    await client.end()
  }
}
