import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/journal/open-store.ts'
import type { StorePlace } from '../src/store/place.ts'
import { needs } from '../test/support/needs.ts'
import { postgresSurroundings, startPostgres } from '../test/support/postgres.ts'
import { shortOr } from './harness/short.ts'
import { round, timeBulk, timeTurns } from './store/time-writing.ts'

const ROUNDS = shortOr(1, 5)
const TURNS = shortOr(50, 500)
const BULK = shortOr(5_000, 50_000)

type Written = Readonly<Record<string, number>>

/**
 * The store in PostgreSQL beside SQLite, in turns, both on this machine's temporary disk and both with what they
 * acknowledge on it. PostgreSQL runs on this machine: a network adds its round trip to each durable answer.
 */
export default async function benchStoreInPostgres(): Promise<Record<string, unknown>> {
  if (needs('initdb', postgresSurroundings())) return { skipped: 'PostgreSQL is not installed' }
  const server = await startPostgres({ keepsOnDisk: true })
  try {
    const [sqlite, postgres]: [Written[], Written[]] = [[], []]
    for (let turn = 0; turn < ROUNDS; turn++) {
      const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-store-'))
      sqlite.push(await measure(folder))
      postgres.push(
        await measure({ url: server.url, position: `bench-${turn}`, folder: join(folder, 'held') }),
      )
      rmSync(folder, { recursive: true, force: true })
    }
    const [beside, here] = [medians(sqlite), medians(postgres)]
    const ratios = Object.entries(here).map(([name, value]) => [
      name,
      round(value / (beside[name] ?? Number.NaN)),
    ])
    return { rounds: ROUNDS, sqlite: beside, postgres: here, postgresToSqlite: Object.fromEntries(ratios) }
  } finally {
    server.stop()
  }
}

async function measure(place: StorePlace): Promise<Written> {
  const opened = await openStore(place)
  if (!opened.ok) throw new Error(opened.error.message)
  const store = opened.value
  const { durableMsP50 = 0, durableMsP99 = 0 } = await timeTurns(store, TURNS)
  const eventsPerSecond = await timeBulk(store, TURNS, BULK)
  await store.close()
  return { durableMsP50, durableMsP99, eventsPerSecond }
}

function medians(rounds: readonly Written[]): Written {
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(
    names.map((name) => {
      const sorted = rounds.map((written) => written[name] ?? Number.NaN).toSorted((a, b) => a - b)
      return [name, sorted[Math.floor(sorted.length / 2)] ?? Number.NaN]
    }),
  )
}
