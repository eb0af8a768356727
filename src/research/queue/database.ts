import { Pool } from 'pg'
import { dialled } from '../../store/postgres/pool.ts'
import { Logger, runMigrations } from 'graphile-worker'
import { databaseProblem } from '../../base/outgoing.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'

/** A kind of work that several processes share: its batches, and the results of their parts. */
export type WorkKind<Batch extends { readonly id: string }, Result> = {
  /** Schema of its tables. */
  readonly schema: string
  /** The numbers of a batch's parts. */
  readonly partsOf: (batch: Batch) => readonly number[]
  /** Returns the part that a result belongs to. */
  readonly partOf: (result: Result) => number
}

/** Progress of a batch over all its workers. */
export type QueueStatus = {
  readonly results: number
  /** Reason of an early end; null = no failure. */
  readonly failure: string | null
}

/** The batches of one kind in one PostgreSQL database. Every call may throw an error of the database. */
export type QueueDatabase<Batch, Result> = {
  readonly pgPool: Pool
  /** The name of a batch's jobs. A worker must check that it has the same inputs before taking these jobs. */
  readonly taskOf: (batch: string) => string
  /** Batches that are not complete, oldest first. */
  readonly open: () => Promise<readonly Batch[]>
  /** Publishes a batch and adds a job for each part without a result. Idempotent. */
  readonly publish: (batch: Batch, done: Iterable<Result>) => Promise<void>
  readonly status: (batch: string) => Promise<QueueStatus>
  readonly hasResult: (batch: string, part: number) => Promise<boolean>
  /** Returns the results except those of the parts in `known`. */
  readonly results: (batch: string, known: readonly number[]) => Promise<readonly Result[]>
  /** Stores the first result of a part; drops a second one. */
  readonly keep: (batch: string, result: Result, worker: string) => Promise<void>
  /** Ends a batch early. Keeps the first reason. */
  readonly fail: (batch: string, why: string) => Promise<void>
  /** Records that a worker is alive. */
  readonly beat: (worker: string, batch: string) => Promise<void>
  readonly leave: (worker: string) => Promise<void>
  /** Releases the jobs of workers that have not renewed for `lease`. */
  readonly release: (batch: string, lease: Ms) => Promise<void>
  readonly close: () => Promise<void>
}

/** Address of a queue. A worker that is silent for longer than the lease loses its jobs to others. */
export type QueueChoice = { readonly url: string; readonly leaseMs: Ms }

/** Separate tables for graphile-worker, so that other applications may use another version of it. */
export const JOBS_SCHEMA = 'mizani_sweep_jobs'

/** The tables of every kind are named after sweeps, the first kind. */
const tablesIn = (schema: string): string => `
create schema if not exists ${schema};
create table if not exists ${schema}.sweep (
  id text primary key, manifest text not null, variants integer not null,
  failure text, created_at timestamptz not null default now());
create table if not exists ${schema}.result (
  sweep text not null references ${schema}.sweep on delete cascade, variant integer not null,
  result text not null, worker text not null, made_at timestamptz not null default now(),
  primary key (sweep, variant));
create table if not exists ${schema}.worker (
  id text primary key, sweep text not null, seen_at timestamptz not null);
`

/** graphile-worker counts a kill as an attempt; a machine that restarts all night must not exhaust them. */
const MAX_ATTEMPTS = 10_000

const ONE_AT_A_TIME = 'select pg_advisory_xact_lock(727273)'

/** For our own queries, and for graphile-worker to listen. */
const SPARE_CONNECTIONS = 3

/**
 * Connects with enough connections for the workers, and creates missing tables. The error is a sentence without the
 * password.
 */
export async function openQueueDatabase<Batch extends { readonly id: string }, Kept>(
  kind: WorkKind<Batch, Kept>,
  url: string,
  workers: number,
): Promise<Result<QueueDatabase<Batch, Kept>, string>> {
  const allowPlain = URL.parse(url)?.searchParams.get('allowPlain') === 'true'
  const problem = databaseProblem(url, allowPlain, process.env)
  if (problem !== null) return err(`--queue: ${problem}`)
  const max = workers + SPARE_CONNECTIONS
  const pgPool = new Pool({ connectionString: url, max, ...dialled(10_000) })
  // An idle connection may break; the next request reports it.
  pgPool.on('error', () => undefined)
  pgPool.on('connect', (client) => client.on('error', () => undefined))
  try {
    await inTransaction(pgPool, [{ text: ONE_AT_A_TIME }, { text: tablesIn(kind.schema) }])
    await runMigrations({ pgPool, schema: JOBS_SCHEMA, logger: quietLogger })
    return ok(databaseOf(pgPool, kind))
  } catch (thrown) {
    await pgPool.end()
    const { code, message } = thrown as { code?: string; message?: string }
    return err(`--queue: ${[message, code].filter((part) => part !== undefined && part !== '').join(' ')}`)
  }
}

