import { writeSync } from 'node:fs'
import { seededRandom } from '../../../src/base/random.ts'
import { createJournalThread, openStore } from '../../../src/store/journal/open-store.ts'
import type { PostgresPlace, StorePlace } from '../../../src/store/place.ts'
import { eventOf, observationsOf } from './written.ts'

/**
 * A daemon reduced to its stores, all written by one thread: recovers, projects the tail again, then writes bursts for
 * ever. Every number it is notified to be durable goes to stdout at once, by a blocking write: what the parent read is
 * what was acknowledged. Where there are several folders, each line begins with the place of its folder. A place in
 * PostgreSQL comes as JSON.
 */
const [folders = '', seed = '0'] = process.argv.slice(2)
const all: readonly StorePlace[] = folders.startsWith('{')
  ? [JSON.parse(folders) as PostgresPlace]
  : folders.split(',')
/** A machine that tests is busy: what the terms are is not what these tests look at. */
const TERMS = { renewMs: 200, roundTripMs: 500, giveUpMs: 8_000, waitMs: 1_500 }
const thread = createJournalThread()
await Promise.all(all.map((place, index) => write(place, all.length === 1 ? '' : `${index}: `)))

async function write(place: StorePlace, mark: string): Promise<void> {
  const random = seededRandom(Number(seed), `writing-child ${mark}`)
  const opened = await openStore(place, { thread, terms: TERMS })
  if (!opened.ok) {
    writeSync(1, `${mark}refused ${opened.error.message}\n`)
    process.exit(1)
  }
  const store = opened.value
  const { tail, lastSeq } = store.recover()
  for (const { seq } of tail) store.project(seq, observationsOf(seq))
  store.onDurable((durable) => writeSync(1, `${mark}durable ${durable}\n`))
  store.onFailure((failure) => writeSync(1, `${mark}failed ${failure.message}\n`))
  writeSync(1, `${mark}opened ${lastSeq}\n`)

  let seq = lastSeq
  function burst(): void {
    for (let left = 1 + Math.floor(random() * 40); left > 0; left--) {
      seq += 1
      store.append(seq, eventOf(seq))
      store.project(seq, observationsOf(seq))
      if (seq % 97 === 0) store.saveSnapshot({ seq, t: seq, state: `{"at":${seq}}`, digest: `${seq}` })
      if (seq % 1_009 === 0) void store.prune(seq - 500)
    }
    if (store.backlog() > 5_000) setTimeout(burst, 5)
    else setImmediate(burst)
  }
  burst()
}
