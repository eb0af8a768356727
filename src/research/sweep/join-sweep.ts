import { setTimeout as wait } from 'node:timers/promises'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import type { Ms } from '../../base/time.ts'
import { differenceOf, type Identity, type Manifest } from './results/identity.ts'
import { openQueueDatabase, type QueueChoice } from '../queue/database.ts'
import { handsOf, type SweepDatabase, type SweepOrder, SWEEPS } from './run-sweep.ts'
import type { VariantJob, VariantResult } from './variant-job.ts'
import type { Variant } from './variant.ts'
import { createThreadPool } from '../../base/threads/pool.ts'
import { workQueue } from '../queue/work-queue.ts'

type JoinOrder = Pick<
  SweepOrder,
  'configFile' | 'tapePath' | 'allowSkipped' | 'worker' | 'hangs' | 'workers' | 'observe' | 'signal'
> & {
  /** Identifies this machine's files for these variants; a sweep over other files is refused. */
  readonly identityOf: (variants: readonly Variant[]) => Promise<Result<Identity, string>>
  readonly queue: QueueChoice
  /** How long to wait if no sweep is open: the next generation of a search follows the previous one. */
  readonly waitMs: Ms
}

/** How a worker left a sweep. */
export type JoinEnd = { readonly sweep: string; readonly ended: 'complete' | 'left' }

/**
 * Works on the oldest open sweep of a queue with the same configuration and tape, until it is complete or `signal`
 * aborts. The error explains why no sweep can be joined, or why one failed.
 */
export async function joinSweep(order: JoinOrder): Promise<Result<JoinEnd, string>> {
  const opened = await openQueueDatabase(SWEEPS, order.queue.url, order.workers)
  if (!opened.ok) return opened
  const database = opened.value
  try {
    const manifest = await choose(await openedSweeps(order, database), order.identityOf)
    if (!manifest.ok) return manifest
    return await workAt(order, database, manifest.value)
  } catch (thrown) {
    return err(`--queue: ${errorText(thrown)}`)
  } finally {
    await database.close()
  }
}

const LOOK_EVERY_MS: Ms = 1_000

async function openedSweeps(
  { waitMs, signal }: JoinOrder,
  database: SweepDatabase,
): Promise<readonly Manifest[]> {
  const began = performance.now()
  for (;;) {
    const open = await database.open()
    if (open.length > 0 || signal.aborted || performance.now() - began >= waitMs) return open
    await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function workAt(
  order: JoinOrder,
  database: SweepDatabase,
  manifest: Manifest,
): Promise<Result<JoinEnd, string>> {
  const { leaseMs } = order.queue
  const pool = createThreadPool<VariantJob, VariantResult>(order.worker, order.workers, order.hangs)
  const total = manifest.variants.length
  let before: number | null = null
  try {
    const worked = await workQueue({
      database,
      batch: manifest.id,
      total,
      hands: handsOf(pool, manifest, order),
      leaseMs,
      signal: order.signal,
      look({ results }) {
        before ??= results
        order.observe({ done: results, total, before })
        return Promise.resolve()
      },
    })
    return worked.ok ? ok({ sweep: manifest.id, ended: worked.value }) : worked
  } finally {
    await pool.close()
  }
}

/** The error if there is no sweep to join. */
export const NO_OPEN_SWEEP = 'no sweep is open in this queue; start one with --queue and a --grid first'

async function choose(
  sweeps: readonly Manifest[],
  identityOf: JoinOrder['identityOf'],
): Promise<Result<Manifest, string>> {
  if (sweeps.length === 0) return err(NO_OPEN_SWEEP)
  const refusals: string[] = []
  for (const sweep of sweeps) {
    const here = await identityOf(sweep.variants)
    const difference = here.ok ? differenceOf(sweep, here.value) : here.error
    if (difference === null) return ok(sweep)
    refusals.push(`  ${sweep.id.slice(0, 12)}: ${difference}`)
  }
  return err(`no open sweep of this queue can be joined from here:\n${refusals.join('\n')}`)
}
