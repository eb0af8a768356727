import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Pool } from 'pg'
import { err, ok, type Result } from '../../base/result.ts'
import { countingSide } from '../../core/lease/shared-renewal.ts'
import { storeFailureOf, type StoreFailure } from '../failure.ts'
import type { JournalInit, LastNumbers } from '../journal-messages.ts'
import { placeText, type PostgresPlace } from '../place.ts'
import { newerStore, SCHEMA_VERSION } from '../schema.ts'
import { storeFiles } from '../store-files.ts'
import { type StoreLock, takeStoreLock } from '../store-lock.ts'
import { START } from '../tables/operator-actions.ts'
import { checkQueries, checkStore, type CheckedRows } from '../check-store.ts'
import { corruptPostgres, NOT_READ, postgresFailureOf } from './failure.ts'
import { inSchema } from './fence.ts'
import { holderIdentity } from './holder-identity.ts'
import { handOver, isStoodBy } from './hand-over.ts'
import { type Holding, holdPosition, letGo } from './holding.ts'
import { openPool, sendMessage } from './pool.ts'
import { renewEvery, type Renewing } from './renewing.ts'
import type { WrittenSoFar } from './statements.ts'
import { type Candidate, type StandBy, takePosition } from './take-position.ts'
import { HOLD_TERMS, type HoldTerms } from './terms.ts'
import { createPostgresWriter, type PostgresWriter } from './writer.ts'

export type OpenPostgresJournal = {
  readonly writer: PostgresWriter
  readonly onLost: Renewing['onLost']
  /** See `hand-over.ts`. */
  readonly isStoodBy: () => Promise<boolean>
  /** Nothing may be written to the position afterwards. */
  readonly handOver: () => Promise<boolean>
  readonly close: () => Promise<void>
}

/** One connection for writes, another for renewals. */
const CONNECTIONS = 2

/**
 * Takes the lock on this machine and the position in the database, migrates its tables to this version and checks them.
 * Only the holder migrates: a newer standby must not change the tables while an older daemon trades.
 */
export async function openPostgresJournal(
  init: JournalInit,
  place: PostgresPlace,
  standBy?: StandBy,
): Promise<Result<OpenPostgresJournal, StoreFailure>> {
  // Without a URL the client would connect to a local server.
  if (place.url === '') return err(postgresFailureOf(new Error(NOT_READ), place))
  const local = lockHere(init, place)
  if (!local.ok) return local
  const { lock, identity } = local.value
  const pool = openPool(place.url, CONNECTIONS)
  const holder = `${identity} process ${init.pid} on ${hostname()}`
  const terms = init.terms ?? HOLD_TERMS
  const opened = await openHeld(init, { pool, place, holder, waitMs: terms.waitMs }, terms, standBy)
  const release = async () => {
    await pool.end()
    lock.release()
  }
  if (!opened.ok) {
    await release()
    return opened
  }
  const { holding, renewing, writer } = opened.value
  return ok({
    writer,
    onLost: renewing.onLost,
    isStoodBy: () => isStoodBy(holding),
    handOver() {
      renewing.stop()
      return handOver(holding)
    },
    async close() {
      renewing.stop()
      // If the server is gone, the release fails, and the next holder waits until it may take over.
      await letGo(holding).catch(() => undefined)
      await release()
    },
  })
}

/** Refuses a second daemon of one folder immediately, without a server. */
function lockHere(
  { pid, startedAt }: JournalInit,
  { folder }: PostgresPlace,
): Result<{ readonly lock: StoreLock; readonly identity: string }, StoreFailure> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const lock = takeStoreLock(storeFiles(folder), { pid, startedAt })
    return lock.ok ? ok({ lock: lock.value, identity: holderIdentity(folder) }) : lock
  } catch (error) {
    return err(storeFailureOf(error, folder))
  }
}

type Held = {
  readonly holding: Holding
  readonly renewing: Renewing
  readonly writer: PostgresWriter
}

/** Renews the lease from the grant on, because a migration may take longer than a candidate waits. */
async function openHeld(
  { lease }: JournalInit,
  candidate: Candidate & { readonly pool: Pool },
  terms: HoldTerms,
  standBy: StandBy | undefined,
): Promise<Result<Held, StoreFailure>> {
  const { pool, place } = candidate
  const trusted = await checkSettings(pool, place)
  const taken = trusted.ok
    ? await takePosition({ ...candidate, ...(standBy === undefined ? {} : { standBy }) })
    : trusted
  if (!taken.ok) return taken
  const holding = holdPosition({ pool, place, taken: taken.value, terms, lease })
  const renewing = renewEvery(terms.renewMs, holding)
  const writer = await openWriter(holding, pool)
  // From now on the loop must show that it starts.
  if (lease !== undefined) countingSide(lease).step()
  if (writer.ok) return ok({ holding, renewing, writer: writer.value })
  renewing.stop()
  // The next candidate need not wait for a holder that never began.
  await letGo(holding).catch(() => undefined)
  return writer
}

