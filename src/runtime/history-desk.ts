import { Worker } from 'node:worker_threads'
import { err, type Result } from '../base/result.ts'
import type { PastPort, ReadFailure } from '../console/position-port.ts'
import type { HistoryCall, HistoryMessage, HistoryReply } from './history-message.ts'
import { workerUrl } from './worker-url.ts'

/** The past of every position of a process, read in one thread beside trading and HTTP. */
export type HistoryDesk = {
  readonly pastOf: (storeFolder: string) => PastPort
  readonly close: () => Promise<void>
}

type Answer = Result<unknown, ReadFailure>
/** The last step of a call without its folder and time. */
type Asked = HistoryCall extends infer Each
  ? Each extends HistoryCall
    ? Omit<Each, 'folder' | 'now'>
    : never
  : never
type Waiting = { readonly call: HistoryCall; readonly settle: (answer: Answer) => void }

const WORKER = workerUrl(import.meta.url, './history-worker')
const MAX_HEAP_MB = 256
/** So many wait for one store; more would only wait longer than anybody wants to. */
const MAX_WAITING = 8
const TIME_LIMIT_MS = 5_000

/**
 * One call at a time and store is under way, a few wait, others are told so. A call that takes too long ends
 * the thread, for SQLite cannot be asked to stop; the next call gets a new one. It is started when it is needed.
 */
export function createHistoryDesk(timeLimitMs: number = TIME_LIMIT_MS): HistoryDesk {
  const thread = createThread(timeLimitMs)
  const queues = new Map<string, Waiting[]>()

  function ask(call: HistoryCall): Promise<Answer> {
    const queue = queues.get(call.folder) ?? []
    queues.set(call.folder, queue)
    if (queue.length > MAX_WAITING) {
      const message = `${MAX_WAITING} others wait for this position's past already; try again in a moment`
      return Promise.resolve(err({ kind: 'busy', message }))
    }
    return new Promise((settle) => {
      queue.push({ call, settle })
      if (queue.length === 1) void work(queue)
    })
  }

  async function work(queue: Waiting[]): Promise<void> {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      first.settle(await thread.ask(first.call))
      queue.shift()
    }
  }

  return {
    pastOf(folder) {
      const answer = (asked: Asked) => ask({ ...asked, folder, now: Date.now() } as HistoryCall)
      // The thread answers each question in its own shape.
      return {
        history: (query) => answer({ what: 'history', query }) as ReturnType<PastPort['history']>,
        fills: (query) => answer({ what: 'fills', query }) as ReturnType<PastPort['fills']>,
        notices: (query) => answer({ what: 'notices', query }) as ReturnType<PastPort['notices']>,
      }
    },
    close: thread.close,
  }
}

type Thread = {
  readonly ask: (call: HistoryCall) => Promise<Answer>
  readonly close: () => Promise<void>
}

function createThread(timeLimitMs: number): Thread {
  const waiting = new Map<number, (answer: Answer) => void>()
  let worker: Worker | null = null
  let nextId = 1

  function start(): Worker {
    const started = new Worker(WORKER, {
      name: 'history',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    started.on('message', ({ id, answer }: HistoryReply) => waiting.get(id)?.(answer))
    const gone = () => {
      if (worker !== started) return
      worker = null
      abandon('the store could not be read; the next try begins anew')
    }
    started.on('error', gone)
    started.on('exit', gone)
    // Reading the past is no reason to stay alive.
    started.unref()
    return started
  }

  function abandon(message: string): void {
    for (const settle of waiting.values()) settle(err({ kind: 'unreadable', message }))
  }

  function giveUp(id: number): void {
    const message = `reading the store took longer than ${timeLimitMs} ms; ask for less`
    waiting.get(id)?.(err({ kind: 'slow', message }))
    const slow = worker
    worker = null
    abandon('another read took too long; try again')
    void slow?.terminate()
  }

  return {
    ask(call) {
      const id = nextId
      nextId += 1
      worker ??= start()
      const message: HistoryMessage = { id, call }
      worker.postMessage(message)
      return new Promise((resolve) => {
        const timer = setTimeout(giveUp, timeLimitMs, id)
        waiting.set(id, (answer) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(answer)
        })
      })
    },
    async close() {
      const open = worker
      worker = null
      abandon('the daemon is ending')
      await open?.terminate()
    },
  }
}
