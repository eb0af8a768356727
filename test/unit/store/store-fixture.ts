import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { DatabaseSync } from 'node:sqlite'
import type { Result } from '../../../src/base/result.ts'
import type { Event } from '../../../src/core/engine/model/event.ts'
import type { Observation } from '../../../src/core/engine/model/observation.ts'
import type { Fill } from '../../../src/core/ledger/fills/fill.ts'
import type { JournalReply } from '../../../src/store/journal-messages.ts'
import { createPostedStore, type PostedStore } from '../../../src/store/journal/posted-store.ts'
import { sqliteConnection } from '../../../src/store/connection/sqlite.ts'
import { createJournalReader } from '../../../src/store/journal/reader.ts'
import { serveJournal } from '../../../src/store/journal/serve-journal.ts'
import { storeFiles } from '../../../src/store/store-files.ts'
import type { StoreFailure } from '../../../src/store/failure.ts'

/** A folder of the test's own, gone afterwards. */
export const freshFolder = (): string => mkdtempSync(join(tmpdir(), 'mizani-store-'))

export type HereOptions = { readonly maxBytes?: number; readonly maxBacklog?: number }

/** A store whose journal is served by this very thread: the same code as in the worker, where a test can see it. */
export async function openHere(
  folder: string,
  options: HereOptions = {},
): Promise<Result<PostedStore, StoreFailure>> {
  const { port1, port2 } = new MessageChannel()
  const first = new Promise<JournalReply>((resolve) => port1.once('message', resolve))
  await serveJournal(port2, {
    place: folder,
    pid: process.pid,
    startedAt: '2026-01-02T03:04:05.000Z',
    maxBytes: options.maxBytes ?? null,
  })
  const reply = await first
  if (reply.type === 'refused') return { ok: false, error: reply.failure }
  if (reply.type !== 'opened') throw new Error(`began with ${reply.type}`)
  const db = new DatabaseSync(storeFiles(folder).database, { readOnly: true })
  const store = createPostedStore({
    thread: { postMessage: port1.postMessage.bind(port1), on: port1.on.bind(port1) as never },
    reader: createJournalReader(sqliteConnection(db, folder)),
    closeReader: () => db.close(),
    last: reply,
    maxBacklog: options.maxBacklog ?? 1_000,
  })
  return { ok: true, value: store }
}

/** A store in a folder of its own, with so many ticks. */
export async function openFresh(ticks = 0): Promise<{ folder: string; store: PostedStore }> {
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  appendTicks(store, 1, ticks)
  return { folder, store }
}

/** The value, or a failed test with the error. */
export function valueOf<T>(result: Result<T, StoreFailure>): T {
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`)
  return result.value
}

export function errorOf<T>(result: Result<T, StoreFailure>): StoreFailure {
  if (result.ok) throw new Error('expected a failure')
  return result.error
}

/** Resolves when `seq` is durable, rejects on a failure. */
export function durable(store: PostedStore, seq: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (store.durableSeq() >= seq) return resolve()
    store.onDurable((now) => now >= seq && resolve())
    store.onFailure((failure) => reject(new Error(failure.message)))
  })
}

export function tick(t: number): Event {
  return { type: 'tick', t }
}

/** Appends ticks from `from` to `to`; the time of each is its number. */
export function appendTicks(store: PostedStore, from: number, to: number): void {
  for (let seq = from; seq <= to; seq++) store.append(seq, tick(seq))
}

export function fill(id: string, change: Partial<Fill> = {}): Fill {
  return {
    id,
    side: 'ask',
    inAsset: 'USDC',
    amountIn: 12_345_678n * 10n ** 12n,
    outAsset: 'NTZS',
    amountOut: 32_100_000_000_000_000_000_001n,
    fee: null,
    earnedText: '1.25',
    txHash: '0xabc',
    createdAt: 1_700_000_000_000,
    raw: `{"id":"${id}","note":"a \\"quoted\\", line"}`,
    ...change,
  }
}

export function fillPosted(id: string, change: Partial<Fill> = {}): Observation {
  return {
    type: 'fillPosted',
    t: 1_700_000_001_500,
    fill: fill(id, change),
    fee: 32_100_000_000_000_000_000n,
    feeSource: 'computed',
    midAtFill: 2_612_340_000_000_000_000_000n,
    formula: 'ask',
    volumeUsd: 12_345_678_000_000_000_000n,
  }
}

export function midChanged(t: number, mid = 2_612_340_000_000_000_000_000n): Observation {
  return { type: 'midChanged', t, mid, rateUpdatedAt: null, source: 'key' }
}

export function entryPosted(number: number, kind: 'fill' | 'fill-undone' = 'fill'): Observation {
  return {
    type: 'entryPosted',
    entry: {
      number,
      t: 1_700_000_001_500,
      kind,
      reason: 'ask',
      fillId: 'f-1',
      postings: [
        { account: 'pool', asset: 'USDC', amount: 12_345_678n * 10n ** 12n },
        { account: 'trading', asset: 'USDC', amount: -12_345_678n * 10n ** 12n },
      ],
    },
  }
}

/** All rows of a table, read past the store's own code. */
export function tableRows(folder: string, table: string): Record<string, unknown>[] {
  const db = new DatabaseSync(storeFiles(folder).database, { readOnly: true })
  const rows = db.prepare(`SELECT * FROM ${table}`).all()
  db.close()
  return rows.map((row) => ({ ...row }))
}

/** Changes a closed store behind its back. */
export function tamper(folder: string, sql: string): void {
  const db = new DatabaseSync(storeFiles(folder).database)
  db.exec(sql)
  db.close()
}
