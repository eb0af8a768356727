import { setTimeout as wait } from 'node:timers/promises'
import { runTaskList, type WorkerPool } from 'graphile-worker'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { SECOND_MS, type Ms } from '../../base/time.ts'
import type { Manifest } from '../results/identity.ts'
import { JOBS_SCHEMA, type QueueDatabase, type QueueStatus, quietLogger, taskOf } from './database.ts'
import { failureText, type VariantJob } from '../variant-job.ts'
import type { VariantPool } from '../run-locally.ts'

export type QueueWork = {
  readonly database: QueueDatabase
  readonly manifest: Manifest
  readonly jobOf: (variant: number) => VariantJob
  /** Null = this process runs no jobs, it only waits for those of others. */
  readonly pool: VariantPool | null
  /** A worker that is silent for longer has lost its jobs to the others. */
  readonly leaseMs: Ms
  readonly signal: AbortSignal
  /** Called every little while. */
  readonly look: (status: QueueStatus) => Promise<void>
}

const LOOK_EVERY_MS: Ms = 500
/** A database may be restarted under a sweep. */
const SILENT_FOR_MS: Ms = 60 * SECOND_MS

/**
 * Takes part in a sweep until it is complete, failed, or `signal` says to leave; leaving finishes the jobs
 * in hand first. The error says why the sweep failed, or that the database is gone.
 */
export async function workQueue(work: QueueWork): Promise<Result<'complete' | 'left', string>> {
  const { database, manifest, pool, leaseMs } = work
  const crew = pool === null ? null : startCrew(work, pool)
  const beat = (): void => {
    // One that is lost is made good by the next; `watch` notices a database that is gone.
    if (crew !== null) database.beat(crew.id, manifest.id).catch(() => undefined)
    database.release(manifest.id, leaseMs).catch(() => undefined)
  }
  beat()
  const keepAlive = setInterval(beat, Math.max(100, leaseMs / 5))
  try {
    return await watch(work, crew)
  } finally {
    await leave(crew)
    clearInterval(keepAlive)
    if (crew !== null) await database.leave(crew.id).catch(() => undefined)
  }
}

type Crew = { readonly id: string; readonly workers: WorkerPool; broken: string | null }

function startCrew({ database, manifest, jobOf }: QueueWork, pool: VariantPool): Crew {
  const runOne = async (payload: unknown): Promise<void> => {
    const { variant } = payload as { variant: number }
    // Somebody who was thought dead may have brought it after all.
    if (await database.hasResult(manifest.id, variant)) return
    const job = jobOf(variant)
    const answer = await pool.run(job)
    if (answer.ok) await database.keep(manifest.id, answer.value, crew.id)
    else await database.fail(manifest.id, failureText(job, answer.error))
  }
  const workers = runTaskList(
    {
      concurrency: pool.size,
      pollInterval: SECOND_MS,
      noHandleSignals: true,
      schema: JOBS_SCHEMA,
      logger: quietLogger,
    },
    { [taskOf(manifest.id)]: runOne },
    database.pgPool,
  )
  const crew: Crew = { id: workers.id, workers, broken: null }
  workers.promise.catch((thrown: unknown) => {
    crew.broken = `the queue's worker ended: ${errorText(thrown)}`
  })
  return crew
}

async function watch(
  { database, manifest, signal, look }: QueueWork,
  crew: Crew | null,
): Promise<Result<'complete' | 'left', string>> {
  let heardAt = performance.now()
  while (!signal.aborted) {
    try {
      const status = await database.status(manifest.id)
      await look(status)
      heardAt = performance.now()
      if (status.failure !== null) return err(status.failure)
      if (status.results >= manifest.variants.length) return ok('complete')
    } catch (thrown) {
      const why = errorText(thrown)
      if (performance.now() - heardAt > SILENT_FOR_MS) return err(`the queue cannot be followed: ${why}`)
    }
    if (crew !== null && crew.broken !== null) return err(crew.broken)
    await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  return ok('left')
}

/** Waits for the jobs in hand; what cannot be finished is another worker's when the lease is over. */
async function leave(crew: Crew | null): Promise<void> {
  if (crew === null || crew.broken !== null) return
  try {
    await crew.workers.gracefulShutdown()
  } catch {
    // Its jobs are released by the lease.
  }
}
