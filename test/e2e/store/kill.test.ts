import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { readLockState } from '../../../src/store/store-lock.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import { openStore } from '../../../src/store/journal/open-store.ts'
import { lastAcknowledged, startWriter } from './start-writer.ts'
import { eventOf, isFill } from './written.ts'

const SEED = 20_260_101
const KILLS_UNDER_LOAD = 8
const KILLS_AT_START = 4

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-kill-'))
  return folder
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** What must hold of a store at rest, however its writer ended. Returns the journal's last number. */
function inspect(folder: string, acknowledged: number): number {
  const reader = openReader(folder)
  if (!reader.ok) throw new Error(reader.error.message)
  const { value } = reader
  const last = value.lastSeq()
  expect(last).toBeGreaterThanOrEqual(acknowledged)
  let expected = value.firstSeq()
  for (const { seq, event } of value.journal(expected)) {
    if (seq !== expected || (event.type === 'rate' && event.mid !== midOf(seq))) {
      expect({ seq, event }).toEqual({ seq: expected, event: eventOf(expected) })
    }
    expected += 1
  }
  if (last > 0) expect(expected).toBe(last + 1)
  expect(value.latestSnapshot()?.seq ?? 0).toBeLessThanOrEqual(last)
  value.close()
  const db = new DatabaseSync(join(folder, 'mizani.db'), { readOnly: true })
  const ahead = db.prepare('SELECT count(*) AS rows FROM rates WHERE seq > ?').get(last)
  const doubled = db.prepare('SELECT count(*) - count(DISTINCT venue_id) AS rows FROM fills').get()
  db.close()
  expect([ahead?.['rows'], doubled?.['rows']]).toEqual([0, 0])
  return last
}

function midOf(seq: number): bigint | null {
  const event = eventOf(seq)
  return event.type === 'rate' ? event.mid : null
}

test(`kill -9 at ${KILLS_UNDER_LOAD} random points under load loses nothing acknowledged and leaves no hole`, async () => {
  const folder = freshFolder()
  const random = seededRandom(SEED, 'kill points')
  let last = 0
  let underLoad = 0
  for (let round = 0; underLoad < KILLS_UNDER_LOAD; round++) {
    const writer = startWriter(folder, SEED + round)
    await writer.until(/^durable /m)
    await pause(random() * 40)
    writer.child.kill('SIGKILL')
    await writer.ended
    const said = writer.said()
    expect(said).toContain(`opened ${last}\n`)
    expect(said).not.toMatch(/failed|refused/)
    last = inspect(folder, lastAcknowledged(said))
    underLoad += 1
  }
  const again = await openStore(folder)
  expect(again.ok).toBe(true)
  if (!again.ok) return
  expect(again.value.recover().lastSeq).toBe(last)
  await again.value.close()
})

test('kill -9 of a process whose stores share a writer loses nothing acknowledged of any of them', async () => {
  const folders = Array.from({ length: 4 }, freshFolder)
  const random = seededRandom(SEED, 'kill points of many')
  const lasts = folders.map(() => 0)
  for (let round = 0; round < 4; round++) {
    const writer = startWriter(folders.join(','), SEED + round)
    await Promise.all(folders.map((_, index) => writer.until(new RegExp(`^${index}: durable `, 'm'))))
    await pause(random() * 60)
    writer.child.kill('SIGKILL')
    await writer.ended
    const said = writer.said()
    expect(said).not.toMatch(/failed|refused/)
    for (const [index, folder] of folders.entries()) {
      const own = said.replaceAll(new RegExp(`^(?!${index}: ).*\n`, 'gm'), '').replaceAll(`${index}: `, '')
      expect(own).toContain(`opened ${lasts[index]}\n`)
      lasts[index] = inspect(folder, lastAcknowledged(own))
    }
  }
  expect(Math.min(...lasts)).toBeGreaterThan(0)
})

test('the restart after a kill completes the tables: every fill once, none missing', async () => {
  const folder = freshFolder()
  for (let round = 0; round < 3; round++) {
    const writer = startWriter(folder, round)
    await writer.until(/^durable \d{3}/m)
    writer.child.kill('SIGKILL')
    await writer.ended
  }
  const writer = startWriter(folder, 4)
  await writer.until(/^durable /m)
  writer.child.kill('SIGKILL')
  await writer.ended
  const recovered = Number(/opened (\d+)/.exec(writer.said())?.[1])
  const reader = openReader(folder)
  if (!reader.ok) throw new Error(reader.error.message)
  const ids = [...reader.value.rows('fills')].map((row) => row['id']).slice(0, Math.floor(recovered / 3))
  reader.value.close()
  const fills = Array.from({ length: recovered }, (_, i) => i + 1).filter(isFill)
  expect(recovered).toBeGreaterThan(100)
  expect(ids).toEqual(fills.map((seq) => `f-${seq}`))
})

test('kill -9 while a store is being made or opened leaves one that opens', async () => {
  const folder = freshFolder()
  const random = seededRandom(SEED, 'early kills')
  for (let round = 0; round < KILLS_AT_START; round++) {
    const writer = startWriter(folder, round)
    await pause(60 + random() * 140)
    writer.child.kill('SIGKILL')
    await writer.ended
    expect(writer.said()).not.toMatch(/failed|refused/)
  }
  const store = await openStore(folder)
  expect(store.ok).toBe(true)
  if (store.ok) await store.value.close()
})

test('the lock dies with its process: refused while it lives, free after kill -9', async () => {
  const folder = freshFolder()
  const writer = startWriter(folder, 1)
  await writer.until(/^durable /m)
  const refused = await openStore(folder)
  expect(refused).toMatchObject({ ok: false, error: { kind: 'locked' } })
  if (!refused.ok) expect(refused.error.message).toContain(`process ${writer.child.pid}, started 2`)
  expect(readLockState(folder)).toMatchObject({
    ok: true,
    value: { held: true, holder: { pid: writer.child.pid } },
  })
  writer.child.kill('SIGKILL')
  await writer.ended
  expect(readLockState(folder)).toEqual({ ok: true, value: { held: false, holder: null } })
  const opened = await openStore(folder)
  expect(opened.ok).toBe(true)
  if (opened.ok) await opened.value.close()
})

test("a position's worker that is terminated lets go of the store, in the same process", async () => {
  const folder = freshFolder()
  for (let round = 0; round < 2; round++) {
    const own = join(folder, String(round))
    const worker = new Worker(new URL('./holding-worker.ts', import.meta.url), { workerData: own })
    const said = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    expect(said).toBe('held')
    expect((await openStore(own)).ok).toBe(false)
    await worker.terminate()
    const opened = await openStore(own)
    expect(opened).toMatchObject({ ok: true })
    if (!opened.ok) continue
    expect(opened.value.recover().lastSeq).toBe(1)
    await opened.value.close()
  }
})
