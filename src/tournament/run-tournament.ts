import { err, errorText, ok, type Result } from '../base/result.ts'
import { createThreadPool, type ThreadPool } from '../threads/pool.ts'
import type { PlayResult, TournamentJob } from './job.ts'
import { chooseVariants, testJobs, trainingJobs, type TournamentPlan } from './plan.ts'
import { type KeptResults, openResults } from './results/kept-results.ts'
import { summarise, type TournamentResult } from './summarise.ts'

export type TournamentProgress = {
  readonly done: number
  readonly total: number
  /** How many of them were there before this run. */
  readonly before: number
}

export type TournamentOrder = {
  readonly plan: TournamentPlan
  readonly out: string
  /** The file of the worker thread, and how many. */
  readonly worker: URL
  readonly workers: number
  readonly observe: (progress: TournamentProgress) => void
  /** The tournament is to be left as it is, to be resumed later. */
  readonly signal: AbortSignal
}

export type TournamentEnd =
  | { readonly kind: 'complete'; readonly result: TournamentResult }
  | { readonly kind: 'left'; readonly progress: TournamentProgress }

type Pool = ThreadPool<TournamentJob, readonly PlayResult[]>

/**
 * Tunes grids on the training seeds and plays the test seeds with what was chosen. Results are kept as they come:
 * started again, it plays what is missing. The error says what failed and what was kept.
 */
export async function runTournament(order: TournamentOrder): Promise<Result<TournamentEnd, string>> {
  const opened = openResults(order.out)
  if (!opened.ok) return opened
  const kept = opened.value
  const pool: Pool = createThreadPool(order.worker, order.workers)
  try {
    return await play(order, kept, pool)
  } catch (thrown) {
    return err(`${order.out}: ${errorText(thrown)}`)
  } finally {
    kept.close()
    await pool.close()
  }
}

async function play(
  order: TournamentOrder,
  kept: KeptResults,
  pool: Pool,
): Promise<Result<TournamentEnd, string>> {
  const { plan, signal } = order
  const training = trainingJobs(plan)
  const tests = plan.scenarios.length * plan.file.seeds * plan.entrants.length
  const progress = new Progress(playsOf(training) + tests, order.observe)
  const tuned = await playMissing(training, { order, kept, pool, progress })
  if (!tuned.ok) return err(`${tuned.error}\n${kept.count()} results are kept in ${order.out}`)
  if (signal.aborted) return ok({ kind: 'left', progress: progress.now() })
  const choices = chooseVariants(plan, kept.get)
  const tested = await playMissing(testJobs(plan, choices), { order, kept, pool, progress })
  if (!tested.ok) return err(`${tested.error}\n${kept.count()} results are kept in ${order.out}`)
  if (signal.aborted) return ok({ kind: 'left', progress: progress.now() })
  return ok({ kind: 'complete', result: summarise(plan, choices, kept.get) })
}

type Hands = {
  readonly order: TournamentOrder
  readonly kept: KeptResults
  readonly pool: Pool
  readonly progress: Progress
}

/** Plays what is missing of the jobs on all threads, and stops at the first failure or at the signal. */
async function playMissing(
  jobs: readonly TournamentJob[],
  { order: { signal }, kept, pool, progress }: Hands,
): Promise<Result<null, string>> {
  const missing: TournamentJob[] = []
  for (const job of jobs) {
    const plays = job.plays.filter(({ key }) => kept.get(key) === undefined)
    progress.found(job.plays.length - plays.length)
    if (plays.length > 0) missing.push({ ...job, plays })
  }
  const queue = missing.values()
  let failure: string | null = null
  const lane = async (): Promise<void> => {
    for (const job of queue) {
      const answer = await inTime(pool.run(job), job)
      if (signal.aborted || failure !== null) return
      if (!answer.ok) {
        failure = answer.error
        return
      }
      kept.add(answer.value)
      progress.played(answer.value.length)
    }
  }
  const lanes = Promise.all(Array.from({ length: pool.size }, lane))
  await Promise.race([lanes, whenAborted(signal)])
  return failure === null ? ok(null) : err(failure)
}

/** A play takes a fraction of a second; a strategy that needs so much longer may not come to an end at all. */
const LONGEST_PLAY_MS = 120_000

/** The answer of a job, or an error where it takes too long; its thread ends with the pool. */
async function inTime<Value>(
  answer: Promise<Result<Value, string>>,
  { plays, prepared, seed }: TournamentJob,
): Promise<Result<Value, string>> {
  const who = [...new Set(plays.map(({ variant }) => variant.entrant))].join(', ')
  const late = `${who} in ${prepared.scenario.name}, seed ${seed}: not done after ${LONGEST_PLAY_MS / 1_000} s a play; does a strategy loop?`
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Result<Value, string>>((resolve) => {
    timer = setTimeout(() => resolve(err(late)), LONGEST_PLAY_MS * plays.length)
  })
  try {
    return await Promise.race([answer, limit])
  } finally {
    clearTimeout(timer)
  }
}

class Progress {
  readonly #total: number
  readonly #observe: TournamentOrder['observe']
  #done = 0
  #before = 0

  constructor(total: number, observe: TournamentOrder['observe']) {
    this.#total = total
    this.#observe = observe
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

  now(): TournamentProgress {
    return { done: this.#done, total: this.#total, before: this.#before }
  }
}

function playsOf(jobs: readonly TournamentJob[]): number {
  return jobs.reduce((sum, { plays }) => sum + plays.length, 0)
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
