import { setTimeout as wait } from 'node:timers/promises'
import { runTaskList, type WorkerPool } from 'graphile-worker'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { SECOND_MS, type Ms } from '../../base/time.ts'
import { JOBS_SCHEMA, type QueueDatabase, type QueueStatus, quietLogger } from './database.ts'
import type { Hands } from './run-here.ts'

type QueueWork<Batch, Kept> = {
  readonly database: QueueDatabase<Batch, Kept>
  /** The batch, and how many parts it has. */
  readonly batch: string
  readonly total: number
  /** Null = this process runs no jobs and only waits for others. */
  readonly hands: Hands<Kept> | null
  /** A worker that is silent for longer loses its jobs to others. */
  readonly leaseMs: Ms
  readonly signal: AbortSignal
  /** Called at short intervals. */
  readonly look: (status: QueueStatus) => Promise<void>
}

const LOOK_EVERY_MS: Ms = 500
/** How long the database may be unreachable, for example during a restart, before the batch fails. */
const SILENT_FOR_MS: Ms = 60 * SECOND_MS

/**
 * Takes part in a batch until it is complete, has failed, or `signal` aborts; on abort the running jobs are finished first.
 * The error explains why the batch failed, or reports that the database is unreachable.
 */
export async function workQueue<Batch, Kept>(
  work: QueueWork<Batch, Kept>,
): Promise<Result<'complete' | 'left', string>> {
  const { database, batch, hands, leaseMs } = work
  const crew = hands === null ? null : startCrew(work, hands)
  const beat = (): void => {
    // The next heartbeat replaces a lost one; `watch` detects an unreachable database.
    if (crew !== null) database.beat(crew.id, batch).catch(() => undefined)
    database.release(batch, leaseMs).catch(() => undefined)
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

function startCrew<Batch, Kept>(
  { database, batch }: QueueWork<Batch, Kept>,
  { size, run }: Hands<Kept>,
): Crew {
  const runOne = async (payload: unknown): Promise<void> => {
    const { variant: part } = payload as { variant: number }
    // A worker that was presumed dead may have delivered the result.
    if (await database.hasResult(batch, part)) return
    const answer = await run(part)
    if (answer.ok) await database.keep(batch, answer.value, crew.id)
    else await database.fail(batch, answer.error)
  }
  const workers = runTaskList(
    {
      concurrency: size,
      pollInterval: SECOND_MS,
      noHandleSignals: true,
      schema: JOBS_SCHEMA,
      logger: quietLogger,
    },
    { [database.taskOf(batch)]: runOne },
    database.pgPool,
  )
  const crew: Crew = { id: workers.id, workers, broken: null }
  workers.promise.catch((thrown: unknown) => {
    crew.broken = `the queue's worker ended: ${errorText(thrown)}`
  })
  return crew
}

async function watch<Batch, Kept>(
  { database, batch, total, signal, look }: QueueWork<Batch, Kept>,
  crew: Crew | null,
): Promise<Result<'complete' | 'left', string>> {
  let lastNoticeAt = performance.now()
  while (!signal.aborted) {
    try {
      const status = await database.status(batch)
      await look(status)
      lastNoticeAt = performance.now()
      if (status.failure !== null) return err(status.failure)
      if (status.results >= total) return ok('complete')
    } catch (thrown) {
      const why = errorText(thrown)
      if (performance.now() - lastNoticeAt > SILENT_FOR_MS) return err(`the queue does not answer: ${why}`)
    }
    if (crew !== null && crew.broken !== null) return err(crew.broken)
    await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  return ok('left')
}

/** Waits for the running jobs; unfinished jobs pass to another worker when the lease ends. */
async function leave(crew: Crew | null): Promise<void> {
  if (crew === null || crew.broken !== null) return
  try {
    await crew.workers.gracefulShutdown()
  } catch {
    // Its jobs are released by the lease.
  }
}
