import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReader } from '../src/store/open-reader.ts'
import { openStore } from '../src/store/journal/open-store.ts'
import type { PostedStore } from '../src/store/journal/posted-store.ts'
import { round, timeBulk, timeTurns, TURNS } from './store/time-writing.ts'

/**
 * The store on this machine's temporary disk: what an `append` costs its caller, how long one event takes
 * until it is durable, and how many events a second the writer sustains when it is kept busy.
 */
export default async function benchStore(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-store-'))
  try {
    const createdMs = await timeOpen(folder)
    const openedMs = await timeOpen(folder)
    const store = await open(folder)
    const oneAtATime = await timeTurns(store)
    const eventsPerSecond = await timeBulk(store, TURNS)
    await store.close()
    const reader = openReader(folder)
    if (!reader.ok) throw new Error(reader.error.message)
    const startedAt = performance.now()
    let read = 0
    for (const record of reader.value.journal(1)) read += record.seq > 0 ? 1 : 0
    const readPerSecond = Math.round(read / ((performance.now() - startedAt) / 1_000))
    reader.value.close()
    return { createdMs, openedMs, ...oneAtATime, eventsPerSecond, readPerSecond }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function open(folder: string): Promise<PostedStore> {
  const opened = await openStore(folder)
  if (!opened.ok) throw new Error(opened.error.message)
  return opened.value
}

async function timeOpen(folder: string): Promise<number> {
  const startedAt = performance.now()
  const store = await open(folder)
  const took = performance.now() - startedAt
  await store.close()
  return round(took)
}