function databaseOf<Batch extends { readonly id: string }, Kept>(
  pgPool: Pool,
  kind: WorkKind<Batch, Kept>,
): QueueDatabase<Batch, Kept> {
  const { schema } = kind
  const rows = async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await pgPool.query<Row>(text, [...values])).rows
  const run = async (text: string, values: readonly unknown[]) => void (await pgPool.query(text, [...values]))
  const taskOf = (batch: string) => `${schema.replaceAll('_', '-')}-${batch.slice(0, 16)}`
  return {
    pgPool,
    taskOf,
    async open() {
      const found = await rows<{ manifest: string }>(
        `select manifest from ${schema}.sweep as sweep where failure is null and variants >
           (select count(*) from ${schema}.result where result.sweep = sweep.id) order by created_at, id`,
        [],
      )
      return found.map(({ manifest }) => JSON.parse(manifest) as Batch)
    },
    publish: (batch, done) => publish(pgPool, kind, taskOf(batch.id), batch, [...done]),
    async status(batch) {
      const [found] = await rows<{ results: number; failure: string | null }>(
        `select failure, (select count(*)::int from ${schema}.result where sweep = $1) as results
           from ${schema}.sweep where id = $1`,
        [batch],
      )
      return found ?? { results: 0, failure: 'the batch was removed from the queue' }
    },
    ...resultsIn(pgPool, kind),
    fail: (batch, why) =>
      run(`update ${schema}.sweep set failure = coalesce(failure, $2) where id = $1`, [batch, why]),
    beat: (worker, batch) =>
      run(
        `insert into ${schema}.worker (id, sweep, seen_at) values ($1, $2, now())
           on conflict (id) do update set seen_at = now()`,
        [worker, batch],
      ),
    leave: (worker) => run(`delete from ${schema}.worker where id = $1`, [worker]),
    release: (batch, lease) => run(releaseIn(schema), [taskOf(batch), lease]),
    close: () => pgPool.end(),
  }
}

/** Returns access to the results of the batches of a kind. */
function resultsIn<Batch extends { readonly id: string }, Kept>(
  pgPool: Pool,
  { schema, partOf }: WorkKind<Batch, Kept>,
): Pick<QueueDatabase<Batch, Kept>, 'hasResult' | 'results' | 'keep'> {
  return {
    async hasResult(batch, part) {
      const { rows } = await pgPool.query(
        `select 1 as there from ${schema}.result where sweep = $1 and variant = $2`,
        [batch, part],
      )
      return rows.length > 0
    },
    async results(batch, known) {
      const { rows } = await pgPool.query<{ result: string }>(
        `select result from ${schema}.result where sweep = $1 and variant <> all($2::int[])`,
        [batch, known],
      )
      return rows.map(({ result }) => JSON.parse(result) as Kept)
    },
    async keep(batch, result, worker) {
      await pgPool.query(
        `insert into ${schema}.result (sweep, variant, result, worker) values ($1, $2, $3, $4)
           on conflict do nothing`,
        [batch, partOf(result), JSON.stringify(result), worker],
      )
    },
  }
}

/** A worker killed before its first heartbeat has no row; use the age of its lock. */
const releaseIn = (schema: string): string => `
with silent as (
  select distinct locked_by from ${JOBS_SCHEMA}.jobs
  where task_identifier = $1 and locked_at < now() - $2 * interval '1 millisecond'
    and not exists (select from ${schema}.worker
      where id = locked_by and seen_at >= now() - $2 * interval '1 millisecond'))
select ${JOBS_SCHEMA}.force_unlock_workers(array_agg(locked_by)) from silent having count(*) > 0`

/** In one transaction under a lock, so that two concurrent publishers of a batch add each job only once. */
async function publish<Batch extends { readonly id: string }, Kept>(
  pgPool: Pool,
  { schema, partsOf, partOf }: WorkKind<Batch, Kept>,
  task: string,
  batch: Batch,
  done: readonly Kept[],
): Promise<void> {
  const { id } = batch
  const results = done.map((result) => JSON.stringify(result))
  const parts = partsOf(batch)
  await inTransaction(pgPool, [
    { text: ONE_AT_A_TIME },
    {
      text: `insert into ${schema}.sweep (id, manifest, variants) values ($1, $2, $3)
               on conflict (id) do update set failure = null`,
      values: [id, JSON.stringify(batch), parts.length],
    },
    {
      text: `insert into ${schema}.result (sweep, variant, result, worker)
               select $1, variant, result, 'local' from unnest($2::int[], $3::text[]) as given (variant, result)
               on conflict do nothing`,
      values: [id, done.map(partOf), results],
    },
    {
      // An existing job, locked or not, is not changed.
      text: `select ${JOBS_SCHEMA}.add_job($2, json_build_object('variant', number), job_key := $1 || ':' || number,
                 job_key_mode := 'unsafe_dedupe', max_attempts := $3)
               from unnest($4::int[]) as number where not exists
                 (select from ${schema}.result where sweep = $1 and variant = number)`,
      values: [id, task, MAX_ATTEMPTS, [...parts]],
    },
  ])
}

type Statement = { readonly text: string; readonly values?: unknown[] }

async function inTransaction(pgPool: Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pgPool.connect()
  try {
    await client.query('begin')
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
    client.release()
  } catch (thrown) {
    // Closes the connection together with its transaction.
    client.release(true)
    throw thrown
  }
}

/** graphile-worker logs every job to the console; the work itself reports what matters. */
export const quietLogger = new Logger(() => () => undefined)
