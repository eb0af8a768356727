import { Worker } from 'node:worker_threads'
import { err, errorText, type Result } from '../../base/result.ts'
import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { endThread } from '../../threads/end-thread.ts'
import { bareEnv, firstMessage, type NoMessage } from '../../threads/first-message.ts'

/** A year of recordings takes a minute; what takes longer than this would still run when the next one is due. */
const TIME_LIMIT_MS = 10 * MINUTE_MS
/** A thread that needs more would take it from trading. */
const MAX_HEAP_MB = 512

/** Work beside trading: one at a time in a worker, each in a thread that ends with it. */
export type ReviewThreads = {
  /** Runs the file at `worker` on `job` and resolves with its only message; never rejects. */
  readonly run: <Answer>(worker: URL, job: object) => Promise<Result<Answer, string>>
  /** Ends what runs; nothing waits for its answer any longer. */
  readonly close: () => Promise<void>
}

export function createReviewThreads(timeLimitMs: Ms = TIME_LIMIT_MS): ReviewThreads {
  const running = new Set<Worker>()
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  async function start<Answer>(url: URL, job: object): Promise<Result<Answer, string>> {
    if (isClosed) return err('the daemon is ending')
    const limits = { maxOldGenerationSizeMb: MAX_HEAP_MB }
    const worker = new Worker(url, {
      name: 'review',
      workerData: job,
      resourceLimits: limits,
      env: bareEnv(),
    })
    worker.unref()
    running.add(worker)
    const message = await firstMessage<Result<Answer, string>>(worker, timeLimitMs)
    running.delete(worker)
    await endThread(worker)
    if (message.ok) return message.value
    return err(reasonOf(message.error, timeLimitMs))
  }

  return {
    run(url, job) {
      // A job that cannot be sent to a thread is no end of the others.
      const turn = last.then(() => start<never>(url, job).catch((error: unknown) => err(errorText(error))))
      last = turn
      return turn
    },
    async close() {
      isClosed = true
      await Promise.all([...running].map((worker) => endThread(worker)))
    },
  }
}

function reasonOf(message: NoMessage, timeLimitMs: Ms): string {
  if (message.how === 'threw') return `its thread broke: ${errorText(message.error)}`
  if (message.how === 'late') return `it took longer than ${timeLimitMs / MINUTE_MS} min`
  return 'its thread ended without an answer'
}
