import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freshFolder, openHere, tick, valueOf } from '../../unit/store/store-fixture.ts'

test('a database that another program has locked for seven seconds is written once it is free', async () => {
  const folder = freshFolder()
  const store = valueOf(await openHere(folder))
  const other = new DatabaseSync(join(folder, 'mizani.db'))
  other.exec('BEGIN IMMEDIATE')
  store.append(1, tick(1))
  await pause(7_000)
  expect(store.durableSeq()).toBe(0)
  other.exec('ROLLBACK')
  other.close()
  await store.close()
  expect(store.durableSeq()).toBe(1)
})
