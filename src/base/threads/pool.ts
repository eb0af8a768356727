import { Worker } from 'node:worker_threads'
import { err, type Result } from '../result.ts'
import { endThread } from './end-thread.ts'

/** A number of worker threads that run jobs, each thread one job at a time. */
export type ThreadPool<Job, Value> = {
  readonly size: number
  /** A job beyond `size` waits for a free thread. A thread that dies while it runs a job is an error of that job. */
  readonly run: (job: Job) => Promise<Result<Value, string>>
  /** Ends all threads, whatever they are doing; running jobs are never answered. */
  readonly close: () => Promise<void>
}

type Waiting<Job, Value> = { readonly job: Job; readonly settle: (answer: Result<Value, string>) => void }
type Thread<Job, Value> = { readonly worker: Worker; busy: Waiting<Job, Value> | null }

/** Watches a thread through memory that both share; a job in which it finds a hang ends with its thread. */
export type HangWatch = {
  readonly bytes: number
  /** Calls `onHang` once, with words, unless the returned function ended it before. */
  readonly watch: (buffer: SharedArrayBuffer, onHang: (why: string) => void) => () => void
}

/** How an error begins if the job's thread was lost, rather than the job itself failing. */
export const LOST_THREAD = 'its thread'

/** Starts `size` threads of the file `worker`, which answers each message, a job, with one `Result<Value, string>`. */
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
      // A thread that cannot even start would be started again and again.
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

/** A thread that hangs is lost, and ended; the returned function ends the watch. */
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

/** With the code, which identifies Node's own errors of a thread (out of memory). */
function textOf(thrown: unknown): string {
  const { code, message } = thrown as { code?: unknown; message?: unknown }
  return `${typeof message === 'string' ? message : String(thrown)}${typeof code === 'string' ? ` (${code})` : ''}`
}
