import { Pool } from 'pg'
import { Logger, runMigrations } from 'graphile-worker'
import { err, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { Manifest } from '../results/identity.ts'
import type { VariantResult } from '../variant-job.ts'

/** How far a sweep is, wherever it is worked at. */
export type QueueStatus = {
  readonly results: number
  /** What ended it before its end, in words; null = nothing. */
  readonly failure: string | null
}

/** The sweeps of one PostgreSQL database. Every call may throw what the database says. */
export type QueueDatabase = {
  readonly pgPool: Pool
  /** Sweeps that are not complete, oldest first. */
  readonly openSweeps: () => Promise<readonly Manifest[]>
  /** Makes a sweep known and puts a job there for each variant without a result; doing it twice does no more. */
  readonly publish: (manifest: Manifest, done: Iterable<VariantResult>) => Promise<void>
  readonly status: (sweep: string) => Promise<QueueStatus>
  readonly hasResult: (sweep: string, variant: number) => Promise<boolean>
  /** Results beyond those in `known`. */
  readonly results: (sweep: string, known: readonly number[]) => Promise<readonly VariantResult[]>
  /** Keeps the first result of a variant; a second one is dropped. */
  readonly keep: (sweep: string, result: VariantResult, worker: string) => Promise<void>
  /** Ends a sweep before its end; the first reason stays. */
  readonly fail: (sweep: string, why: string) => Promise<void>
  /** Says that a worker lives. */
  readonly beat: (worker: string, sweep: string) => Promise<void>
  readonly leave: (worker: string) => Promise<void>
  /** Gives back the jobs of workers that have not been heard of for `lease`. */
  readonly release: (sweep: string, lease: Ms) => Promise<void>
  readonly close: () => Promise<void>
}

/** graphile-worker's tables are ours alone, so that no other application's version of them matters. */
export const JOBS_SCHEMA = 'mizani_sweep_jobs'

const TABLES = `
create schema if not exists mizani_sweep;
create table if not exists mizani_sweep.sweep (
  id text primary key, manifest text not null, variants integer not null,
  failure text, created_at timestamptz not null default now());
create table if not exists mizani_sweep.result (
  sweep text not null references mizani_sweep.sweep on delete cascade, variant integer not null,
  result text not null, worker text not null, made_at timestamptz not null default now(),
  primary key (sweep, variant));
create table if not exists mizani_sweep.worker (
  id text primary key, sweep text not null, seen_at timestamptz not null);
`

/** A kill is an attempt to graphile-worker; a machine that comes and goes all night is no reason to give up. */
const MAX_ATTEMPTS = 10_000

const ONE_AT_A_TIME = 'select pg_advisory_xact_lock(727273)'

/** For the sweep's own questions, and for graphile-worker to listen. */
const SPARE_CONNECTIONS = 3

/**
 * Connects for that many workers, and makes the tables where they are missing. The error is a sentence without
 * the password.
 */
export async function openQueueDatabase(
  url: string,
  workers: number,
): Promise<Result<QueueDatabase, string>> {
  const max = workers + SPARE_CONNECTIONS
  const pgPool = new Pool({ connectionString: url, max, connectionTimeoutMillis: 10_000 })
  // Connections that idle may break; whoever asks next hears of it.
  pgPool.on('error', () => undefined)
  pgPool.on('connect', (client) => client.on('error', () => undefined))
  try {
    await inTransaction(pgPool, [{ text: ONE_AT_A_TIME }, { text: TABLES }])
    await runMigrations({ pgPool, schema: JOBS_SCHEMA, logger: quietLogger })
    return ok(databaseOf(pgPool))
  } catch (thrown) {
    await pgPool.end()
    const { code, message } = thrown as { code?: string; message?: string }
    return err(`--queue: ${[message, code].filter((part) => part !== undefined && part !== '').join(' ')}`)
  }
}

/** The name of a sweep's jobs: who runs them has made sure that it has the same configuration and tape. */
export function taskOf(sweep: string): string {
  return `mizani-sweep-${sweep.slice(0, 16)}`
}

function databaseOf(pgPool: Pool): QueueDatabase {
  const rows = async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await pgPool.query<Row>(text, [...values])).rows
  const run = async (text: string, values: readonly unknown[]) => void (await pgPool.query(text, [...values]))
  return {
    pgPool,
    async openSweeps() {
      const found = await rows<{ manifest: string }>(
        `select manifest from mizani_sweep.sweep as sweep where failure is null and variants >
           (select count(*) from mizani_sweep.result where result.sweep = sweep.id) order by created_at, id`,
        [],
      )
      return found.map(({ manifest }) => JSON.parse(manifest) as Manifest)
    },
    publish: (manifest, done) => publish(pgPool, manifest, [...done]),
    async status(sweep) {
      const [found] = await rows<{ results: number; failure: string | null }>(
        `select failure, (select count(*)::int from mizani_sweep.result where sweep = $1) as results
           from mizani_sweep.sweep where id = $1`,
        [sweep],
      )
      return found ?? { results: 0, failure: 'the sweep was removed from the queue' }
    },
    async hasResult(sweep, variant) {
      const found = await rows(
        'select 1 as there from mizani_sweep.result where sweep = $1 and variant = $2',
        [sweep, variant],
      )
      return found.length > 0
    },
    async results(sweep, known) {
      const found = await rows<{ result: string }>(
        'select result from mizani_sweep.result where sweep = $1 and variant <> all($2::int[])',
        [sweep, known],
      )
      return found.map(({ result }) => JSON.parse(result) as VariantResult)
    },
    keep: (sweep, result, worker) =>
      run(
        `insert into mizani_sweep.result (sweep, variant, result, worker) values ($1, $2, $3, $4)
           on conflict do nothing`,
        [sweep, result.variant, JSON.stringify(result), worker],
      ),
    fail: (sweep, why) =>
      run('update mizani_sweep.sweep set failure = coalesce(failure, $2) where id = $1', [sweep, why]),
    beat: (worker, sweep) =>
      run(
        `insert into mizani_sweep.worker (id, sweep, seen_at) values ($1, $2, now())
           on conflict (id) do update set seen_at = now()`,
        [worker, sweep],
      ),
    leave: (worker) => run('delete from mizani_sweep.worker where id = $1', [worker]),
    release: (sweep, lease) => run(RELEASE, [taskOf(sweep), lease]),
    close: () => pgPool.end(),
  }
}

