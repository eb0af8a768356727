import { err, ok, type Result } from '../../base/result.ts'
import { whenAborted } from '../../base/threads/timing.ts'
import { failureText, type VariantJob, type VariantResult } from './variant-job.ts'
import type { Variant } from './variant.ts'
import type { ThreadPool } from '../../base/threads/pool.ts'

/** The threads that run the variants of this process. */
export type VariantPool = ThreadPool<VariantJob, VariantResult>

/**
 * Runs variants on the threads of this process, in their order, and hands over each result as it comes. Stops
 * at the first that fails, or at `signal` without waiting for what is running.
 */
export async function runLocally(
  variants: readonly Variant[],
  jobOf: (variant: number) => VariantJob,
  pool: VariantPool,
  take: (result: VariantResult) => void,
  signal: AbortSignal,
): Promise<Result<null, string>> {
  const queue = variants.values()
  let failure: string | null = null
  const lane = async (): Promise<void> => {
    for (const { index } of queue) {
      const job = jobOf(index)
      const answer = await pool.run(job)
      if (signal.aborted || failure !== null) return
      if (answer.ok) take(answer.value)
      else failure = failureText(job, answer.error)
    }
  }
  const lanes = Promise.all(Array.from({ length: pool.size }, lane))
  await Promise.race([lanes, whenAborted(signal)])
  return failure === null ? ok(null) : err(failure)
}
