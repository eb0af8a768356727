import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { encodeJson } from '../../../src/base/codec.ts'
import { followTreasury } from '../../../src/daemon/runtime/treasury/following/follow-treasury.ts'
import { recoverTreasury } from '../../../src/daemon/runtime/treasury/run-treasury.ts'
import { openStore } from '../../../src/store/journal/open-store.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import type { HoldTerms } from '../../../src/store/postgres/terms.ts'
import { longTreasury } from '../../support/long-treasury.ts'
import { valueOf } from '../../unit/store/store-fixture.ts'
import { until } from '../daemon/until.ts'
import { besidePostgres } from './beside-postgres.ts'

const EVENTS = 3_000
const MORE = 40
/** The machine may be busy. */
const PATIENT: HoldTerms = { renewMs: 1_000, roundTripMs: 500, giveUpMs: 60_000, waitMs: 60_000 }

besidePostgres('A daemon that stands by for a position with a treasury', (databaseUrl) => {
  test('has folded its journal before the take-over, and reads only what came after; a restored one is read anew', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mizani-followed-'))
    const place: PostgresPlace = { url: databaseUrl(), position: 'desk', folder }
    const store = valueOf(await openStore(place, { terms: PATIENT }))
    const write = async (from: number, to: number) => {
      for (const record of longTreasury(from, to)) store.treasury.append(record)
      await until('it is on disk', () => store.treasury.durableSeq() === to)
    }
    await write(1, EVENTS)
    const followed = followTreasury({ place, pauseMs: { caughtUp: 50 } })
    await until('all of it is folded', () => followed.fold()?.seq() === EVENTS)
    followed.end()
    await write(EVENTS + 1, EVENTS + MORE)
    let read = 0
    const journal = {
      recover(from?: number) {
        const records = [...store.treasury.recover(from)]
        read += records.length
        return records
      },
    }
    const ahead = recoverTreasury(journal, followed.fold())
    expect(read).toBe(MORE)
    const whole = recoverTreasury(journal)
    expect(read).toBe(EVENTS + 2 * MORE)
    expect(encodeJson(ahead.treasury.state())).toBe(encodeJson(whole.treasury.state()))
    await store.close()

    // A restored table is another one, with the same rows in it.
    const client = new Client({ connectionString: place.url })
    await client.connect()
    const schema = '"mizani_desk"'
    await client.query(`ALTER TABLE ${schema}.journal RENAME TO lost`)
    await client.query(`CREATE TABLE ${schema}.journal (LIKE ${schema}.lost INCLUDING ALL)`)
    await client.end()
    expect(followed.fold()).toBeNull()
  })
})
