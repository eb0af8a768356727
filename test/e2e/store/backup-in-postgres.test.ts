import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backup, restore } from '../../../src/cli/backup/backup.ts'
import { copyStore } from '../../../src/store/copy/copy-store.ts'
import { openReader } from '../../../src/store/open-reader.ts'
import type { PostgresPlace } from '../../../src/store/place.ts'
import { asAdministrator, freshPlace, startServer, stopServer } from '../../contract/store/both-stores.ts'
import { backupDesk } from '../../support/backup-desk.ts'
import { captured } from '../../support/captured.ts'
import { needs } from '../../support/needs.ts'
import { postgresSurroundings } from '../../support/postgres.ts'
import { valueOf } from '../../unit/store/store-fixture.ts'

describe.skipIf(needs('initdb', postgresSurroundings()))(
  'backup and restore of a store in PostgreSQL',
  () => {
    beforeAll(startServer)
    afterAll(stopServer)

    test('drill the backup, and restore it into an empty database', async () => {
      const { file, path, store, out } = await backupDesk()
      await store.close()
      const place = freshPlace('PostgreSQL') as PostgresPlace
      const text = readFileSync(file, 'utf8').replace('"name":"desk-1"', `"name":"${place.position}"`)
      writeFileSync(file, text.replace('"store":{', `"store":{"postgres":"${place.url}",`))
      valueOf(await copyStore(path, { ...place, folder: path }))
      rmSync(path, { recursive: true })
      const printed = await captured(() => backup({ config: file, out, keep: 1, drill: true, json: true }))
      expect(printed).toMatchObject({ exitCode: 0 })
      const { folder, lastSeq, drilled } = JSON.parse(printed.out) as Readonly<
        Record<string, string | number>
      >
      expect([lastSeq, drilled]).toEqual([40, expect.stringContaining('40 events')])
      expect(readFileSync(join(path, 'drills.json'), 'utf8')).toContain('"name":"restore"')
      const again = () => captured(() => restore({ config: file, from: String(folder) }))
      expect(await again()).toMatchObject({
        exitCode: 1,
        text: expect.stringContaining('already holds a position') as string,
      })
      await asAdministrator(place, `ALTER SCHEMA "mizani_${place.position}" RENAME TO lost`)
      expect(await again()).toMatchObject({
        exitCode: 0,
        text: expect.stringContaining(`${place.position}: restored to event 40`) as string,
      })
      const reader = valueOf(openReader(place))
      expect([...reader.journal(1)]).toHaveLength(40)
      reader.close()
    })
  },
)