/** Does not let go after a cut connection, because each step can be repeated. */
async function openWriter(holding: Holding, pool: Pool): Promise<Result<PostgresWriter, StoreFailure>> {
  try {
    return await holding.untilAnswered(() => tryToOpen(holding, pool))
  } catch (error) {
    return err(postgresFailureOf(error, holding.place))
  }
}

async function tryToOpen(holding: Holding, pool: Pool): Promise<Result<PostgresWriter, StoreFailure>> {
  const { place } = holding
  const ready = await migrate(pool, place)
  const checked = ready.ok ? await checkPostgres(pool, place) : ready
  if (!checked.ok) return checked
  return ok(createPostgresWriter(holding, { ...checked.value, ...(await readEnds(pool, place)) }))
}

const START_MS = 60_000

const SETTINGS = `SELECT current_setting('synchronous_commit') AS commit, current_setting('fsync') AS fsync,
  current_setting('mizani.may_lose', true) AS may_lose`

/** A server with `mizani.may_lose` set is a test server whose data may be lost in a crash of its machine. */
async function checkSettings(pool: Pool, place: PostgresPlace): Promise<Result<null, StoreFailure>> {
  const refuse = (setting: string, what: string, remedy: string) =>
    err({
      kind: 'io' as const,
      message: `the store in ${placeText(place)} is not safe: ${setting} is off, so that PostgreSQL ${what}; ${remedy}`,
    })
  try {
    const [settings] = await sendMessage(pool, [SETTINGS], START_MS)
    const { commit, fsync, may_lose: mayLose } = settings?.rows[0] ?? {}
    if (commit === 'off')
      return refuse(
        'synchronous_commit',
        'acknowledges writes that a crash of the server would lose',
        'set it to on for this user',
      )
    if (fsync === 'off' && mayLose !== 'on')
      return refuse(
        'fsync',
        'acknowledges writes that a crash of its machine would lose, and may damage all of its tables',
        "set it to on in the server's configuration",
      )
    return ok(null)
  } catch (error) {
    return err(postgresFailureOf(error, place))
  }
}

async function migrate(pool: Pool, place: PostgresPlace): Promise<Result<null, StoreFailure>> {
  const version = await versionOf(pool, place)
  if (version > SCHEMA_VERSION) return err(newerStore(place, version))
  if (version === SCHEMA_VERSION) return ok(null)
  const { migratePostgres } = await import('../migrations/postgres.ts')
  await migratePostgres(pool, place)
  const now = await versionOf(pool, place)
  return now === SCHEMA_VERSION ? ok(null) : err(corruptPostgres(place, `its tables stay at version ${now}`))
}

async function versionOf(pool: Pool, place: PostgresPlace): Promise<number> {
  const there = [inSchema(place), `SELECT to_regclass('meta')::text AS meta`]
  if ((await sendMessage(pool, there, START_MS)).at(-1)?.rows[0]?.['meta'] === null) return 0
  const asked = [inSchema(place), `SELECT value FROM meta WHERE key = 'schemaVersion'`]
  return Number((await sendMessage(pool, asked, START_MS)).at(-1)?.rows[0]?.['value'] ?? 0)
}

async function checkPostgres(pool: Pool, place: PostgresPlace): Promise<Result<LastNumbers, StoreFailure>> {
  // The column type admits only JSON.
  const queries = checkQueries(() => '0')
  const [, ...results] = await sendMessage(pool, [inSchema(place), ...queries], START_MS)
  const [snapshots, journal, treasury] = results.map(({ rows }) => rows)
  const rows = { snapshots, journal: journal?.[0], treasury: treasury?.[0] }
  return checkStore(rows as unknown as CheckedRows, (reason) => corruptPostgres(place, reason))
}

async function readEnds(
  pool: Pool,
  place: PostgresPlace,
): Promise<Pick<WrittenSoFar, 'projected' | 'projectedBefore' | 'chain'>> {
  const [, meta, chain] = await sendMessage(
    pool,
    [
      inSchema(place),
      `SELECT value FROM meta WHERE key = 'projectedSeq'`,
      'SELECT seq, n, hash FROM operator_actions ORDER BY seq DESC, n DESC LIMIT 1',
    ],
    START_MS,
  )
  const projected = Number(meta?.rows[0]?.['value'] ?? 0)
  const last = chain?.rows[0] as WrittenSoFar['chain'] | undefined
  return { projected, projectedBefore: projected, chain: last ?? { seq: 0, n: -1, hash: START } }
}