/** A worker that is killed before its first beat has no row at all: the age of its lock speaks for it. */
const RELEASE = `
with silent as (
  select distinct locked_by from ${JOBS_SCHEMA}.jobs
  where task_identifier = $1 and locked_at < now() - $2 * interval '1 millisecond'
    and not exists (select from mizani_sweep.worker
      where id = locked_by and seen_at >= now() - $2 * interval '1 millisecond'))
select ${JOBS_SCHEMA}.force_unlock_workers(array_agg(locked_by)) from silent having count(*) > 0`

/** All or nothing, and one at a time: two that publish the same sweep put each job there once. */
async function publish(
  pgPool: Pool,
  { id, ...manifest }: Manifest,
  done: readonly VariantResult[],
): Promise<void> {
  const results = done.map((result) => JSON.stringify(result))
  await inTransaction(pgPool, [
    { text: ONE_AT_A_TIME },
    {
      text: `insert into mizani_sweep.sweep (id, manifest, variants) values ($1, $2, $3)
               on conflict (id) do update set failure = null`,
      values: [id, JSON.stringify({ id, ...manifest }), manifest.variants.length],
    },
    {
      text: `insert into mizani_sweep.result (sweep, variant, result, worker)
               select $1, variant, result, 'local' from unnest($2::int[], $3::text[]) as given (variant, result)
               on conflict do nothing`,
      values: [id, done.map(({ variant }) => variant), results],
    },
    {
      // A job that is there, locked or not, stays as it is.
      text: `select ${JOBS_SCHEMA}.add_job($2, json_build_object('variant', number), job_key := $1 || ':' || number,
                 job_key_mode := 'unsafe_dedupe', max_attempts := $3)
               from unnest($4::int[]) as number where not exists
                 (select from mizani_sweep.result where sweep = $1 and variant = number)`,
      values: [id, taskOf(id), MAX_ATTEMPTS, manifest.variants.map(({ index }) => index)],
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
    // The connection goes with its transaction.
    client.release(true)
    throw thrown
  }
}

/** graphile-worker tells of every job on the console; what matters of it is said by the sweep itself. */
export const quietLogger = new Logger(() => () => undefined)
