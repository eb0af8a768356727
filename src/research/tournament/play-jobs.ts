import { err, ok, type Result } from '../../base/result.ts'
import { LOST_THREAD, type ThreadPool } from '../../base/threads/pool.ts'
import { type Hands, runHere, type WorkProgress } from '../queue/run-here.ts'
import type { PlayResult, TournamentJob } from './job.ts'
import type { KeptResults } from './results/kept-results.ts'

/** The threads of this process that play the jobs. */
export type PlayPool = ThreadPool<TournamentJob, readonly PlayResult[]>

export type PlayWork = {
  readonly kept: KeptResults
  readonly pool: PlayPool
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** Plays the missing jobs on the threads of this process. Stops at the first failure or at the signal. */
export async function playHere(
  jobs: readonly TournamentJob[],
  { kept, pool, progress, signal }: PlayWork,
): Promise<Result<null, string>> {
  const missing = missingOf(jobs, kept, progress)
  const take = ({ plays }: WorldPlays) => {
    kept.add(plays)
    progress.played(plays.length)
  }
  return runHere([...missing.keys()], handsOf(pool, missing), take, signal)
}

/** The plays of one world, by the index of its job. */
export type WorldPlays = { readonly world: number; readonly plays: readonly PlayResult[] }

/** Returns the threads of this process as hands that play the jobs. */
export function handsOf(pool: PlayPool, jobs: readonly TournamentJob[]): Hands<WorldPlays> {
  return {
    size: pool.size,
    async run(world) {
      const job = jobs[world]
      if (job === undefined) return err(`the queue has the world ${world}, which this tournament lacks`)
      const played = await playJob(pool, job)
      return played.ok ? ok({ world, plays: played.value }) : played
    },
  }
}

/** Returns the jobs reduced to their missing plays, omitting complete jobs. */
export function missingOf(
  jobs: readonly TournamentJob[],
  kept: KeptResults,
  progress: Progress,
): readonly TournamentJob[] {
  const missing: TournamentJob[] = []
  let found = 0
  for (const job of jobs) {
    const plays = job.plays.filter(({ key }) => kept.get(key) === undefined)
    found += job.plays.length - plays.length
    if (plays.length > 0) missing.push({ ...job, plays })
  }
  progress.found(found)
  return missing
}

/** A play takes a fraction of a second; a strategy that needs this long probably loops. */
const LONGEST_PLAY_MS = 120_000

/** Returns the answer of a job, or an error if it takes too long; its thread ends with the pool. */
async function playJob(pool: PlayPool, job: TournamentJob): Promise<Result<readonly PlayResult[], string>> {
  const { plays, prepared, seed } = job
  const who = [...new Set(plays.map(({ variant }) => variant.entrant))].join(', ')
  const where = `${who} in ${prepared.scenario.name}, seed ${seed}`
  const late = `${where}: not done after ${LONGEST_PLAY_MS / 1_000} s a play; does a strategy loop?`
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Result<readonly PlayResult[], string>>((resolve) => {
    timer = setTimeout(() => resolve(err(late)), LONGEST_PLAY_MS * plays.length).unref()
  })
  try {
    const played = await Promise.race([pool.run(job), limit])
    // The answer of a thread names the failed strategy; a lost thread has no answer.
    return !played.ok && played.error.startsWith(LOST_THREAD) ? err(`${where}: ${played.error}`) : played
  } finally {
    clearTimeout(timer)
  }
}

/** Counts the finished plays and reports how many are left. */
export class Progress {
  #total: number
  readonly #observe: (progress: WorkProgress) => void
  #done = 0
  #before = 0

  constructor(total: number, observe: (progress: WorkProgress) => void) {
    this.#total = total
    this.#observe = observe
  }

  /** Sets the number of plays that are left. */
  expect(plays: number): void {
    this.#total = this.#done + plays
  }

  found(plays: number): void {
    this.#before += plays
    this.#done += plays
    this.#observe(this.now())
  }

  played(plays: number): void {
    this.#done += plays
    this.#observe(this.now())
  }

  now(): WorkProgress {
    return { done: this.#done, total: this.#total, before: this.#before }
  }
}
