import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyStoreCommand } from '../../../src/cli/backup/copy-store.ts'
import { readStoreOrigin } from '../../../src/daemon/runtime/treasury/store-origin.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { freshPlace, startServer, stopServer } from '../../contract/store/both-stores.ts'
import { captured } from '../../support/captured.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings } from '../../support/postgres.ts'
import { appendTicks, durable, openHere, valueOf } from '../../unit/store/store-fixture.ts'

beforeAll(startServer)
afterAll(stopServer)

/** The configuration of a position, with its store in PostgreSQL or in the folder. */
function configure({ folder, position }: PostgresPlace, postgres: string | null): string {
  const file = join(folder, 'live.yaml')
  const config = {
    name: position,
    venue: { baseUrl: 'http://127.0.0.1:1' },
    strategy: { use: 'fixed-spread', params: { bidBps: 60, askBps: 70 } },
    store: { path: join(folder, 'data'), postgres },
  }
  writeFileSync(file, JSON.stringify(config).replace('"venue":{', '"venue":{"apiKey": !env MIZANI_API_KEY,'))
  return file
}

describe.skipIf(needs('initdb', postgresSurroundings()))('mizani copy-store', () => {
  test('moves the folder of a position to PostgreSQL and back, and a treasury takes the copy for the original', async () => {
    const place = freshPlace('PostgreSQL') as PostgresPlace
    const path = join(place.folder, 'data')
    const store = valueOf(await openHere(path))
    appendTicks(store, 1, 40)
    await durable(store, 40)
    await store.close()
    await readStoreOrigin({ path, place: path }, true).adopt()

    const file = configure(place, place.url)
    const moved = await captured(() => copyStoreCommand({ config: file }))
    expect(moved).toMatchObject({ exitCode: 0 })
    expect(moved.text).toContain(`event 40 copied`)
    const there = { ...place, folder: path }
    expect(readStoreOrigin({ path, place: there }, true).isRestored).toBe(false)
    const again = await captured(() => copyStoreCommand({ config: file }))
    expect(again).toMatchObject({ exitCode: 1 })
    expect(again.text).toContain('a copy never overwrites')

    configure(place, null)
    rmSync(join(path, 'mizani.db'))
    const from = `${place.url}?position=${place.position}`
    const back = await captured(() => copyStoreCommand({ config: file, from, json: true }))
    expect(JSON.parse(back.out)).toMatchObject({ lastSeq: 40, tables: { journal: { rows: 40 } } })
    expect(readStoreOrigin({ path, place: path }, true).isRestored).toBe(false)
  })

  test('refuses a source that it cannot name, and another folder than the one that keeps tokens and the signer', async () => {
    const place = freshPlace('PostgreSQL') as PostgresPlace
    const inFolder = configure(place, null)
    const unnamed = await captured(() => copyStoreCommand({ config: inFolder }))
    expect(unnamed).toMatchObject({ exitCode: 2 })
    expect(unnamed.text).toContain('--from postgres://HOST/DATABASE?position=NAME')
    const wrong = await captured(() => copyStoreCommand({ config: inFolder, from: 'postgres://db/desks' }))
    expect(wrong).toMatchObject({ exitCode: 2 })
    const inPostgres = configure(place, place.url)
    const other = await captured(() => copyStoreCommand({ config: inPostgres, from: '/elsewhere' }))
    expect(other).toMatchObject({ exitCode: 2 })
    expect(other.text).toContain('keep store.path')
    expect(await captured(() => copyStoreCommand({ config: inPostgres }))).toMatchObject({ exitCode: 1 })
  })
})
