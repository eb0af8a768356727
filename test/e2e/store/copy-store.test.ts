import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CloseDocument } from '../../../src/research/close/document/document.ts'
import { verifyFolder } from '../../../src/research/close/verify/verify-folder.ts'
import { closePosition } from '../../../src/research/close/close-position.ts'
import { readBackup, restoreStore } from '../../../src/store/backup.ts'
import { backUpPostgres, restorePostgres } from '../../../src/store/copy/back-up-postgres.ts'
import { copyOut } from '../../../src/store/copy/copy-out.ts'
import { copyStore, type CopyOptions } from '../../../src/store/copy/copy-store.ts'
import { createSumming, TABLE_NAMES } from '../../../src/store/copy/stored-rows.ts'
import { isHeldNow } from '../../../src/store/held-now.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import { folderOf, type PostgresPlace, type StorePlace } from '../../../src/store/place.ts'
import { openPool } from '../../../src/store/postgres/pool.ts'
import { takePosition } from '../../../src/store/postgres/take-position.ts'
import { storeFiles } from '../../../src/store/store-files.ts'
import { readActionChain } from '../../../src/store/tables/operator-actions.ts'
import {
  EVIDENCE,
  freshFolder,
  recordDays,
  storeOf,
  VERIFIER,
} from '../../unit/research/close/close-fixture.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings } from '../../support/postgres.ts'
import {
  appendTicks,
  durable,
  entryPosted,
  errorOf,
  fillPosted,
  midChanged,
  openHere,
  valueOf,
} from '../../unit/store/store-fixture.ts'
import {
  change,
  freshPlace,
  open,
  PATIENT,
  SERVED_HERE,
  startServer,
  stopServer,
} from '../../contract/store/both-stores.ts'

beforeAll(startServer)
afterAll(stopServer)

const OPTIONS: CopyOptions = { terms: PATIENT, thread: SERVED_HERE }
const ODD = `a'b"c\\d;--$1 ?\u0000 \u{1F600}`

/** A store with rows in every table, of which the oldest events were dropped. */
async function fill(place: StorePlace): Promise<void> {
  const events = 40
  const store = valueOf(await open(place))
  appendTicks(store, 1, events)
  for (let seq = 1; seq <= events; seq++) {
    const balances = { NTZS: 10n ** 20n, USDC: BigInt(seq), USDT: 10n ** 12n, 'USDT.bnb': 10n ** 18n }
    const bps = { bidBps: 40, askBps: null, bestBidBps: 55, bestAskBps: null }
    store.project(seq, [
      fillPosted(`f-${seq}`, { earnedText: ODD, amountOut: 10n ** 30n + BigInt(seq) }),
      entryPosted(seq),
      midChanged(seq * 1_000),
      { type: 'sample', t: seq * 60_000, mid: 3n ** 50n, fairValue: null, ...bps, balances, pnl: null },
      { type: 'operator', t: seq, who: 'anna', why: ODD, command: 'pause', accepted: true, answer: 'yes' },
      { type: 'rowQuarantined', t: 1, row: { id: null, reason: ODD, raw: '{}' } } as never,
      { type: 'quoteConfirmed', t: seq, spread: QUOTE, by: 'answer' } as never,
    ])
  }
  for (const seq of [10, 20, 30, 35])
    store.saveSnapshot({ seq, t: seq, state: `{"at":${seq}}`, digest: `d${seq}` })
  store.saveSuspension({ seq: 12, reason: ODD })
  store.treasury.append({ seq: 1, t: 1, type: 'tick', body: '{"n":1}' })
  store.treasury.note(1, [{ t: 1, type: 'intentMoved', body: '{}' }])
  await durable(store, events)
  await store.prune(15)
  await store.close()
}

const QUOTE = { bidBps: 60, askBps: 70, quoteBid: true, quoteAsk: false, quotePairs: ['USDC'] }

function recovered(place: StorePlace): unknown {
  const reader = valueOf(openReader(place))
  const events = [...reader.journal(reader.firstSeq())]
  const fills = [...reader.rows('fills')]
  reader.close()
  return { events, fills, chain: valueOf(readActionChain(place)) }
}

const inFolder = ({ folder }: PostgresPlace): string => folder

