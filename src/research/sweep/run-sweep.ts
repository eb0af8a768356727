import { type SweepTiming, writeReports } from './results/write-reports.ts'
import { err, errorText, invariant, ok, type Result } from '../../base/result.ts'
import {
  alreadyRun,
  collectResults,
  type EarlierSweep,
  openSweepFolder,
  type ResultCollector,
} from './results/folder.ts'
import type { Manifest } from './results/identity.ts'
import { openQueueDatabase, type QueueChoice, type QueueDatabase, type WorkKind } from '../queue/database.ts'
import { createThreadPool, type HangWatch, type ThreadPool } from '../../base/threads/pool.ts'
import { sweepResult, type ReportChoice, type SweepResult } from './results/sweep-result.ts'
import { failureText, jobMaker, type VariantJob, type VariantResult } from './variant-job.ts'
import { type Hands, runHere, type WorkEnd, type WorkProgress } from '../queue/run-here.ts'
import { workQueue } from '../queue/work-queue.ts'

export type SweepOrder = {
  readonly manifest: Manifest
  /** This machine's copies of the files that the manifest names by content. */
  readonly configFile: string
  readonly tapePath: string
  /** Accepts a tape with too many skipped rows. */
  readonly allowSkipped?: boolean
  readonly out: string
  /** Allows another sweep in `out`. */
  readonly add: boolean
  /** The file of the worker thread, and the number of threads, which may be 0 with a queue. */
  readonly worker: URL
  /** Detects hanging threads; absent = no detection. */
  readonly hangs?: HangWatch
  readonly workers: number
  /** Threads that were started before this sweep and outlive it; absent = it starts its own. */
  readonly pool?: VariantPool | null
  readonly queue: QueueChoice | null
  readonly report: ReportChoice
  readonly observe: (progress: WorkProgress) => void
  /** Leaves the sweep, which can be resumed. */
  readonly signal: AbortSignal
}

export type SweepEnd = WorkEnd<{ readonly result: SweepResult; readonly timing: SweepTiming }>

/** The threads of this process that run variants. */
type VariantPool = ThreadPool<VariantJob, VariantResult>

export type VariantsOrder = Omit<SweepOrder, 'report'>

/** Results of a sweep by variant, and the results of other sweeps in its folder. */
type VariantsEnd = WorkEnd<{
  readonly results: readonly VariantResult[]
  readonly earlier: readonly EarlierSweep[]
}>

/**
 * Runs the missing variants of a sweep, here or through a queue, and writes `ranking.parquet`, `result.json` and
 * `heatmap.svg`. Stores results as they arrive, so an interrupted sweep can be restarted. The error explains the
 * failure and which results were kept.
 */
export async function runSweep(order: SweepOrder): Promise<Result<SweepEnd, string>> {
  const began = performance.now()
  const { manifest, out } = order
  const ran = await runVariants(order)
  if (!ran.ok) return ran
  if (ran.value.kind === 'left') return ok(ran.value)
  const { results, earlier } = ran.value
  const timing = {
    elapsedMs: performance.now() - began,
    backtestMs: results.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  }
  try {
    const result = sweepResult(manifest, results, earlier, order.report)
    writeReports(out, manifest, results, result, timing)
    return ok({ kind: 'complete', result, timing })
  } catch (thrown) {
    return err(`${out}: ${errorText(thrown)}`)
  }
}

/** Like `runSweep`, without reports. Does not rerun a configuration that another sweep of the folder ran on the same tape. */
export async function runVariants(order: VariantsOrder): Promise<Result<VariantsEnd, string>> {
  const { manifest, out, add } = order
  const folder = await openSweepFolder(out, manifest, add)
  if (!folder.ok) return folder
  const { done, earlier } = folder.value
  const results = collectResults(folder.value)
  const total = manifest.variants.length
  try {
    for (const result of alreadyRun(manifest, earlier)) results.take(result)
    const before = Math.max(done.size, results.count())
    const progress = (): WorkProgress => ({ done: results.count(), total, before })
    const worked = await runMissing(order, results, () => order.observe(progress()))
    results.end()
    if (!worked.ok) return err(`${worked.error}\n${results.count()} of ${total} variants are kept in ${out}`)
    return ok(
      results.count() < total
        ? { kind: 'left', progress: progress() }
        : { kind: 'complete', results: results.all(), earlier },
    )
  } catch (thrown) {
    return err(`${out}: ${errorText(thrown)}`)
  }
}

async function runMissing(
  order: VariantsOrder,
  results: ResultCollector,
  observe: () => void,
): Promise<Result<unknown, string>> {
  observe()
  if (results.count() === order.manifest.variants.length) return ok(null)
  const pool = order.pool ?? variantPool(order)
  const take = (result: VariantResult): void => {
    results.take(result)
    observe()
  }
  const hands = pool === null ? null : handsOf(pool, order.manifest, order)
  try {
    if (order.queue !== null) return await runQueued(order, order.queue, { results, take, hands })
    invariant(hands !== null, 'a sweep without a queue has threads')
    const missing = order.manifest.variants.map(({ index }) => index).filter((index) => !results.has(index))
    return await runHere(missing, hands, take, order.signal)
  } finally {
    if (pool !== order.pool) await pool?.close()
  }
}

/** Returns the threads of this machine; null = other machines do all work. */
export function variantPool({
  worker,
  workers,
  hangs,
}: Pick<SweepOrder, 'worker' | 'workers' | 'hangs'>): VariantPool | null {
  return workers === 0 ? null : createThreadPool<VariantJob, VariantResult>(worker, workers, hangs)
}

/** Sweeps in a queue: a part is a variant. */
export const SWEEPS: WorkKind<Manifest, VariantResult> = {
  schema: 'mizani_sweep',
  partsOf: ({ variants }) => variants.map(({ index }) => index),
  partOf: ({ variant }) => variant,
}
export type SweepDatabase = QueueDatabase<Manifest, VariantResult>

/** Returns the threads of this process as hands that run variants. */
export function handsOf(
  pool: VariantPool,
  manifest: Manifest,
  place: Parameters<typeof jobMaker>[1],
): Hands<VariantResult> {
  const jobOf = jobMaker(manifest, place)
  return {
    size: pool.size,
    async run(variant) {
      const job = jobOf(variant)
      const answer = await pool.run(job)
      return answer.ok ? answer : err(failureText(job, answer.error))
    },
  }
}

type Work = {
  readonly results: ResultCollector
  readonly take: (result: VariantResult) => void
  readonly hands: Hands<VariantResult> | null
}

async function runQueued(
  { manifest, signal }: Pick<SweepOrder, 'manifest' | 'signal'>,
  { url, leaseMs }: QueueChoice,
  { results, take, hands }: Work,
): Promise<Result<unknown, string>> {
  const opened = await openQueueDatabase(SWEEPS, url, hands?.size ?? 0)
  if (!opened.ok) return opened
  const database = opened.value
  try {
    await database.publish(manifest, results.all())
    const look = async (): Promise<void> => {
      const known = results.all().map(({ variant }) => variant)
      for (const result of await database.results(manifest.id, known)) take(result)
    }
    const { id, variants } = manifest
    return await workQueue({ database, batch: id, total: variants.length, hands, leaseMs, signal, look })
  } finally {
    await database.close()
  }
}
