import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  appendTicks,
  durable,
  entryPosted,
  freshFolder,
  openHere,
  valueOf,
} from '../unit/store/store-fixture.ts'

/** A store that a daemon has open, with forty events on disk, and the configuration file of its position. */
export async function backupDesk() {
  const folder = freshFolder()
  const path = join(folder, 'data')
  const store = valueOf(await openHere(path))
  appendTicks(store, 1, 40)
  store.project(40, [entryPosted(1)])
  await durable(store, 40)
  const file = join(folder, 'live.yaml')
  const config = {
    name: 'desk-1',
    venue: { baseUrl: 'http://127.0.0.1:1' },
    strategy: { use: 'fixed-spread', params: { bidBps: 60, askBps: 70 } },
    store: { path },
  }
  writeFileSync(file, JSON.stringify(config).replace('"venue":{', '"venue":{"apiKey": !env MIZANI_API_KEY,'))
  return { file, path, store, out: join(folder, 'backups') }
}
