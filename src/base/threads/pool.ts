import { Worker } from 'node:worker_threads'
import { err, type Result } from '../result.ts'
import { endThread } from './end-thread.ts'

/** Worker threads that run jobs, one job per thread at a time. */
export type ThreadPool<Job, Value> = {
  readonly size: number
  /** A job waits until a thread is free. A thread that dies while it runs a job is an error of that job. */
  readonly run: (job: Job) => Promise<Result<Value, string>>
  /** Ends all threads immediately; running jobs are never answered. */
  readonly close: () => Promise<void>
}

type Waiting<Job, Value> = { readonly job: Job; readonly settle: (answer: Result<Value, string>) => void }
type Thread<Job, Value> = { readonly worker: Worker; busy: Waiting<Job, Value> | null }

/** Watches a thread through shared memory; a detected hang ends the job and its thread. */
export type HangWatch = {
  readonly bytes: number
  /** Calls `onHang` once with a message, unless the returned function ends the watch first. */
  readonly watch: (buffer: SharedArrayBuffer, onHang: (why: string) => void) => () => void
}

/** The beginning of an error that means a lost thread rather than a failed job. */
export const LOST_THREAD = 'its thread'

/** Starts `size` threads of the file `worker`, which answers each job with one `Result<Value, string>`. */
export function createThreadPool<Job, Value>(
  worker: URL,
  size: number,
  hangs: HangWatch | null = null,
): ThreadPool<Job, Value> {
  const waiting: Waiting<Job, Value>[] = []
  const threads = new Set<Thread<Job, Value>>()
  let closed = false

  const giveNext = (thread: Thread<Job, Value>): void => {
    const next = waiting.shift()
    thread.busy = next ?? null
    if (next !== undefined) thread.worker.postMessage(next.job)
  }

  const start = (): void => {
    const buffer = hangs === null ? null : new SharedArrayBuffer(hangs.bytes)
    const thread: Thread<Job, Value> = { worker: new Worker(worker, { workerData: buffer }), busy: null }
    threads.add(thread)
    thread.worker.on('message', (answer: Result<Value, string>) => {
      const { busy } = thread
      giveNext(thread)
      busy?.settle(answer)
    })
    const lose = (why: string): void => {
      if (!threads.delete(thread) || closed) return
      const { busy } = thread
      thread.busy = null
      // A thread that fails to start would be restarted endlessly.
      if (busy !== null) start()
      busy?.settle(err(`${LOST_THREAD} ${why}`))
      if (threads.size === 0) for (const { settle } of waiting.splice(0)) settle(err(`${LOST_THREAD} ${why}`))
    }
    thread.worker.on('error', (thrown: unknown) => lose(`died: ${textOf(thrown)}`))
    const endWatch = watchThread(thread.worker, buffer, hangs, lose)
    thread.worker.on('exit', () => {
      endWatch()
      lose('ended by itself')
    })
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
      await Promise.all([...threads].map((thread) => endThread(thread.worker)))
    },
  }
}

/** Ends a thread that hangs; the returned function ends the watch. */
function watchThread(
  worker: Worker,
  buffer: SharedArrayBuffer | null,
  hangs: HangWatch | null,
  lose: (why: string) => void,
): () => void {
  if (hangs === null || buffer === null) return () => undefined
  return hangs.watch(buffer, (why) => {
    lose(`was ended: ${why}`)
    void endThread(worker)
  })
}

/** Includes the code, which identifies Node's own thread errors (out of memory). */
function textOf(thrown: unknown): string {
  const { code, message } = thrown as { code?: unknown; message?: unknown }
  return `${typeof message === 'string' ? message : String(thrown)}${typeof code === 'string' ? ` (${code})` : ''}`
}
