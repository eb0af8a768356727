import { Worker } from 'node:worker_threads'
import { err, ok, type Result } from '../base/result.ts'
import { failureText, type VariantAnswer, type VariantJob, type VariantResult } from './variant-job.ts'
import type { Variant } from './variant.ts'

/** A number of worker threads that run jobs. */
export type VariantPool = {
  readonly size: number
  /** Jobs beyond `size` wait for their turn. A thread that dies under a job is an error of that job. */
  readonly run: (job: VariantJob) => Promise<Result<VariantResult, string>>
  /** Ends all threads, whatever they are doing; what was running stays unanswered. */
  readonly close: () => Promise<void>
}

type Waiting = { readonly job: VariantJob; readonly settle: (answer: VariantAnswer) => void }
type Thread = { readonly worker: Worker; busy: Waiting | null }

/** Starts `size` threads of the file `worker`, which calls `serveVariants`. */
export function createVariantPool(worker: URL, size: number): VariantPool {
  const waiting: Waiting[] = []
  const threads = new Set<Thread>()
  let closed = false

  const giveNext = (thread: Thread): void => {
    const next = waiting.shift()
    thread.busy = next ?? null
    if (next !== undefined) thread.worker.postMessage(next.job)
  }

  const start = (): void => {
    const thread: Thread = { worker: new Worker(worker), busy: null }
    threads.add(thread)
    thread.worker.on('message', (answer: VariantAnswer) => {
      const { busy } = thread
      giveNext(thread)
      busy?.settle(answer)
    })
    const lose = (why: string): void => {
      if (!threads.delete(thread) || closed) return
      const { busy } = thread
      thread.busy = null
      // A thread that cannot even start would be started for ever.
      if (busy !== null) start()
      busy?.settle(err(`its thread ${why}`))
      if (threads.size === 0) for (const { settle } of waiting.splice(0)) settle(err(`its thread ${why}`))
    }
    thread.worker.on('error', (thrown: unknown) => lose(`died: ${textOf(thrown)}`))
    thread.worker.on('exit', () => lose('ended by itself'))
    giveNext(thread)
  }

  for (let i = 0; i < size; i++) start()
  return {
    size,
    run(job) {
      return new Promise((settle) => {
        waiting.push({ job, settle })
        for (const thread of threads) if (thread.busy === null) return giveNext(thread)
        if (threads.size === 0) start()
      })
    },
    async close() {
      closed = true
      await Promise.all([...threads].map((thread) => thread.worker.terminate()))
    },
  }
}

function textOf(thrown: unknown): string {
  const { code, message } = thrown as { code?: unknown; message?: unknown }
  return `${typeof message === 'string' ? message : String(thrown)}${typeof code === 'string' ? ` (${code})` : ''}`
}

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

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