describe.skipIf(needs('initdb', postgresSurroundings()))('a copied store', () => {
  test('has every row of the first one, to PostgreSQL and back, and a daemon continues with the next event', async () => {
    const postgres = freshPlace('PostgreSQL') as PostgresPlace
    // As with a configuration that gets a database: the folder stays what it was.
    const first = inFolder(postgres)
    await fill(first)
    let rows = 0
    const there = valueOf(await copyStore(first, postgres, { ...OPTIONS, onRows: (more) => (rows += more) }))
    expect(there.lastSeq).toBe(40)
    expect(TABLE_NAMES.filter((table) => there.tables[table].rows === 0)).toEqual([])
    expect(rows).toBe(Object.values(there.tables).reduce((sum, table) => sum + table.rows, 0))

    const back = freshPlace('SQLite')
    expect(valueOf(await copyStore(postgres, back, OPTIONS)).tables).toEqual(there.tables)
    expect(recovered(back)).toEqual(recovered(postgres))
    for (const place of [postgres, back]) {
      const store = valueOf(await open(place))
      expect(store.recover()).toMatchObject({ lastSeq: 40, snapshot: { seq: 35 } })
      appendTicks(store, 41, 45)
      store.project(41, [fillPosted('f-41')])
      await durable(store, 45)
      await store.close()
    }
    expect(recovered(back)).toEqual(recovered(postgres))
  })

  test('is never written over a position, and is refused beside a daemon of either of them', async () => {
    const postgres = freshPlace('PostgreSQL') as PostgresPlace
    const elsewhere = freshPlace('SQLite') as string
    await fill(elsewhere)
    const running = valueOf(await openHere(elsewhere))
    expect(errorOf(await copyStore(elsewhere, postgres, OPTIONS))).toMatchObject({ kind: 'locked' })
    await running.close()
    valueOf(await copyStore(elsewhere, postgres, OPTIONS))
    const taken = errorOf(await copyStore(elsewhere, postgres, OPTIONS))
    expect(taken.message).toContain('already holds a position')
    expect(taken.message).toContain('rename its schema')
    expect(errorOf(await copyStore(postgres, elsewhere, OPTIONS)).message).toContain('mizani.db')

    const holder = valueOf(await open(postgres))
    const refused = errorOf(await copyStore(postgres, freshPlace('SQLite'), OPTIONS))
    expect(refused).toMatchObject({ kind: 'locked' })
    await holder.close()
    const none = errorOf(await copyStore(freshPlace('SQLite'), freshPlace('PostgreSQL'), OPTIONS))
    expect(none.message).toContain('no store in')
  })

  test('is backed up as it was at one moment while its daemon writes on, and restored to either database', async () => {
    const postgres = freshPlace('PostgreSQL') as PostgresPlace
    await fill(postgres)
    const before = recovered(postgres)
    const daemon = valueOf(await open(postgres))
    const apart = freshFolder()
    let isFirst = true
    const copied = await copyOut(postgres, apart, async () => {
      if (!isFirst) return
      isFirst = false
      appendTicks(daemon, 41, 60)
      for (let seq = 41; seq <= 60; seq++) daemon.project(seq, [fillPosted(`f-${seq}`), entryPosted(seq)])
      daemon.treasury.append({ seq: 2, t: 2, type: 'tick', body: '{"n":2}' })
      await durable(daemon, 60)
      await daemon.prune(30)
    })
    valueOf(copied)
    expect(recovered(apart)).toEqual(before)
    // No one's hold was touched.
    appendTicks(daemon, 61, 61)
    await durable(daemon, 61)
    await daemon.close()

    const made = await backUpPostgres(postgres, 'desk', freshFolder(), 1_000)
    if (!made.ok) throw new Error(made.error)
    expect(made.value.manifest).toMatchObject({ position: 'desk', lastSeq: 61 })
    const read = readBackup(made.value.folder)
    if (!read.ok) throw new Error(read.error)
    const again = freshPlace('PostgreSQL') as PostgresPlace
    expect(await restorePostgres(read.value, again, OPTIONS)).toMatchObject({ ok: true })
    expect(recovered(again)).toEqual(recovered(postgres))
    expect(await restorePostgres(read.value, again, OPTIONS)).toMatchObject({
      ok: false,
      error: expect.stringContaining('a copy never overwrites') as string,
    })
    const folder = freshFolder()
    expect(restoreStore(read.value, folder)).toMatchObject({ ok: true })
    expect(recovered(folder)).toEqual(recovered(postgres))
    // The backup is as it was written.
    expect(readBackup(made.value.folder).ok).toBe(true)
  })

  test('of no position, or of another version, is not backed up, and the words name what to do', async () => {
    const postgres = freshPlace('PostgreSQL') as PostgresPlace
    const why = async () => errorOf(await copyOut(postgres, freshFolder())).message
    expect(await why()).toContain('store in PostgreSQL')
    await fill(postgres)
    await change(postgres, `UPDATE meta SET value = '4' WHERE key = 'schemaVersion'`)
    expect(await why()).toContain('an earlier version')
    await change(postgres, `UPDATE meta SET value = '99' WHERE key = 'schemaVersion'`)
    expect(await why()).toContain('the newer mizani')
    const out = freshFolder()
    expect((await backUpPostgres(postgres, 'desk', out, 1_000)).ok).toBe(false)
    expect(readdirSync(out)).toEqual([])
  })

  test('is closed day by day as the first one is, and its last day is final once no daemon holds it', async () => {
    const postgres = freshPlace('PostgreSQL') as PostgresPlace
    const first = inFolder(postgres)
    await storeOf(recordDays(), first)
    const position = postgres.position
    valueOf(await copyStore(first, postgres, OPTIONS))
    const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23']
    const now = Date.parse('2026-11-25T00:05:00Z')
    const closing = { signer: null, evidence: EVIDENCE, fleet: null }
    const closeAll = async (place: StorePlace, out: string) => {
      const store = { path: first, place, keepJournalDays: 30, terms: null }
      const config = { core: { name: position }, store, close: { timezone: 'UTC', timestamp: null } }
      for (const day of days)
        expect(await closePosition(config, { ...closing, day, out }, now)).toMatchObject({ ok: true })
      return days.map((day) => readFileSync(join(out, `${day}.json`), 'utf8'))
    }
    const status = (texts: readonly string[]) => (JSON.parse(texts.at(-1) ?? '') as CloseDocument).status
    const out = freshFolder()
    const holder = valueOf(await open(postgres))
    expect(status(await closeAll(postgres, out))).toBe('provisional')
    await holder.close()
    const closed = await closeAll(postgres, out)
    expect(status(closed)).toBe('final')
    expect(closed).toEqual(await closeAll(first, freshFolder()))
    expect(verifyFolder(out, VERIFIER)).toMatchObject({ ok: true, value: { problems: [], position } })
  })

  test('is held while a daemon gives signs of life, on whatever machine, and not by one that was killed', async () => {
    const postgres = freshPlace('PostgreSQL') as PostgresPlace
    const elsewhere = { ...postgres, folder: freshFolder() }
    expect(valueOf(await isHeldNow(elsewhere))).toBe(false)
    const holder = valueOf(await open(postgres))
    expect(valueOf(await isHeldNow(postgres))).toBe(true)
    expect(valueOf(await isHeldNow(elsewhere, 2_000))).toBe(true)
    await holder.close()
    expect(valueOf(await isHeldNow(elsewhere))).toBe(false)
    const pool = openPool(postgres.url, 1)
    // Takes it, and gives no sign of life after that: as one that is gone with kill -9.
    valueOf(await takePosition({ pool, place: postgres, holder: 'one process 1 on here', waitMs: 100 }))
    await pool.end()
    expect(valueOf(await isHeldNow(elsewhere, 300))).toBe(false)
    const away = { ...elsewhere, url: 'postgres://user:hidden@127.0.0.1:1/none' }
    expect(errorOf(await isHeldNow(away)).message).toMatch(/^(?!.*hidden).*ECONNREFUSED/)
  })

  test('keeps nothing where the source breaks in the middle, and then can be made again', async () => {
    const postgres = freshPlace('PostgreSQL') as PostgresPlace
    const first = inFolder(postgres)
    await fill(first)
    const db = new DatabaseSync(storeFiles(first).database)
    const kept = db.prepare('SELECT sql FROM sqlite_master WHERE name = ?').get('samples')?.['sql']
    db.exec('ALTER TABLE samples RENAME TO gone')
    db.close()
    expect(errorOf(await copyStore(first, postgres, OPTIONS)).message).toContain('table: samples')
    expect(kept).toBeDefined()
    const reader = valueOf(openReader(postgres))
    expect([reader.lastSeq(), [...reader.rows('fills')]]).toEqual([0, []])
    reader.close()
    await change(first, 'ALTER TABLE gone RENAME TO samples')
    expect(valueOf(await copyStore(first, postgres, OPTIONS)).lastSeq).toBe(40)
  })

  test('has every table that the migrations make', async () => {
    const place = freshPlace('SQLite')
    await valueOf(await open(place)).close()
    const db = new DatabaseSync(storeFiles(folderOf(place)).database)
    const made = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kysely%'")
      .all()
    db.close()
    expect(made.map(({ name }) => String(name)).toSorted()).toEqual([...TABLE_NAMES].toSorted())
  })

  test('differs in its sum wherever a cell does', () => {
    const cell = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constantFrom('1', 'null', ''))
    const sumOf = (rows: readonly (string | number | null)[][]) => {
      const summing = createSumming()
      summing.add(rows)
      return summing.sum().sha256
    }
    const table = fc.array(fc.tuple(cell, cell), { maxLength: 4 })
    fc.assert(
      fc.property(table, table, (a, b) => {
        expect(sumOf(a) === sumOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })
})
