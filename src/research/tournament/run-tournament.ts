import { err, errorText, invariant, ok, type Result } from '../../base/result.ts'
import { openQueueDatabase, type QueueChoice } from '../queue/database.ts'
import { createThreadPool, type HangWatch } from '../../base/threads/pool.ts'
import type { TournamentJob } from './job.ts'
import type { WorkEnd, WorkProgress } from '../queue/run-here.ts'
import { playHere, type PlayPool, Progress } from './play-jobs.ts'
import { playQueued, type PlayDatabase, TOURNAMENTS } from './play-queued.ts'
import { chooseVariants, testJobs, trainingJobs, type TournamentPlan } from './plan.ts'
import { type KeptResults, openResults } from './results/kept-results.ts'
import { playRegret, type Regret } from './regret/play-regret.ts'
import { summarise, type TournamentResult } from './summarise.ts'

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
  order: TournamentOrder,
  kept: KeptResults,
  player: Player,
): Promise<Result<TournamentEnd, string>> {
  const { plan, signal } = order
  if (plan.base !== undefined) {
    const progress = new Progress(0, order.observe)
    const regret = await playRegret(plan, plan.base, kept, async (jobs) => {
      progress.expect(playsOf(jobs))
      const played = await player(jobs, progress)
      return played.ok ? ok(!signal.aborted) : played
    })
    if (!regret.ok) return err(`${regret.error}\n${kept.count()} results are kept in ${order.out}`)
    const { value: result } = regret
    return ok(result === null ? { kind: 'left', progress: progress.now() } : { kind: 'complete', result })
  }
  const training = trainingJobs(plan)
  const tests = plan.scenarios.length * plan.file.seeds * plan.entrants.length
  const progress = new Progress(playsOf(training) + tests, order.observe)
  const tuned = await player(training, progress)
  if (!tuned.ok) return err(`${tuned.error}\n${kept.count()} results are kept in ${order.out}`)
  if (signal.aborted) return ok({ kind: 'left', progress: progress.now() })
  const choices = chooseVariants(plan, kept.get)
  const tested = await player(testJobs(plan, choices), progress)
  if (!tested.ok) return err(`${tested.error}\n${kept.count()} results are kept in ${order.out}`)
  if (signal.aborted) return ok({ kind: 'left', progress: progress.now() })
  return ok({ kind: 'complete', result: summarise(plan, choices, kept.get) })
}

function playsOf(jobs: readonly TournamentJob[]): number {
  return jobs.reduce((sum, { plays }) => sum + plays.length, 0)
}
