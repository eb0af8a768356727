import type { MessagePort } from 'node:worker_threads'
import { err, type Result } from '../base/result.ts'
import type { RunVariant, VariantJob, VariantResult } from './variant-job.ts'

/** What a worker thread answers to a job. */
export type VariantAnswer = Result<VariantResult, string>

/** The worker thread's side: runs what it is given, one job after the other. */
export function serveVariants(port: MessagePort, run: RunVariant): void {
  port.on('message', (job: VariantJob) => {
    void answer(run, job).then((result) => port.postMessage(result))
  })
}

async function answer(run: RunVariant, job: VariantJob): Promise<VariantAnswer> {
  try {
    const result = await run(job)
    const broken = result.ok ? notFinite(result.value) : null
    return broken === null ? result : err(`its result has no number for ${broken}`)
  } catch (thrown) {
    return err(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
  }
}

/** Where a number is that nobody should read. */
function notFinite({ daily, maxDrawdownUsd }: VariantResult): string | null {
  if (!Number.isFinite(maxDrawdownUsd)) return 'maxDrawdownUsd'
  for (const [name, values] of Object.entries(daily)) {
    const at = values.findIndex((value) => !Number.isFinite(value))
    if (at >= 0) return `daily.${name}[${at}]`
  }
  return null
}
