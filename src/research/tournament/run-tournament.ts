import { err, errorText, invariant, ok, type Result } from '../../base/result.ts'
import { openQueueDatabase, type QueueChoice } from '../queue/database.ts'
import { createThreadPool, type HangWatch } from '../../base/threads/pool.ts'
import type { TournamentJob } from './job.ts'
import type { WorkEnd, WorkProgress } from '../queue/run-here.ts'
import { playHere, type PlayPool, Progress } from './play-jobs.ts'
import { playQueued, type PlayDatabase, TOURNAMENTS } from './play-queued.ts'
import { testJobs, type TournamentPlan } from './plan.ts'
import { type KeptResults, openResults } from './results/kept-results.ts'
import { playRegret, type Regret } from './regret/play-regret.ts'
import { summarise, type TournamentResult } from './summarise.ts'
import { chooseVariants, type PlayJobs, playsOf, playTraining } from './tuning.ts'

type TournamentOrder = {
  readonly plan: TournamentPlan
  readonly out: string
  /** The file of the worker thread, and how many; with a queue there may be none. */
  readonly worker: URL
  readonly workers: number
  /** Ends a thread whose strategy loops. */
  readonly hangs: HangWatch
  /** Shares the plays with every process that runs the same tournament over the same queue; null = this process plays all. */
  readonly queue: QueueChoice | null
  readonly observe: (progress: WorkProgress) => void
  /** Aborts the tournament; it can be resumed later. */
  readonly signal: AbortSignal
}

export type TournamentEnd = WorkEnd<{ readonly result: TournamentResult | Regret }>

/**
 * Tunes grids on the training seeds and plays the test seeds with the chosen variants. Results are kept as they arrive, so a
 * restart plays only the missing jobs. The error reports what failed and what was kept.
 */
export async function runTournament(order: TournamentOrder): Promise<Result<TournamentEnd, string>> {
  const opened = openResults(order.out)
  if (!opened.ok) return opened
  const kept = opened.value
  const { queue, worker, workers, hangs } = order
  const database = queue === null ? ok(null) : await openQueueDatabase(TOURNAMENTS, queue.url, workers)
  if (!database.ok) {
    kept.close()
    return database
  }
  const pool: PlayPool | null = workers === 0 ? null : createThreadPool(worker, workers, hangs)
  try {
    return await play(order, kept, playerOf(order, kept, pool, database.value))
  } catch (thrown) {
    return err(`${order.out}: ${errorText(thrown)}`)
  } finally {
    kept.close()
    await pool?.close()
    await database.value?.close()
  }
}

/** Plays the missing jobs, here or with other machines. */
type Player = (jobs: readonly TournamentJob[], progress: Progress) => Promise<Result<unknown, string>>

function playerOf(
  { queue, signal }: TournamentOrder,
  kept: KeptResults,
  pool: PlayPool | null,
  database: PlayDatabase | null,
): Player {
  if (queue !== null && database !== null) {
    const { leaseMs } = queue
    return (jobs, progress) => playQueued(jobs, { kept, pool, progress, signal, database, leaseMs })
  }
  invariant(pool !== null, 'a tournament without a queue has threads')
  return (jobs, progress) => playHere(jobs, { kept, pool, progress, signal })
}

async function play(
  { plan, out, signal, observe }: TournamentOrder,
  kept: KeptResults,
  player: Player,
): Promise<Result<TournamentEnd, string>> {
  const progress = new Progress(0, observe)
  const playJobs: PlayJobs = async (jobs, later = 0) => {
    progress.expect(playsOf(jobs) + later)
    const played = await player(jobs, progress)
    return played.ok ? ok(!signal.aborted) : played
  }
  const ended = await (plan.base === undefined
    ? playTests(plan, kept, playJobs)
    : playRegret(plan, plan.base, kept, playJobs))
  if (!ended.ok) return err(`${ended.error}\n${kept.count()} results are kept in ${out}`)
  const { value: result } = ended
  return ok(result === null ? { kind: 'left', progress: progress.now() } : { kind: 'complete', result })
}

/** Null = interrupted. */
async function playTests(
  plan: TournamentPlan,
  kept: KeptResults,
  playJobs: PlayJobs,
): Promise<Result<TournamentResult | null, string>> {
  const tests = plan.scenarios.length * plan.file.seeds * plan.entrants.length
  const tuned = await playTraining([plan], kept.get, (jobs, later = 0) => playJobs(jobs, later + tests))
  if (!tuned.ok || !tuned.value) return tuned.ok ? ok(null) : tuned
  const choices = chooseVariants(plan, kept.get)
  const tested = await playJobs(testJobs(plan, choices))
  if (!tested.ok || !tested.value) return tested.ok ? ok(null) : tested
  return ok(summarise(plan, choices, kept.get))
}
