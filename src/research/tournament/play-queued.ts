import { createHash } from 'node:crypto'
import type { Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import type { QueueDatabase, WorkKind } from '../queue/database.ts'
import { workQueue } from '../queue/work-queue.ts'
import { namedResult, type TournamentJob } from './job.ts'
import { handsOf, missingOf, type PlayPool, type PlayWork, type WorldPlays } from './play-jobs.ts'

/** The worlds of one phase; the id covers everything that determines their results. */
type PlayBatch = { readonly id: string; readonly worlds: number }
export type PlayDatabase = QueueDatabase<PlayBatch, WorldPlays>

/** Tournaments in a queue: a part is a world with all its plays. */
export const TOURNAMENTS: WorkKind<PlayBatch, WorldPlays> = {
  schema: 'mizani_tournament',
  partsOf: ({ worlds }) => Array.from({ length: worlds }, (_, index) => index),
  partOf: ({ world }) => world,
}

type QueuedWork = Omit<PlayWork, 'pool'> & {
  /** Null = this process plays nothing itself. */
  readonly pool: PlayPool | null
  readonly database: PlayDatabase
  readonly leaseMs: Ms
}

/**
 * Plays the jobs together with every process that has the same ones, and stores all results here. The first process puts the
 * worlds into the queue; a process with other code, parameters, scenarios or seeds has other jobs.
 */
export async function playQueued(
  jobs: readonly TournamentJob[],
  { kept, pool, progress, signal, database, leaseMs }: QueuedWork,
): Promise<Result<unknown, string>> {
  if (missingOf(jobs, kept, progress).length === 0) return { ok: true, value: null }
  const batch = batchOf(jobs)
  const taken = new Set<number>()
  const done = jobs.flatMap((job, world) => {
    const plays = job.plays.flatMap((play) => {
      const result = kept.get(play.key)
      return result === undefined ? [] : [namedResult(job, play, result)]
    })
    return plays.length === job.plays.length ? [{ world, plays }] : []
  })
  for (const { world } of done) taken.add(world)
  await database.publish(batch, done)
  const look = async (): Promise<void> => {
    for (const { world, plays } of await database.results(batch.id, [...taken])) {
      taken.add(world)
      const fresh = plays.filter(({ key }) => kept.get(key) === undefined)
      kept.add(fresh)
      progress.played(fresh.length)
    }
  }
  const hands = pool === null ? null : handsOf(pool, jobs)
  return workQueue({ database, batch: batch.id, total: batch.worlds, hands, leaseMs, signal, look })
}

function batchOf(jobs: readonly TournamentJob[]): PlayBatch {
  const keys = jobs.map(({ plays }) => plays.map(({ key }) => key))
  return { id: createHash('sha256').update(JSON.stringify(keys)).digest('hex'), worlds: jobs.length }
}
